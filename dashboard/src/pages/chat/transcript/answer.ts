/** What an agent made of one message, as a reader sees it: the same whether it comes from events or from the record. */
export interface Answer {
  readonly parts: readonly AnswerPart[];
  readonly state: AnswerState;
  /** Why there is none, or not all of it. */
  readonly problem?: string;
  readonly usage?: Usage;
  /** It was broken off, and the model said something else the second time. */
  readonly isBegunAgain?: boolean;
}

export type AnswerState =
  | 'queued'
  | 'working'
  | 'waiting'
  | 'stopping'
  | 'done'
  | 'failed'
  | 'stopped';

export type AnswerPart =
  | { readonly kind: 'text'; readonly key: string; readonly text: string }
  | { readonly kind: 'note'; readonly key: string; readonly text: string }
  | { readonly kind: 'tool'; readonly key: string; readonly call: ToolCall }
  | Told;

/** What somebody said to it on the way. */
export interface Told {
  readonly kind: 'told';
  readonly key: string;
  readonly text: string;
  /** Whether a turn of the model has read it; undefined where the record does not tell. */
  readonly isRead?: boolean;
}

export interface ToolCall {
  readonly tool: string;
  readonly input: unknown;
  readonly state: 'running' | 'waiting' | 'ok' | 'failed' | 'denied';
  readonly startedAt?: string;
  readonly durationMs?: number;
  readonly summary?: string;
  readonly output?: unknown;
  readonly error?: string;
  /** The question about it, open or answered. */
  readonly approvalId?: string;
  /** How it was answered. */
  readonly answered?: string;
}

export interface Usage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly costUsd: number | null;
}

export function isOver({ state }: Pick<Answer, 'state'>): boolean {
  return state === 'done' || state === 'failed' || state === 'stopped';
}

/** The words alone, for copying and for reading aloud. */
export function toText({ parts }: Answer): string {
  return parts
    .flatMap((part) => (part.kind === 'text' ? [part.text.trim()] : []))
    .filter((text) => text !== '')
    .join('\n\n');
}
