import { toRuntimeError } from '../errors.ts';
import type { Seal } from '../events/seal.ts';
import { isLeftOpen } from '../loop/execution.ts';
import type { Journal } from '../runs/journal.ts';
import { takeTurn } from '../take-turn.ts';
import type { Tape } from './tape.ts';

/** Writes nothing: what the loop notes is held against what is on record. */
export function createRecordedJournal(tape: Tape, seal: Seal, signal: AbortSignal): Journal {
  async function commit(): Promise<void> {
    // Everything answers at once here: without a turn of the loop nothing else would be served meanwhile.
    await takeTurn();
    if (isLeftOpen(signal)) throw signal.reason;
  }

  return {
    note(draft) {
      const sealed = seal(draft);
      // Streamed text is the model's answer; into how many pieces it fell was a matter of time.
      if (draft.type !== 'model.delta') tape.compare(sealed);
      return sealed;
    },
    noteEffect: () => {},
    commit,
    commitSoon: commit,
    barrier: commit,
    async finish(terminal) {
      tape.compare(seal(terminal));
      await commit();
      return 'finished';
    },
    async park(asked) {
      tape.compare(seal(asked));
    },
    async rest() {
      return signal.aborted && toRuntimeError(signal.reason).code === 'cancelled'
        ? 'cancelling'
        : 'rested';
    },
  };
}
