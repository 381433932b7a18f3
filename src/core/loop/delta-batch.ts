import type { Clock } from '../clock.ts';
import type { Redactor } from '../redact/redact.ts';
import { createStreamRedactor } from '../redact/stream-redactor.ts';
import type { Execution } from './execution.ts';

/** Streamed text on its way into the log: gathered for a moment, so that a token does not cost a transaction. */
export interface DeltaBatch {
  add(delta: string): Promise<void>;
  /** A new attempt began; what the last one streamed and did not record is dropped. */
  restart(attempt: number): void;
  /** Records the rest. */
  close(): Promise<void>;
  /** Drops the rest; safe after `close`. */
  discard(): void;
}

const MAX_BATCH_CHARS = 2_000;

export function createDeltaBatch(
  deps: { readonly clock: Clock; readonly redactor: Redactor; readonly deltaBatchMs: number },
  execution: Execution,
  turn: number,
): DeltaBatch {
  let attempt = 1;
  let text = '';
  let redactor = createStreamRedactor(deps.redactor);
  let cancelTimer: (() => void) | undefined;
  let isOpen = true;

  function write(): void {
    cancelTimer?.();
    cancelTimer = undefined;
    if (text === '' || !isOpen) return;
    execution.record({ type: 'model.delta', actor: 'model', payload: { turn, attempt, text } });
    text = '';
  }

  return {
    async add(delta) {
      text += redactor.feed(delta);
      if (text.length >= MAX_BATCH_CHARS) {
        write();
        await execution.journal.commit();
      } else if (text !== '' && cancelTimer === undefined) {
        cancelTimer = deps.clock.after(deps.deltaBatchMs, () => {
          write();
          // A refusal is noticed by the journal itself and stops the run through its signal.
          execution.journal.commit().catch(() => {});
        });
      }
    },

    restart(next) {
      cancelTimer?.();
      cancelTimer = undefined;
      attempt = next;
      text = '';
      redactor = createStreamRedactor(deps.redactor);
    },

    async close() {
      text += redactor.flush();
      write();
      isOpen = false;
      await execution.journal.commitSoon();
    },

    discard() {
      cancelTimer?.();
      isOpen = false;
    },
  };
}
