import { describe, expect, test } from 'vitest';
import type { CreateOptions } from '../../../src/core/runs/run-store.ts';
import { asked, newApproval } from '../effects/approval-rig.ts';
import {
  cancelDrafts,
  claimOnly,
  claimRequest,
  createRun,
  draft,
  LEASE_MS,
  MANY,
  newRun,
  type OpenStorage,
  openRig,
  readAll,
  typesOf,
} from '../harness.ts';
import { newSession, saying, sayNew, transcript } from '../sessions/session-rig.ts';
import {
  claimThreadRun,
  createThreadRun,
  rest,
  restThreadRun,
  sendFrame,
  THREAD,
} from '../sessions/thread-rig.ts';

/** Long enough for a wake-up that is on its way. */
const QUIET_MS = 100;
/** Short of the slow poll, which would wake everybody. */
const PATIENCE_MS = 4_000;

export function describeThreadRuns(engine: string, open: OpenStorage): void {
  describeBeginnings(engine, open);
  describeNeighbours(engine, open);
}

const lease = (): NonNullable<CreateOptions['lease']> => ({
  owner: 'runner-a',
  leaseMs: LEASE_MS,
  started: draft('run.started'),
});

function describeBeginnings(engine: string, open: OpenStorage): void {
  describe(`Runs that take frames on ${engine}`, () => {
    test('begin at rest, whatever lease their creator brings', async () => {
      const { runs, events, clock } = await openRig(open);
      const run = newRun({ thread: THREAD });

      const result = await runs.create(run, [draft('run.created')], {
        maxQueued: MANY,
        lease: lease(),
      });

      const created = await runs.find(run.id);
      expect(result).toEqual({ outcome: 'created', run: created, lease: undefined });
      expect(created).toMatchObject({
        status: 'waiting',
        thread: THREAD,
        lastSeq: 1,
        createdAtMs: clock.nowMs(),
        startedAtMs: undefined,
      });
      expect(typesOf(await readAll(events, run.id))).toEqual(['run.created']);
      expect(await runs.claim(claimRequest())).toBeUndefined();
      expect(await runs.claim(claimRequest({ only: run.id }))).toBeUndefined();
    });

    test.each([
      { owner: 'user:42', thread: { ...THREAD, staysOpen: false } },
      {
        owner: 'guest:ünïcode \\ \u0000',
        thread: { id: 'a\u0000b "\ud83d', staysOpen: true },
      },
    ])('keep whose they are, as in $owner', async ({ owner, thread }) => {
      const { runs, reopen } = await openRig(open);
      const run = await createThreadRun(runs, { owner, thread });

      const reopened = await reopen();

      expect(run).toMatchObject({ owner, thread });
      expect(await reopened.runs.find(run.id)).toEqual(run);
      expect((await reopened.runs.list({ limit: 10 })).runs).toEqual([run]);
      await sendFrame(reopened.runs, run.id, 'frm_1');
      expect((await claimOnly(reopened.runs, run.id)).run).toMatchObject({ owner, thread });
    });

    test('are told apart from runs that take none', async () => {
      const { runs } = await openRig(open);

      const run = await createRun(runs);

      expect(run.thread).toBeUndefined();
      expect(await runs.find(run.id)).toEqual(run);
    });

    test('wake nobody and take no place in the queue', async () => {
      const { storage, runs, clock } = await openRig(open, { isNew: true });
      const queue = storage.wakeups.subscribe('queue');
      const woken = queue.next({ deadlineMs: clock.nowMs() + QUIET_MS });
      for (let count = 0; count < 3; count += 1) await createThreadRun(runs);
      clock.advance(QUIET_MS);

      expect(await woken).toBe(false);
      expect(await runs.countByStatus()).toMatchObject({ queued: 0, waiting: 3 });
      const next = await runs.create(newRun(), [draft('run.created')], { maxQueued: 1 });
      expect(next.outcome).toBe('created');
      queue.close();
    });

    test('start with their first claim', async () => {
      const { runs, events, clock } = await openRig(open);
      const { id } = await createThreadRun(runs);
      await sendFrame(runs, id, 'frm_1');
      clock.advance(1_000);

      const claimed = await runs.claim(claimRequest());

      expect(claimed).toMatchObject({
        run: { id, status: 'running', startedAtMs: clock.nowMs() },
        resumed: false,
        cancelRequested: false,
      });
      expect(typesOf(await readAll(events, id))).toEqual([
        'run.created',
        'frame.accepted',
        'run.started',
      ]);
    });

    test.each([
      ['before its first frame', createThreadRun],
      ['after an answer', restThreadRun],
    ])('end at once when they are cancelled at rest %s', async (_case, restRun) => {
      const { runs, events, clock } = await openRig(open);
      const { id } = await restRun(runs);

      const result = await runs.requestCancel(id, cancelDrafts());

      expect(result).toMatchObject({
        run: { status: 'cancelled', stopReason: 'cancelled', endedAtMs: clock.nowMs() },
        recorded: true,
      });
      expect(typesOf(await readAll(events, id)).slice(-2)).toEqual([
        'run.cancel_requested',
        'run.cancelled',
      ]);
      expect(await sendFrame(runs, id, 'frm_late')).toEqual({
        outcome: 'accepted',
        seq: undefined,
      });
      expect(await runs.claim(claimRequest())).toBeUndefined();
      expect((await runs.find(id))?.status).toBe('cancelled');
    });
  });
}

function describeNeighbours(engine: string, open: OpenStorage): void {
  describe(`Runs at rest and the others of their session on ${engine}`, () => {
    test('let a later run start at once', async () => {
      const { storage, runs } = await openRig(open);
      const session = await newSession(storage);
      await createThreadRun(runs, { sessionId: session.id });
      await restThreadRun(runs, { sessionId: session.id });

      const result = await runs.create(newRun({ sessionId: session.id }), [draft('run.created')], {
        maxQueued: MANY,
        lease: lease(),
      });

      expect(result).toMatchObject({ outcome: 'created', run: { status: 'running', exchange: 3 } });
    });

    test('let a queued later run be claimed, by anybody and by name', async () => {
      const { storage, runs } = await openRig(open);
      const [first, second] = [await newSession(storage), await newSession(storage)];
      await restThreadRun(runs, { sessionId: first.id });
      await restThreadRun(runs, { sessionId: second.id });
      const any = await sayNew(storage, first, 'any');
      expect((await runs.claim(claimRequest()))?.run.id).toBe(any.id);
      const named = await sayNew(storage, second, 'named');

      const claimed = await runs.claim(claimRequest({ only: named.id }));

      expect(claimed?.run.id).toBe(named.id);
    });

    test('keep a later run waiting while they work, and wake it when they rest', async () => {
      const { storage, runs, clock } = await openRig(open, { isNew: true });
      const session = await newSession(storage);
      const held = await claimThreadRun(runs, { sessionId: session.id });
      const later = await sayNew(storage, session, 'later');
      expect(await runs.claim(claimRequest())).toBeUndefined();
      const queue = storage.wakeups.subscribe('queue');
      const woken = queue.next({ deadlineMs: clock.nowMs() + PATIENCE_MS });

      await rest(runs, held.lease, held.run.lastSeq);

      expect(await woken).toBe(true);
      expect((await runs.claim(claimRequest()))?.run.id).toBe(later.id);
      queue.close();
    });

    test('keep a later run waiting while they have a frame to answer', async () => {
      const { storage, runs } = await openRig(open);
      const session = await newSession(storage);
      const resting = await restThreadRun(runs, { sessionId: session.id });
      const later = await sayNew(storage, session, 'later');

      await sendFrame(runs, resting.id, 'frm_2');

      expect(await runs.claim(claimRequest({ only: later.id }))).toBeUndefined();
      expect((await runs.claim(claimRequest()))?.run.id).toBe(resting.id);
      expect(await runs.claim(claimRequest())).toBeUndefined();
    });

    test('keep a later run waiting while they wait for an answer to a question', async () => {
      const { storage, runs } = await openRig(open);
      const session = await newSession(storage);
      const held = await claimThreadRun(runs, { sessionId: session.id });
      await runs.park(held.lease, [asked()], newApproval());

      const result = await runs.create(newRun({ sessionId: session.id }), [draft('run.created')], {
        maxQueued: MANY,
        lease: lease(),
      });

      expect(result).toMatchObject({ outcome: 'created', lease: undefined });
      expect(await runs.claim(claimRequest())).toBeUndefined();
    });

    test('are copied into a fork of the session, unlike one that works', async () => {
      const { storage, runs } = await openRig(open);
      const session = await newSession(storage);
      const resting = await createThreadRun(runs, { sessionId: session.id });
      await sendFrame(runs, resting.id, 'frm_1');
      const held = await claimOnly(runs, resting.id);
      await runs.rest(held.lease, [saying('model.completed', 'assistant', 'fine')], 2);
      await sayNew(storage, session, 'not answered yet');
      const { id } = await newSession(storage);
      const forkId = `${id}_fork` as typeof id;

      await storage.sessions.fork({ from: session.id, id: forkId });

      expect(await transcript(storage, forkId)).toEqual(['assistant fine']);
    });
  });
}
