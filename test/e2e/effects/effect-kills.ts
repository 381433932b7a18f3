import type { RunFaultPoint } from '../../../src/core/fault-point.ts';
import type { KillPlan } from '../torture/kill-plan.ts';
import type { Random } from '../torture/random.ts';

/** The highest count to die at: a life has few calls, and several commits for each. */
const POINTS = [
  ['tool.after_intent', 3],
  ['tool.after_effect', 3],
  ['store.before_commit', 16],
  ['store.after_commit', 16],
] as const satisfies readonly (readonly [RunFaultPoint, number])[];

/** Between intent, send and confirm: where every storm must have killed at least once. */
export const EFFECT_POINTS: readonly RunFaultPoint[] = POINTS.map(([point]) => point);

const POINT_LIMIT_MS = 600;
const MAX_STALL_MS = 40;
const MAX_SERVING_MS = 250;

/** One kill at each point in turn, then one at a moment that nobody chose, and so on. */
export function createEffectKills(random: Random): { next(): KillPlan } {
  let deck: KillPlan[] = [];

  function deal(): KillPlan[] {
    const atPoints = POINTS.map(([point, maxCount]): KillPlan => {
      // A commit that hangs before it dies shows an effect that did not wait for it.
      const stallMs = point === 'store.before_commit' ? random.between(0, MAX_STALL_MS) : 0;
      const count = random.between(1, maxCount);
      return { kind: 'point', point, count, stallMs, limitMs: POINT_LIMIT_MS };
    });
    const afterReadyMs = random.between(5, MAX_SERVING_MS);
    return random.shuffle([...atPoints, { kind: 'serving', afterReadyMs }]);
  }

  return {
    next() {
      if (deck.length === 0) deck = deal();
      return deck.pop() as KillPlan;
    },
  };
}
