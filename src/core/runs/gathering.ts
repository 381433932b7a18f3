import type { Clock } from '../clock.ts';
import { takeTurn } from '../take-turn.ts';

/** How long what is to be sent may gather. Whatever comes first sends all of it. */
export interface Gathering {
  /** What answers without waiting for anything, as a scripted model or a clock, is still heard in this turn. */
  untilTurnEnds(): void;
  forAMoment(): void;
  stop(): void;
}

/**
 * How long what nobody waits for may gather. A person who watches sees no difference, and a turn whose model and tools
 * answer at once crosses to the store as a whole.
 */
const MOMENT_MS = 10;

export function createGathering(clock: Pick<Clock, 'after'>, send: () => void): Gathering {
  let cancelTimer: (() => void) | undefined;
  /** The wait for the end of a turn; another, or none, when it no longer counts. */
  let turn: symbol | undefined;

  async function sendAfterTurn(): Promise<void> {
    const mine = Symbol('turn');
    turn = mine;
    await takeTurn();
    if (turn === mine) send();
  }

  return {
    untilTurnEnds() {
      if (!turn) void sendAfterTurn();
    },
    forAMoment() {
      cancelTimer ??= clock.after(MOMENT_MS, send);
    },
    stop() {
      cancelTimer?.();
      cancelTimer = undefined;
      turn = undefined;
    },
  };
}
