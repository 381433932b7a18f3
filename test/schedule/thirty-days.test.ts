import { expect, test } from 'vitest';
import { createRandom } from './random.ts';
import { DAY_MS, MINUTE_MS, openScheduleRig, START_MS } from './schedule-rig.ts';
import { createSimulatedJobs, simulateDays } from './simulated-days.ts';
import { findFaults } from './slot-oracle.ts';

const JOBS = 200;
const DAYS = 30;

test('in 30 days of 200 jobs, with restarts, crashes and clock jumps, each slot is fired once or missed', {
  timeout: 120_000,
}, async () => {
  const rig = await openScheduleRig();
  const random = createRandom(20_260_215);
  const jobs = await createSimulatedJobs(rig, random, JOBS);

  const record = await simulateDays(rig, random, { jobs, untilMs: START_MS + DAYS * DAY_MS });

  const runIds = new Set<string>();
  const faults: string[] = [];
  let fired = 0;
  let missed = 0;
  for (const job of jobs) {
    const firings = await rig.firings(job.id);
    faults.push(...findFaults(job, firings, { graceMs: MINUTE_MS, record }));
    for (const firing of firings) {
      if (firing.outcome === 'missed') missed += firing.count;
      else {
        fired += 1;
        runIds.add(firing.runId);
      }
    }
  }
  const counts = await rig.storage.runs.countByStatus();
  expect(faults).toEqual([]);
  expect(runIds.size).toBe(fired);
  expect(counts).toEqual({
    queued: 0,
    running: 0,
    waiting: 0,
    cancelling: 0,
    completed: fired,
    failed: 0,
    cancelled: 0,
  });
  expect(await rig.storage.jobs.listUnsettled(1)).toEqual([]);
  // The simulation did what it is for.
  expect(fired).toBeGreaterThan(2_000);
  expect(missed).toBeGreaterThan(300_000);
  expect(record.restarts).toBeGreaterThan(20);
  expect(record.crashes).toBeGreaterThan(20);
  expect(record.jumps).toBeGreaterThan(20);
});
