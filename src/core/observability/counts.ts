/** What is counted: refusals that matter to whoever guards the server, and errors by what they are about. */
export type CountKind = 'security_event' | 'error_taxonomy';

export interface Count {
  readonly kind: CountKind;
  /** The event, or the taxonomy. */
  readonly key: string;
  readonly times: number;
}

/** What one process saw in one minute. */
export interface MinuteCount extends Count {
  /** When the minute began. */
  readonly minuteMs: number;
  /** The process: two that count the same minute do not write over each other. */
  readonly node: string;
}

export interface CountStore {
  /** In place of what was saved of the same minutes: saved again, it changes nothing. */
  save(counts: readonly MinuteCount[]): Promise<void>;
  /** Of all processes together, in minutes that had not ended at `sinceMs`. */
  sum(sinceMs: number): Promise<Count[]>;
}

export const MINUTE_MS = 60_000;
/** Nothing older is asked for. */
export const KEPT_MS = 24 * 60 * MINUTE_MS;
