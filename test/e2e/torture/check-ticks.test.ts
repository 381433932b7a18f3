import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { AgentId, JobId } from '../../../src/core/ids.ts';
import { silentLogger } from '../../../src/core/log.ts';
import type { FireSlot } from '../../../src/core/schedule/job-store.ts';
import type { Storage } from '../../../src/core/storage.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/open-sqlite-storage.ts';
import { COMPLETED, claimOnly, draft, finishRun, newRun } from '../../conformance/harness.ts';
import { createJob, getJob, slotOf } from '../../conformance/jobs/job-rig.ts';
import { openTempRoot } from '../../support/temp-root.ts';
import type { StoredRun } from './check-run.ts';
import { checkTicks } from './check-ticks.ts';
import { TICK_AGENT_ID, TICK_JOB_ID, TICK_MS } from './tick-job.ts';
import { TICK_ANSWER } from './workload-script.ts';

const ANCHOR_MS = 1_700_000_000_000;
const slotAt = (count: number) => ANCHOR_MS + count * TICK_MS;

async function openTicks(): Promise<Storage> {
  const root = await openTempRoot();
  const file = join(root.path, 'pincer.db');
  const storage = await openSqliteStorage({ file, writer: 'inline', logger: silentLogger });
  onTestFinished(async () => {
    await storage.close();
    await root.remove();
  });
  await createJob(storage.jobs, {
    id: TICK_JOB_ID as JobId,
    schedule: '@every 1s',
    anchorMs: ANCHOR_MS,
    nextSlotMs: slotAt(1),
  });
  return storage;
}

interface Tick extends Partial<FireSlot> {
  /** What its first event says. */
  readonly saysMs?: number;
}

/** Fires a slot and ends its run as a server would. */
async function tick({ jobs, runs, events }: Storage, change: Tick = {}): Promise<StoredRun> {
  const { saysMs, ...overrides } = change;
  const job = await getJob(jobs, TICK_JOB_ID as JobId);
  const slot = slotOf(job, { nextSlotMs: (job.nextSlotMs ?? 0) + TICK_MS, ...overrides });
  const run = newRun({ agentId: TICK_AGENT_ID as AgentId });
  const payload = { slot: new Date(saysMs ?? slot.slotMs).toISOString() };
  await jobs.fire({ ...slot, run, drafts: [draft('run.created', payload)] });
  const { lease } = await claimOnly(runs, run.id);
  await finishRun(runs, lease, { ...COMPLETED, output: TICK_ANSWER });
  const ended = await runs.find(run.id);
  if (!ended) throw new Error(`run ${run.id} is gone`);
  return { run: ended, events: await events.read(run.id, { after: 0, limit: 10 }) };
}

test('finds nothing wrong with slots that each were fired or missed', async () => {
  const storage = await openTicks();
  const missed = {
    reason: 'late',
    firstSlotMs: slotAt(2),
    lastSlotMs: slotAt(3),
    count: 2,
  } as const;
  const first = await tick(storage);
  const second = await tick(storage, { missed, slotMs: slotAt(4), nextSlotMs: slotAt(5) });

  const report = await checkTicks(storage, [first, second]);

  expect(report).toEqual({ violations: [], fired: 2, missed: 2 });
});

test('finds a slot that nobody accounts for', async () => {
  const storage = await openTicks();
  const first = await tick(storage, { nextSlotMs: slotAt(3) });
  const second = await tick(storage);

  const { violations } = await checkTicks(storage, [first, second]);

  expect(violations).toEqual([
    `job_tick fired ${slotAt(3)}..${slotAt(3)} comes where slot ${slotAt(2)} should`,
  ]);
});

test('finds a slot that was fired twice', async () => {
  const storage = await openTicks();
  const first = await tick(storage);
  const second = await tick(storage, { slotMs: slotAt(1) });

  const { violations } = await checkTicks(storage, [first, second]);

  expect(violations).toContain(
    `job_tick fired ${slotAt(1)}..${slotAt(1)} comes where slot ${slotAt(2)} should`,
  );
});

test('finds runs without a slot, of another slot, and slots without a run', async () => {
  const storage = await openTicks();
  const first = await tick(storage, { saysMs: slotAt(9) });
  const second = await tick(storage);
  const stray = { ...second, run: { ...second.run, id: newRun().id } };

  const { violations } = await checkTicks(storage, [first, stray]);

  const said = (count: number) => new Date(slotAt(count)).toISOString();
  expect(violations).toEqual([
    `${first.run.id}: made for slot ${said(9)}, fired at ${slotAt(1)}`,
    `${stray.run.id}: made for slot ${said(2)}, which is not its`,
    `slot ${slotAt(2)} lacks its run ${second.run.id}`,
  ]);
});
