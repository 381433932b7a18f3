import { expect, test } from 'vitest';
import type { JobId, RunId } from '../../src/core/ids.ts';
import type { Firing, MissReason } from '../../src/core/schedule/job.ts';
import type { Simulation } from './simulated-days.ts';
import { findFaults } from './slot-oracle.ts';

const JOB = {
  id: 'job_a',
  anchorMs: 0,
  everyMs: 100,
  atMs: undefined,
  catchUp: 'none',
} as const;

const SIMULATION: Simulation = {
  completedMs: [105, 203, 405],
  openRuns: new Set(['job_a@203']),
  restarts: 0,
  crashes: 0,
  jumps: 0,
};

const jobId = 'job_a' as JobId;

const fired = (slotMs: number, atMs: number): Firing => ({
  outcome: 'fired',
  jobId,
  slotMs,
  atMs,
  runId: 'run_a' as RunId,
  runStatus: 'completed',
});

const missed = (firstSlotMs: number, lastSlotMs: number, atMs: number): Firing => ({
  outcome: 'missed',
  jobId,
  reason: (atMs === 203 ? 'overlap' : 'late') satisfies MissReason,
  firstSlotMs,
  lastSlotMs,
  count: (lastSlotMs - firstSlotMs) / 100 + 1,
  atMs,
});

const SOUND = [fired(100, 105), missed(200, 200, 203), missed(300, 300, 405), fired(400, 405)];

const judge = (firings: readonly Firing[]) =>
  findFaults(JOB, firings, { graceMs: 10, record: SIMULATION });

test('finds nothing wrong with a sound history', () => {
  expect(judge(SOUND)).toEqual([]);
});

test.each<[string, readonly Firing[]]>([
  ['leaves a gap or repeats a slot', [fired(100, 105), ...SOUND]],
  ['leaves a gap or repeats a slot', SOUND.toSpliced(1, 1)],
  ['3 slots are settled of 4', SOUND.slice(0, 3)],
  ['is early', [fired(100, 99), ...SOUND.slice(1)]],
  ['was left over by the tick at 105', [fired(100, 203), ...SOUND.slice(1)]],
  ['was not the newest slot', SOUND.with(2, fired(300, 405))],
  ['was too late', SOUND.with(0, fired(100, 111))],
  ['overlaps an open run', SOUND.with(1, fired(200, 203))],
  ['could have been fired', SOUND.with(3, missed(400, 400, 405))],
])('notices a history that %s', (fault, firings) => {
  expect(judge(firings).join('\n')).toContain(fault);
});
