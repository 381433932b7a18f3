import { describe, expect, test } from 'vitest';
import type { JobId } from '../../../src/core/ids.ts';
import type { Firing } from '../../../src/core/schedule/job.ts';
import type { JobStore } from '../../../src/core/schedule/job-store.ts';
import { cancelDrafts, type OpenStorage, openRig } from '../harness.ts';
import {
  createJob,
  fire,
  getJob,
  listAllFirings,
  MINUTE_MS,
  MISSED,
  race,
  SLOT_MS,
  skipOf,
  slotOf,
} from './job-rig.ts';

export function describeHistory(engine: string, open: OpenStorage): void {
  describe(`JobStore history on ${engine}`, () => {
    test('records skipped slots once among many who try', async () => {
      const { storage, clock, openBeside } = await openRig(open);
      const beside = await openBeside();
      const job = await createJob(storage.jobs);
      const nextSlotMs = MISSED.lastSlotMs + MINUTE_MS;
      const skipped = skipOf(job, { missed: { ...MISSED, reason: 'overlap' }, nextSlotMs });

      const results = await race([storage.jobs, beside.jobs], (jobs) => jobs.skip(skipped));

      expect(results.filter((isFirst) => isFirst)).toHaveLength(1);
      expect(await storage.jobs.find(job.id)).toEqual({ ...job, nextSlotMs });
      expect(await listAllFirings(storage.jobs, job.id)).toEqual([
        { outcome: 'missed', jobId: job.id, atMs: clock.nowMs(), ...MISSED, reason: 'overlap' },
      ]);
    });

    test('disables a job whose last slot is skipped', async () => {
      const { storage } = await openRig(open);
      const job = await createJob(storage.jobs);

      await storage.jobs.skip(skipOf(job, { nextSlotMs: undefined }));

      const ended = { ...job, isEnabled: false, nextSlotMs: undefined };
      expect(await storage.jobs.find(job.id)).toEqual(ended);
    });

    test('skips slots of a disabled job, which stays disabled', async () => {
      const { storage } = await openRig(open);
      const job = await createJob(storage.jobs, { isEnabled: false });

      expect(await storage.jobs.skip(skipOf(job))).toBe(true);

      const nextSlotMs = SLOT_MS + MINUTE_MS;
      expect(await storage.jobs.find(job.id)).toEqual({ ...job, nextSlotMs });
    });

    async function skipTimes(jobs: JobStore, id: JobId, times: number, keepFirings?: number) {
      for (let count = 0; count < times; count += 1) {
        const job = await getJob(jobs, id);
        await jobs.skip({ ...skipOf(job), ...(keepFirings === undefined ? {} : { keepFirings }) });
      }
    }

    const slotIndex = (firing: Firing) =>
      ((firing.outcome === 'fired' ? firing.slotMs : firing.firstSlotMs) - SLOT_MS) / MINUTE_MS;

    test('lists what became of the slots of one job, newest first, page by page', async () => {
      const { storage, runs } = await openRig(open);
      const { jobs } = storage;
      const { id } = await createJob(jobs);
      const other = await createJob(jobs);
      await skipTimes(jobs, id, 2);
      await fire(jobs, slotOf(other));
      const run = await fire(jobs, slotOf(await getJob(jobs, id)));
      await runs.requestCancel(run.id, cancelDrafts());
      await skipTimes(jobs, id, 2);

      const pages: number[][] = [];
      let before: number | undefined;
      do {
        const filter = { jobId: id, limit: 2, ...(before === undefined ? {} : { before }) };
        const page = await jobs.listFirings(filter);
        pages.push(page.firings.map(slotIndex));
        before = page.next;
      } while (before !== undefined);

      expect(pages).toEqual([[4, 3], [2, 1], [0]]);
      expect((await listAllFirings(jobs, id))[2]).toMatchObject({ runStatus: 'cancelled' });
    });

    test('finds the last fired slot of each job, however much was missed since', async () => {
      const { storage, runs, clock } = await openRig(open);
      const { jobs } = storage;
      const { id } = await createJob(jobs);
      const other = await createJob(jobs);
      const idle = await createJob(jobs);
      const earlier = await fire(jobs, slotOf(await getJob(jobs, id)));
      await runs.requestCancel(earlier.id, cancelDrafts());
      const later = await fire(jobs, slotOf(await getJob(jobs, id)));
      await skipTimes(jobs, id, 30);
      const ofOther = await fire(jobs, slotOf(other));

      const last = await jobs.listLastFired([other.id, id, idle.id]);

      const common = { outcome: 'fired', atMs: clock.nowMs(), runStatus: 'queued' };
      expect(new Set(last)).toEqual(
        new Set([
          { ...common, jobId: other.id, slotMs: SLOT_MS, runId: ofOther.id },
          { ...common, jobId: id, slotMs: SLOT_MS + MINUTE_MS, runId: later.id },
        ]),
      );
    });

    test('forgets the oldest beyond what is kept, but none whose outcome is untold', async () => {
      const { storage } = await openRig(open);
      const { jobs } = storage;
      const { id } = await createJob(jobs);
      await skipTimes(jobs, id, 1);
      const slot = slotOf(await getJob(jobs, id));
      const run = await fire(jobs, slot);

      await skipTimes(jobs, id, 5, 3);
      const untold = (await listAllFirings(jobs, id)).map(slotIndex);
      await jobs.settle({ jobId: id, slotMs: slot.slotMs, runId: run.id }, undefined);
      await skipTimes(jobs, id, 1, 3);
      const told = (await listAllFirings(jobs, id)).map(slotIndex);

      expect(untold).toEqual([6, 5, 4, 1]);
      expect(told).toEqual([7, 6, 5]);
    });

    test('keeps two hundred when nobody says how many', { timeout: 60_000 }, async () => {
      const { storage } = await openRig(open);
      const { id } = await createJob(storage.jobs);

      await skipTimes(storage.jobs, id, 203);

      const kept = (await listAllFirings(storage.jobs, id)).map(slotIndex);
      expect(kept).toEqual(Array.from({ length: 200 }, (_, index) => 202 - index));
    });
  });
}
