import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { AgentId, JobId } from '../../../src/core/ids.ts';
import type { JobFilter } from '../../../src/core/schedule/job-store.ts';
import { MANY, type OpenStorage, openRig, type Rig } from '../harness.ts';
import { describeFirings } from './job-firings.suite.ts';
import { describeHistory } from './job-history.suite.ts';
import { describeNotices } from './job-notices.suite.ts';
import {
  createJob,
  fire,
  getJob,
  listAllFirings,
  MINUTE_MS,
  newJob,
  SLOT_MS,
  skipOf,
  slotOf,
} from './job-rig.ts';

const OTHER = 'agent_other' as AgentId;
const LONG_JOBS = 20;
const LONG_MESSAGE = 'x'.repeat(50_000);
const MOVES = 60;
const ODD = 'a\u0000b 🦀 \ud800 "c"';

/** Everything the JobStore port promises. */
export function describeJobs(engine: string, open: OpenStorage): void {
  describeJobRows(engine, open);
  describeDueJobs(engine, open);
  describeFirings(engine, open);
  describeHistory(engine, open);
  describeNotices(engine, open);
}

async function listPages({ storage }: Rig, filter: JobFilter): Promise<string[][]> {
  const pages: string[][] = [];
  let after: JobId | undefined;
  do {
    const page = await storage.jobs.list({ ...filter, ...(after && { after }) });
    pages.push(page.jobs.map(({ id }) => id));
    after = page.next;
  } while (after !== undefined);
  return pages;
}

function describeJobRows(engine: string, open: OpenStorage): void {
  describe(`JobStore on ${engine}`, () => {
    test('finds and lists nothing in an empty store', async () => {
      const { storage, clock } = await openRig(open);
      const { jobs } = storage;
      const id = 'job_none' as JobId;

      expect(await jobs.find(id)).toBeUndefined();
      expect(await jobs.find('a\u0000b' as JobId)).toBeUndefined();
      expect(await jobs.list({ limit: 10 })).toEqual({ jobs: [], next: undefined });
      expect(await jobs.update(id, { message: 'x' })).toBeUndefined();
      expect(await jobs.remove(id)).toBe(false);
      expect(await jobs.listFirings({ jobId: id, limit: 10 })).toEqual({
        firings: [],
        next: undefined,
      });
      expect(await jobs.listUnsettled(10)).toEqual([]);
      expect(await jobs.listLastFired([id, 'a\u0000b' as JobId])).toEqual([]);
      expect(await jobs.summarize()).toEqual({ isPaused: false, jobCount: 0, next: undefined });
      expect(await jobs.listDue(10)).toEqual({
        nowMs: clock.nowMs(),
        isPaused: false,
        jobs: [],
        nextSlotMs: undefined,
      });
    });

    test('keeps every field and any text over a reopen', async () => {
      const { storage, clock, reopen } = await openRig(open);
      const plain = newJob();
      const odd = newJob({
        schedule: ODD,
        message: ODD,
        mode: 'main_like',
        notify: { channel: 'session', target: ODD },
        isEnabled: false,
        timezone: ODD,
        catchUp: 'once',
        nextSlotMs: undefined,
      });

      const created = [
        await storage.jobs.create(plain, { maxJobs: MANY }),
        await storage.jobs.create(odd, { maxJobs: MANY }),
      ];

      const { jobs } = await reopen();
      const row = { revision: 1, createdAtMs: clock.nowMs(), updatedAtMs: clock.nowMs() };
      expect(created).toEqual([
        { outcome: 'created', job: { ...plain, ...row } },
        { outcome: 'created', job: { ...odd, ...row } },
      ]);
      expect(await jobs.find(plain.id)).toEqual({ ...plain, ...row });
      expect(await jobs.find(odd.id)).toEqual({ ...odd, ...row });
    });

    test('refuses an id that is taken, also when there is no room', async () => {
      const { storage } = await openRig(open);
      const job = await createJob(storage.jobs);

      const again = await storage.jobs.create(newJob({ id: job.id, message: 'other' }), {
        maxJobs: 1,
      });

      expect(again).toEqual({ outcome: 'exists' });
      expect(await storage.jobs.find(job.id)).toEqual(job);
    });

    test('holds no more jobs than it may, however many come at once', async () => {
      const { storage, openBeside } = await openRig(open);
      const beside = await openBeside();

      const results = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          (index % 2 === 0 ? storage : beside).jobs.create(newJob(), { maxJobs: 5 }),
        ),
      );

      expect(results.filter(({ outcome }) => outcome === 'created')).toHaveLength(5);
      expect(results.filter(({ outcome }) => outcome === 'full')).toHaveLength(7);
      expect((await storage.jobs.list({ limit: 20 })).jobs).toHaveLength(5);
    });

    test('holds no more jobs of one owner than it may, and leaves room for others', async () => {
      const { storage, openBeside } = await openRig(open);
      const beside = await openBeside();
      const create = (owner: string, { jobs } = storage) =>
        jobs.create(newJob({ owner }), { maxJobs: 10, maxOfOwner: 2 });
      await createJob(storage.jobs);

      const own = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          create('user:7', index % 2 === 0 ? storage : beside),
        ),
      );
      const other = await create('user:8');

      expect(own.filter(({ outcome }) => outcome === 'created')).toHaveLength(2);
      expect(own.filter(({ outcome }) => outcome === 'owner_full')).toHaveLength(4);
      expect(other.outcome).toBe('created');
    });

    test('changes what it is given, keeps the rest and counts the change', async () => {
      const { storage, clock } = await openRig(open);
      const job = await createJob(storage.jobs);
      clock.advance(1_000);

      const changed = await storage.jobs.update(job.id, { message: ODD, agentId: OTHER });
      const never = await storage.jobs.update(job.id, { isEnabled: false, nextSlotMs: undefined });

      const updatedAtMs = clock.nowMs();
      const first = { ...job, message: ODD, agentId: OTHER, revision: 2, updatedAtMs };
      const second = { ...first, isEnabled: false, nextSlotMs: undefined, revision: 3 };
      expect(changed).toEqual(first);
      expect(never).toEqual(second);
      expect(await storage.jobs.find(job.id)).toEqual(second);
    });

    test('refuses a change that was worked out for an older revision', async () => {
      const { storage } = await openRig(open);
      const job = await createJob(storage.jobs);
      const changed = await storage.jobs.update(job.id, { message: 'second' }, 1);

      expect(await storage.jobs.update(job.id, { message: 'third' }, 1)).toBeUndefined();

      expect(await storage.jobs.find(job.id)).toEqual(changed);
    });

    test('lets one of many changes win a revision', async () => {
      const { storage, openBeside } = await openRig(open);
      const beside = await openBeside();
      const { id } = await createJob(storage.jobs);

      const results = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          (index % 2 === 0 ? storage : beside).jobs.update(id, { message: `${index}` }, 1),
        ),
      );

      const won = results.filter((job) => job !== undefined);
      expect(won).toHaveLength(1);
      expect(await storage.jobs.find(id)).toEqual(won[0]);
    });

    test('lists by id, of one agent or of all, page by page', async () => {
      const rig = await openRig(open);
      for (const name of ['c', 'a', 'e', 'b', 'd', 'B']) {
        const agent = 'bd'.includes(name) ? { agentId: OTHER } : {};
        await createJob(rig.storage.jobs, { id: `job_${name}` as JobId, ...agent });
      }

      const all = ['job_B', 'job_a', 'job_b', 'job_c', 'job_d', 'job_e'];
      expect(await listPages(rig, { limit: 10 })).toEqual([all]);
      expect(await listPages(rig, { limit: 4 })).toEqual([all.slice(0, 4), all.slice(4)]);
      expect(await listPages(rig, { limit: 3 })).toEqual([all.slice(0, 3), all.slice(3)]);
      expect(await listPages(rig, { limit: 1, agentId: OTHER })).toEqual([['job_b'], ['job_d']]);
    });

    test('removes a job with its firings and leaves the runs it made', async () => {
      const { storage, runs } = await openRig(open);
      const job = await createJob(storage.jobs);
      const run = await fire(storage.jobs, slotOf(job));

      const removed = await storage.jobs.remove(job.id);

      expect(removed).toBe(true);
      expect(await storage.jobs.remove(job.id)).toBe(false);
      expect(await storage.jobs.find(job.id)).toBeUndefined();
      expect(await listAllFirings(storage.jobs, job.id)).toEqual([]);
      expect(await runs.find(run.id)).toEqual(run);
    });
  });
}

function describeDueJobs(engine: string, open: OpenStorage): void {
  describe(`JobStore.listDue on ${engine}`, () => {
    test('tells which slots have come, the most overdue first, and when the next one comes', async () => {
      const { storage, clock } = await openRig(open);
      const { jobs } = storage;
      const nowMs = clock.nowMs();
      const at = (name: string, offsetMs: number, isEnabled = true) =>
        createJob(jobs, { id: `job_${name}` as JobId, nextSlotMs: nowMs + offsetMs, isEnabled });
      const late = await at('late', -MINUTE_MS);
      const tie = await at('b', 0);
      const now = await at('a', 0);
      await at('soon', 1);
      await at('later', MINUTE_MS);
      await at('off', -1, false);
      await at('off_soon', 1, false);
      await createJob(jobs, { nextSlotMs: undefined });

      const due = await jobs.listDue(10);

      const expected = { nowMs, isPaused: false, nextSlotMs: nowMs + 1 };
      expect(due).toEqual({ ...expected, jobs: [late, now, tie] });
      expect(await jobs.listDue(2)).toEqual({ ...expected, jobs: [late, now] });
      clock.advance(1);
      expect((await jobs.listDue(10)).jobs.map(({ id }) => id)).toEqual([
        'job_late',
        'job_a',
        'job_b',
        'job_soon',
      ]);
    });

    test('looks at one moment: a job that moves meanwhile is due or comes next, never both', async () => {
      const { storage, openBeside, clock } = await openRig(open);
      const beside = await openBeside();
      const nowMs = clock.nowMs();
      // Long ones, so that reading those that are due takes a while.
      for (let index = 0; index < LONG_JOBS; index += 1) {
        await createJob(storage.jobs, { nextSlotMs: nowMs - MINUTE_MS, message: LONG_MESSAGE });
      }
      const { id } = await createJob(storage.jobs, { nextSlotMs: nowMs });
      let hasMoved = false;
      const move = async () => {
        for (let index = 0; index < MOVES; index += 1) {
          const nextSlotMs = index % 2 === 0 ? nowMs + MINUTE_MS : nowMs;
          await beside.jobs.update(id, { nextSlotMs });
        }
        hasMoved = true;
      };

      const moving = move();
      const wrong: string[] = [];
      while (!hasMoved) {
        const due = await storage.jobs.listDue(MANY);
        const isDue = due.jobs.some((job) => job.id === id);
        const isNext = due.nextSlotMs !== undefined;
        if (isDue === isNext) wrong.push(isDue ? 'both' : 'neither');
        // The other one gets a turn, however fast this one is.
        await setImmediate();
      }
      await moving;

      expect(wrong).toEqual([]);
    });

    test('goes on with the slot after the one that was fired or skipped', async () => {
      const { storage, clock } = await openRig(open);
      const { jobs } = storage;
      const nowMs = clock.nowMs();
      const fired = await createJob(jobs, { nextSlotMs: nowMs - 2 });
      const skipped = await createJob(jobs, { nextSlotMs: nowMs - 1 });

      await fire(jobs, slotOf(fired));
      await jobs.skip(skipOf(skipped));

      const nextSlotMs = nowMs - 2 + MINUTE_MS;
      expect(await jobs.listDue(10)).toEqual({ nowMs, isPaused: false, jobs: [], nextSlotMs });
      expect(await jobs.find(fired.id)).toEqual({ ...fired, nextSlotMs });
    });

    test('says that all firing is held back, for every process and over a reopen', async () => {
      const { storage, openBeside, reopen } = await openRig(open);
      const beside = await openBeside();
      const before = await beside.jobs.isPaused();

      await storage.jobs.setPaused(true);

      expect(before).toBe(false);
      expect(await beside.jobs.isPaused()).toBe(true);
      expect((await beside.jobs.listDue(1)).isPaused).toBe(true);
      const reopened = await reopen();
      expect(await reopened.jobs.isPaused()).toBe(true);
      await reopened.jobs.setPaused(false);
      expect(await storage.jobs.isPaused()).toBe(false);
    });

    test('tells how many jobs there are and which enabled one is due first', async () => {
      const { storage } = await openRig(open);
      const { jobs } = storage;
      await createJob(jobs, { isEnabled: false, nextSlotMs: SLOT_MS - MINUTE_MS });
      await createJob(jobs, { nextSlotMs: undefined });
      await createJob(jobs, { nextSlotMs: SLOT_MS + MINUTE_MS });
      const first = await createJob(jobs, { id: 'job_a' as JobId });
      await createJob(jobs, { id: 'job_b' as JobId });
      await jobs.setPaused(true);

      const summary = await jobs.summarize();

      expect(summary).toEqual({
        isPaused: true,
        jobCount: 5,
        next: { jobId: first.id, slotMs: SLOT_MS },
      });
    });

    test('keeps the next slot of a job that is disabled', async () => {
      const { storage } = await openRig(open);
      const job = await createJob(storage.jobs);

      await storage.jobs.update(job.id, { isEnabled: false });

      expect((await storage.jobs.listDue(10)).jobs).toEqual([]);
      expect((await getJob(storage.jobs, job.id)).nextSlotMs).toBe(SLOT_MS);
    });
  });
}
