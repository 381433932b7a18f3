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

/** What a batch needs of the run it belongs to. */
interface DeltaLog extends Pick<Execution, 'record'> {
  readonly journal: Pick<Execution['journal'], 'commit' | 'commitSoon'>;
}

const MAX_BATCH_CHARS = 2_000;

/**
 * The first words of an answer, and those after a silence, wait only for what comes in the same breath: somebody looks at an
 * empty line. A model that answers at once has ended by then, and its words go with its end.
 */
const LEAD_MS = 1;

export function createDeltaBatch(
  deps: { readonly clock: Clock; readonly redactor: Redactor; readonly deltaBatchMs: number },
  execution: DeltaLog,
  turn: number,
): DeltaBatch {
  let attempt = 1;
  /** As the model said it: redacted when it is written, at once and not word by word. */
  let said = '';
  let writtenAtMs = Number.NEGATIVE_INFINITY;
  let redactor = createStreamRedactor(deps.redactor);
  let cancelTimer: (() => void) | undefined;
  let isOpen = true;

  function stopTimer(): void {
    cancelTimer?.();
    cancelTimer = undefined;
  }

  function write({ isLast = false } = {}): void {
    stopTimer();
    if (!isOpen) return;
    const text = redactor.feed(said) + (isLast ? redactor.flush() : '');
    said = '';
    if (text === '') return;
    writtenAtMs = deps.clock.nowMs();
    execution.record({ type: 'model.delta', actor: 'model', payload: { turn, attempt, text } });
  }

  function delayMs(): number {
    const isSilent = deps.clock.nowMs() - writtenAtMs >= deps.deltaBatchMs;
    return isSilent ? Math.min(LEAD_MS, deps.deltaBatchMs) : deps.deltaBatchMs;
  }

  return {
    async add(delta) {
      said += delta;
      if (said.length >= MAX_BATCH_CHARS) {
        write();
        await execution.journal.commit();
      } else if (said !== '' && cancelTimer === undefined) {
        cancelTimer = deps.clock.after(delayMs(), () => {
          write();
          // A refusal is noticed by the journal itself and stops the run through its signal.
          execution.journal.commit().catch(() => {});
        });
      }
    },

    restart(next) {
      stopTimer();
      attempt = next;
      said = '';
      redactor = createStreamRedactor(deps.redactor);
    },

    async close() {
      write({ isLast: true });
      isOpen = false;
      await execution.journal.commitSoon();
    },

    discard() {
      stopTimer();
      isOpen = false;
    },
  };
}
