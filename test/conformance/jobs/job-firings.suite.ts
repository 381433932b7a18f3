import { describe, expect, test } from 'vitest';
import {
  cancelDrafts,
  claimOnly,
  createRun,
  draft,
  finishRun,
  LEASE_MS,
  type OpenStorage,
  openRig,
  readAll,
  typesOf,
} from '../harness.ts';
import { newSession, newSessionId, saying, sayNew, transcript } from '../sessions/session-rig.ts';
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

export function describeFirings(engine: string, open: OpenStorage): void {
  describeFire(engine, open);
  describeRefusedSlots(engine, open);
}

function describeFire(engine: string, open: OpenStorage): void {
  describe(`JobStore.fire on ${engine}`, () => {
    test('creates the run, moves the job on and remembers the slot', async () => {
      const { storage, runs, events, clock } = await openRig(open);
      const { jobs } = storage;
      const job = await createJob(jobs);
      const slot = slotOf(job);

      const result = await jobs.fire(slot);

      const run = await runs.find(slot.run.id);
      expect(run).toMatchObject({ status: 'queued', source: 'scheduler', message: job.message });
      expect(result).toEqual({ outcome: 'fired', run, lease: undefined });
      expect(typesOf(await readAll(events, slot.run.id))).toEqual(['run.created']);
      expect(await jobs.find(job.id)).toEqual({ ...job, nextSlotMs: SLOT_MS + MINUTE_MS });
      expect(await listAllFirings(jobs, job.id)).toEqual([
        {
          outcome: 'fired',
          jobId: job.id,
          slotMs: SLOT_MS,
          atMs: clock.nowMs(),
          runId: slot.run.id,
          runStatus: 'queued',
        },
      ]);
    });

    test('hands the run over claimed when it is given a lease', async () => {
      const { storage, clock } = await openRig(open);
      const job = await createJob(storage.jobs);
      const lease = { owner: 'runner-a', leaseMs: LEASE_MS, started: draft('run.started') };

      const result = await storage.jobs.fire(slotOf(job, { options: { maxQueued: 0, lease } }));
      const roomy = await storage.jobs.fire(slotOf(job, { options: { maxQueued: 1, lease } }));

      expect(result).toEqual({ outcome: 'queue_full' });
      if (roomy.outcome !== 'fired') throw new Error(`expected a run, got ${roomy.outcome}`);
      expect(roomy.run.status).toBe('running');
      expect(roomy.lease).toEqual({
        id: expect.any(String),
        runId: roomy.run.id,
        expiresAtMs: clock.nowMs() + LEASE_MS,
      });
    });

    test('fires a slot once among many who try at the same moment', async () => {
      const { storage, runs, openBeside } = await openRig(open);
      const beside = await openBeside();
      const job = await createJob(storage.jobs);

      const results = await race([storage.jobs, beside.jobs], (jobs) => jobs.fire(slotOf(job)));

      expect(results.filter(({ outcome }) => outcome === 'fired')).toHaveLength(1);
      expect(results.filter(({ outcome }) => outcome === 'taken')).toHaveLength(7);
      expect((await runs.list({ limit: 10 })).runs).toHaveLength(1);
      expect(await listAllFirings(storage.jobs, job.id)).toHaveLength(1);
    });

    test('wakes the runners', async () => {
      const { storage } = await openRig(open, { isNew: true });
      const job = await createJob(storage.jobs);
      const queue = storage.wakeups.subscribe('queue');

      const woken = queue.next({ signal: AbortSignal.timeout(4_000) });
      await fire(storage.jobs, slotOf(job));

      expect(await woken).toBe(true);
      queue.close();
    });

    test('records the slots that were missed before it', async () => {
      const { storage, clock } = await openRig(open);
      const { jobs } = storage;
      const job = await createJob(jobs);
      const slotMs = SLOT_MS + 5 * MINUTE_MS;
      const slot = slotOf(job, { missed: MISSED, slotMs, nextSlotMs: slotMs + MINUTE_MS });

      await fire(jobs, slot);

      const common = { jobId: job.id, atMs: clock.nowMs() };
      expect(await listAllFirings(jobs, job.id)).toEqual([
        { outcome: 'fired', ...common, slotMs, runId: slot.run.id, runStatus: 'queued' },
        { outcome: 'missed', ...common, ...MISSED },
      ]);
      expect((await getJob(jobs, job.id)).nextSlotMs).toBe(slotMs + MINUTE_MS);
    });

    test('disables a job that is never due again', async () => {
      const { storage } = await openRig(open);
      const job = await createJob(storage.jobs);

      await fire(storage.jobs, slotOf(job, { nextSlotMs: undefined }));

      const ended = { ...job, isEnabled: false, nextSlotMs: undefined };
      expect(await storage.jobs.find(job.id)).toEqual(ended);
      expect((await storage.jobs.listDue(10)).jobs).toEqual([]);
    });

    test('goes on in a session, behind what is open there', async () => {
      const { storage } = await openRig(open);
      const session = await newSession(storage);
      await sayNew(storage, session, 'hello');
      const job = await createJob(storage.jobs);
      const slot = slotOf(job);
      const lease = { owner: 'runner-a', leaseMs: LEASE_MS, started: draft('run.started') };

      const result = await storage.jobs.fire({
        ...slot,
        run: { ...slot.run, sessionId: session.id },
        drafts: [saying('run.created', 'user', 'look around')],
        options: { ...slot.options, lease },
      });

      expect(result).toMatchObject({ outcome: 'fired', lease: undefined, run: { exchange: 2 } });
      expect(await transcript(storage, session.id)).toEqual(['user hello', 'user look around']);
    });

    test('throws for a session that is missing or closed, and leaves the slot alone', async () => {
      const { storage, runs } = await openRig(open);
      const { jobs, sessions } = storage;
      const session = await newSession(storage);
      await sessions.close(session.id);
      const job = await createJob(jobs);
      const slot = slotOf(job);

      const missing = { ...slot.run, sessionId: newSessionId() };
      const closed = { ...slot.run, sessionId: session.id };
      await expect(jobs.fire({ ...slot, run: missing })).rejects.toMatchObject({
        code: 'not_found',
      });
      await expect(jobs.fire({ ...slot, run: closed })).rejects.toMatchObject({ code: 'conflict' });

      expect(await jobs.find(job.id)).toEqual(job);
      expect(await listAllFirings(jobs, job.id)).toEqual([]);
      expect((await runs.list({ limit: 10 })).runs).toEqual([]);
    });
  });
}

function describeRefusedSlots(engine: string, open: OpenStorage): void {
  describe(`JobStore refuses slots on ${engine}`, () => {
    async function openJob() {
      const rig = await openRig(open);
      const { jobs } = rig.storage;
      return { ...rig, jobs, job: await createJob(jobs) };
    }

    test('of a job that was changed since', async () => {
      const { jobs, job, runs } = await openJob();
      const changed = await jobs.update(job.id, { message: 'other' });

      expect(await jobs.fire(slotOf(job))).toEqual({ outcome: 'taken' });
      expect(await jobs.skip(skipOf(job))).toBe(false);

      expect(await jobs.find(job.id)).toEqual(changed);
      expect(await listAllFirings(jobs, job.id)).toEqual([]);
      expect((await runs.list({ limit: 1 })).runs).toEqual([]);
    });

    test('of a job that was removed, disabled or paused, and of one that never was', async () => {
      const { jobs, job } = await openJob();
      const disabled = await createJob(jobs, { isEnabled: false });
      await jobs.setPaused(true);
      const paused = await jobs.fire(slotOf(job));
      await jobs.setPaused(false);
      await jobs.remove(job.id);

      expect(paused).toEqual({ outcome: 'taken' });
      expect(await jobs.fire(slotOf(disabled))).toEqual({ outcome: 'taken' });
      expect(await jobs.fire(slotOf(job))).toEqual({ outcome: 'taken' });
      expect(await jobs.skip(skipOf(job))).toBe(false);
    });

    test('while the run of an earlier slot goes on, also when it waits in the queue', async () => {
      const { jobs, job, runs } = await openJob();
      const first = await fire(jobs, slotOf(job));
      const next = await getJob(jobs, job.id);

      const queued = await jobs.fire(slotOf(next));
      const { lease } = await claimOnly(runs, first.id);
      const running = await jobs.fire(slotOf(next));
      await finishRun(runs, lease);
      const ended = await jobs.fire(slotOf(next));

      const overlap = { outcome: 'overlap', runId: first.id };
      expect([queued, running, ended.outcome]).toEqual([overlap, overlap, 'fired']);
    });

    test('while as many runs of jobs are open as may be, those of removed jobs included', async () => {
      const { jobs, job, runs } = await openJob();
      const other = await createJob(jobs);
      const third = await createJob(jobs);
      await createRun(runs);
      const first = await fire(jobs, slotOf(job, { maxOpenRuns: 1 }));
      await jobs.remove(job.id);

      const full = await jobs.fire(slotOf(other, { maxOpenRuns: 1 }));
      const roomy = await jobs.fire(slotOf(other, { maxOpenRuns: 2 }));
      await runs.requestCancel(first.id, cancelDrafts());
      const freed = await jobs.fire(slotOf(third, { maxOpenRuns: 2 }));

      expect(full).toEqual({ outcome: 'capacity' });
      expect([roomy.outcome, freed.outcome]).toEqual(['fired', 'fired']);
    });

    test('beyond what may be open, whoever fires them at the same moment', async () => {
      const { jobs, job, openBeside } = await openJob();
      const beside = await openBeside();
      const due = [job];
      for (let count = 1; count < 8; count += 1) due.push(await createJob(jobs));

      const results = await Promise.all(
        due.map((each, index) =>
          (index % 2 === 0 ? jobs : beside.jobs).fire(slotOf(each, { maxOpenRuns: 3 })),
        ),
      );

      const outcomes = results.map(({ outcome }) => outcome).sort();
      expect(outcomes).toEqual([
        ...Array.from({ length: 5 }, () => 'capacity'),
        ...Array.from({ length: 3 }, () => 'fired'),
      ]);
    });

    test('when the queue is full', async () => {
      const { jobs, job, runs } = await openJob();
      await createRun(runs);

      const result = await jobs.fire(slotOf(job, { options: { maxQueued: 1 }, missed: MISSED }));

      expect(result).toEqual({ outcome: 'queue_full' });
      expect(await jobs.find(job.id)).toEqual(job);
      expect(await listAllFirings(jobs, job.id)).toEqual([]);
    });

    test('when their session is full', async () => {
      const { jobs, job, runs, storage } = await openJob();
      const session = await newSession(storage);
      await sayNew(storage, session, 'one');
      const options = { maxQueued: 10, maxWaitingInSession: 1 };
      const { run } = slotOf(job);

      const slot = slotOf(job, { run: { ...run, sessionId: session.id }, options });
      const result = await jobs.fire({ ...slot, missed: MISSED });

      expect(result).toEqual({ outcome: 'session_full' });
      expect(await jobs.find(job.id)).toEqual(job);
      expect(await listAllFirings(jobs, job.id)).toEqual([]);
      expect((await runs.list({ limit: 9 })).runs).toHaveLength(1);
      expect(await transcript(storage, session.id)).toEqual(['user one']);
    });
  });
}
