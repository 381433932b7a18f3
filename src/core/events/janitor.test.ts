import { expect, test, vi } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { addRun, openTestLog } from '../../../test/support/test-log.ts';
import { systemClock } from '../clock.ts';
import type { RunId } from '../ids.ts';
import { silentLogger } from '../log.ts';
import type { Storage } from '../storage.ts';
import { createJanitor, type RetentionSettings } from './janitor.ts';

const DAY_MS = 86_400_000;
const OFF: RetentionSettings = {
  maxAgeMs: undefined,
  maxEventsPerRun: undefined,
  graceMs: 60_000,
  intervalMs: 600_000,
};

async function openRig() {
  const { storage, clock } = await openTestLog();
  const sweep = (settings: Partial<RetentionSettings>) =>
    createJanitor({
      retention: storage.retention,
      clock: systemClock,
      logger: silentLogger,
      settings: () => ({ ...OFF, ...settings }),
    }).sweep();
  return { storage, clock, sweep };
}

const floorsOf = ({ events }: Storage, runIds: readonly RunId[]) =>
  Promise.all(runIds.map((id) => events.floor(id)));

test('of runs that ended too long ago only the newest event stays', async () => {
  const { storage, clock, sweep } = await openRig();
  const old = await addRun(storage, 10);
  const unrecorded = await addRun(storage, 10, 'ended');
  const running = await addRun(storage, 10, 'open');
  clock.advance(7 * DAY_MS);
  const fresh = await addRun(storage, 10);

  const deleted = await sweep({ maxAgeMs: 7 * DAY_MS });

  expect(deleted).toBe(9);
  expect(await floorsOf(storage, [old, unrecorded, running, fresh])).toEqual([9, 0, 0, 0]);
});

test('of long runs the newest events stay', async () => {
  const { storage, clock, sweep } = await openRig();
  const long = await addRun(storage, 30);
  const short = await addRun(storage, 12);
  const running = await addRun(storage, 30, 'open');
  clock.advance(60_000);

  const deleted = await sweep({ maxEventsPerRun: 12 });

  expect(deleted).toBe(18);
  expect(await floorsOf(storage, [long, short, running])).toEqual([18, 0, 0]);
});

test('a run that has just ended keeps its events for readers on their way', async () => {
  const { storage, clock, sweep } = await openRig();
  const run = await addRun(storage, 30);
  clock.advance(59_999);

  const early = await sweep({ maxEventsPerRun: 1, maxAgeMs: 1 });
  clock.advance(1);
  const late = await sweep({ maxEventsPerRun: 1, maxAgeMs: 1 });

  expect([early, late]).toEqual([0, 29]);
  expect(await storage.events.floor(run)).toBe(29);
});

test('nothing is deleted unless somebody asked for it', async () => {
  const { storage, clock, sweep } = await openRig();
  const run = await addRun(storage, 10);
  clock.advance(10_000 * DAY_MS);

  expect(await sweep({})).toBe(0);
  expect(await storage.events.floor(run)).toBe(0);
});

test('one sweep goes through more runs than a page and more events than a batch', async () => {
  const { storage, clock, sweep } = await openRig();
  const long = await addRun(storage, 450);
  const many: RunId[] = [];
  for (let index = 0; index < 120; index += 1) many.push(await addRun(storage, 4));
  clock.advance(DAY_MS);

  const deleted = await sweep({ maxAgeMs: DAY_MS });

  expect(deleted).toBe(449 + 120 * 3);
  expect(await floorsOf(storage, [long, ...many])).toEqual([449, ...many.map(() => 3)]);
});

test('a janitor sweeps when its time has come, goes on after a fault, and stops', async () => {
  const { storage, clock } = await openRig();
  const run = await addRun(storage, 10);
  clock.advance(DAY_MS);
  const faults: string[] = [];
  let isBroken = true;
  const janitor = createJanitor({
    retention: {
      listPrunable: async (filter) => {
        if (isBroken) throw new Error('the disk is gone');
        return storage.retention.listPrunable(filter);
      },
      prune: (cuts) => storage.retention.prune(cuts),
    },
    clock,
    logger: { ...silentLogger, error: (_fields, message) => faults.push(message) },
    settings: () => ({ ...OFF, maxAgeMs: DAY_MS, intervalMs: 1_000 }),
  });

  janitor.start();
  clock.advance(1_000);
  await vi.waitFor(() => expect([faults.length, clock.pendingTimers]).toEqual([1, 1]));
  isBroken = false;
  clock.advance(1_000);
  await vi.waitFor(async () => expect(await storage.events.floor(run)).toBe(9));
  await janitor.stop();

  expect(faults).toEqual(['old events could not be deleted, trying again']);
  expect(clock.pendingTimers).toBe(0);
});

test('a sweep ends when deletion is turned off or changed meanwhile', async () => {
  const { storage, clock } = await openRig();
  const runs = [await addRun(storage, 450), await addRun(storage, 450)];
  clock.advance(DAY_MS);
  let settings: RetentionSettings = { ...OFF, maxAgeMs: DAY_MS };
  const sweepOnce = (changed: Partial<RetentionSettings>) =>
    createJanitor({
      retention: {
        listPrunable: (filter) => storage.retention.listPrunable(filter),
        prune: async (cuts) => {
          const deleted = await storage.retention.prune(cuts);
          settings = { ...settings, ...changed };
          return deleted;
        },
      },
      clock: systemClock,
      logger: silentLogger,
      settings: () => settings,
    }).sweep();

  const raised = await sweepOnce({ maxAgeMs: 2 * DAY_MS });
  settings = { ...settings, maxAgeMs: DAY_MS };
  const turnedOff = await sweepOnce({ maxAgeMs: undefined });

  expect([raised, turnedOff]).toEqual([200, 200]);
  expect(await floorsOf(storage, runs)).toEqual([400, 0]);
});

test('a shorter interval counts at once', async () => {
  const clock = new ManualClock();
  const settings = { ...OFF, maxAgeMs: DAY_MS, intervalMs: DAY_MS };
  let sweeps = 0;
  const listPrunable = async () => {
    sweeps += 1;
    return [];
  };
  const janitor = createJanitor({
    retention: { listPrunable, prune: async () => 0 },
    clock,
    logger: silentLogger,
    settings: () => settings,
  });
  janitor.start();
  clock.advance(10_000);
  await vi.waitFor(() => expect([sweeps, clock.pendingTimers]).toEqual([1, 1]));

  settings.intervalMs = 1_000;
  clock.advance(10_000);

  await vi.waitFor(() => expect([sweeps, clock.pendingTimers]).toEqual([2, 1]));
  await janitor.stop();
});
