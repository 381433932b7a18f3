/** What was to be sent is still here. */
export const NOT_SENT = 'not_sent';

/** The connection was lost, or never came about. Trying again may help. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
  readonly code: string;
  /** The other side asked for this much patience. */
  readonly retryAfterMs: number | undefined;

  constructor(code: string, message: string, retryAfterMs?: number) {
    super(message);
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The other side does not let us in. Trying again would not help: somebody has to do something first. */
export class ConnectionRefused extends Error {
  override readonly name = 'ConnectionRefused';
  readonly code: string;
  readonly action: string;

  constructor(code: string, message: string, action: string) {
    super(message);
    this.code = code;
    this.action = action;
  }
}
