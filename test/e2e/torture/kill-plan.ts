import { FAULT_POINTS, type RunFaultPoint } from '../../../src/core/fault-point.ts';
import type { Random } from './random.ts';

/** How one life of the server is going to end. */
export type KillPlan =
  /** At a moment that nobody chose, while it serves. */
  | { readonly kind: 'serving'; readonly afterReadyMs: number }
  /** While it still starts. */
  | { readonly kind: 'starting'; readonly afterSpawnMs: number }
  /** By its own hand, at a named point; from outside when the point is not reached in time. */
  | {
      readonly kind: 'point';
      readonly point: RunFaultPoint;
      readonly count: number;
      /** How long its thread hangs at the point before it dies. */
      readonly stallMs: number;
      readonly limitMs: number;
    };

/** Leases are renewed after a third of this. */
export const LEASE_MS = 1_500;

const POINT_LIMIT_MS = 400;
/** Points that lie behind a timer, or are reached by few runs. */
const LATE_POINTS: readonly RunFaultPoint[] = [
  'lease.before_renew',
  'cancel.before_record',
  'record.before_mark',
  'record.before_bundle',
  'schedule.before_fire',
  'schedule.after_fire',
];
const LATE_POINT_LIMIT_MS = 1_500;
/** What lies behind all that earlier lives left undone takes longer on a busy machine. */
const MAX_LIMIT_MS = 15_000;
/** A commit that hangs before it dies, as on a slow disk: an effect or an answer that does not wait for it shows. */
const STALLING_POINTS: readonly RunFaultPoint[] = ['store.before_commit'];
const MAX_STALL_MS = 60;
/** This point comes up more often than its turn: it is where acknowledged and durable part ways. */
const COMMIT_CHANCE = 0.1;

/** The highest count to die at: how often a point is reached within a short life, more or less. */
const MAX_COUNT: Record<RunFaultPoint, number> = {
  'submit.before_create': 3,
  'submit.after_create': 3,
  'store.before_commit': 30,
  'store.after_commit': 30,
  'run.dispatch': 8,
  'model.before_call': 12,
  'model.mid_stream': 30,
  'model.after_call': 12,
  'tool.after_intent': 10,
  'tool.after_effect': 10,
  'run.before_finish': 3,
  'run.after_finish': 3,
  'lease.before_renew': 1,
  'cancel.before_record': 1,
  'record.before_mark': 1,
  'record.before_bundle': 2,
  'schedule.before_fire': 1,
  'schedule.after_fire': 1,
};

export interface KillPlans {
  /** Half of the lives end at named points, each in turn; most others while serving, some while starting. */
  next(): KillPlan;
  /** At the first time that this point is reached; given more time after each miss. */
  at(point: RunFaultPoint, misses: number): KillPlan;
}

export function createKillPlans(random: Random): KillPlans {
  let deck: RunFaultPoint[] = [];

  function next(): KillPlan {
    if (random.chance(0.5)) {
      if (deck.length === 0) deck = random.shuffle(FAULT_POINTS);
      const isCommit = random.chance(COMMIT_CHANCE);
      const point = (isCommit ? undefined : deck.pop()) ?? 'store.before_commit';
      const limitMs = LATE_POINTS.includes(point) ? LATE_POINT_LIMIT_MS : POINT_LIMIT_MS;
      const count = random.between(1, MAX_COUNT[point]);
      const stallMs = STALLING_POINTS.includes(point) ? random.between(0, MAX_STALL_MS) : 0;
      return { kind: 'point', point, count, stallMs, limitMs };
    }
    if (random.chance(0.3)) return { kind: 'starting', afterSpawnMs: random.between(30, 500) };
    return { kind: 'serving', afterReadyMs: random.between(5, 150) };
  }

  return {
    next,
    at: (point, misses) => {
      const limitMs = Math.min(MAX_LIMIT_MS, LATE_POINT_LIMIT_MS * (1 + misses));
      return { kind: 'point', point, count: 1, stallMs: 0, limitMs };
    },
  };
}
