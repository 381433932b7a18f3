import { describe, expect, test } from 'vitest';
import type { Subscription } from '../../../src/core/events/event-log.ts';
import type { LeaseId, RunId, SessionId } from '../../../src/core/ids.ts';
import type { CreateOptions } from '../../../src/core/runs/run-store.ts';
import { asked, newApproval } from '../effects/approval-rig.ts';
import {
  COMPLETED,
  cancelDrafts,
  claimOnly,
  claimRequest,
  createRun,
  draft,
  finishRun,
  LEASE_MS,
  type OpenStorage,
  openRig,
  readAll,
  typesOf,
} from '../harness.ts';
import { answer, newSession, PLACE, say, sayNew, transcript } from './session-rig.ts';
import { describeRunMessages } from './session-run-messages.suite.ts';
import { describeWaiting } from './session-waiting.suite.ts';

const UNKNOWN = { ...PLACE, id: 'session_unknown' as SessionId };
/** Short of the slow poll, which would wake everybody. */
const PATIENCE_MS = 4_000;
/** Long enough for a wake-up that is on its way. */
const QUIET_MS = 100;

/** What the RunStore port promises of runs that belong to a session. */
export function describeSessionRuns(engine: string, open: OpenStorage): void {
  describeJoining(engine, open);
  describeOrder(engine, open);
  describeRunMessages(engine, open);
  describeWaiting(engine, open);
}

const lease = (): NonNullable<CreateOptions['lease']> => ({
  owner: 'runner-a',
  leaseMs: LEASE_MS,
  started: draft('run.started'),
});

function describeJoining(engine: string, open: OpenStorage): void {
  describe(`Runs that join a session on ${engine}`, () => {
    test('numbers the runs of a session as its exchanges', async () => {
      const { storage, clock } = await openRig(open);
      const session = await newSession(storage);
      const other = await newSession(storage);
      clock.advance(1_000);

      const first = await sayNew(storage, session, 'one');
      const elsewhere = await sayNew(storage, other, 'elsewhere');
      const second = await sayNew(storage, session, 'two');

      expect([first, elsewhere, second].map((run) => [run.sessionId, run.exchange])).toEqual([
        [session.id, 1],
        [other.id, 1],
        [session.id, 2],
      ]);
      expect(await storage.runs.find(second.id)).toEqual(second);
      expect(await storage.sessions.find(session.id)).toEqual({
        ...session,
        title: 'one',
        messageCount: 2,
        lastExchange: 2,
        updatedAtMs: clock.nowMs(),
      });
    });

    test('numbers concurrent runs one by one', async () => {
      const { storage, openBeside } = await openRig(open);
      const beside = await openBeside();
      const session = await newSession(storage);

      const runs = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          sayNew(index % 2 === 0 ? storage : beside, session, `${index}`),
        ),
      );

      const exchanges = runs.map(({ exchange }) => exchange ?? 0).sort((a, b) => a - b);
      expect(exchanges).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    });

    test('refuses a run of a session that is missing or closed and writes nothing', async () => {
      const { storage } = await openRig(open);
      const session = await newSession(storage);
      await storage.sessions.close(session.id);
      const closed = await storage.sessions.find(session.id);

      expect(await say(storage, UNKNOWN, { text: 'hello' })).toEqual({
        outcome: 'session_missing',
      });
      expect(await say(storage, session, { text: 'hello' })).toEqual({ outcome: 'session_closed' });

      expect((await storage.runs.list({ limit: 10 })).runs).toEqual([]);
      expect(await storage.sessions.find(session.id)).toEqual(closed);
      expect(await transcript(storage, session.id)).toEqual([]);
    });

    test('takes no exchange for a run that is refused or replayed', async () => {
      const { storage } = await openRig(open);
      const session = await newSession(storage);
      const idempotency = { key: 'key', digest: 'digest' };
      const first = await say(storage, session, { text: 'hello', options: { idempotency } });
      await storage.sessions.close(session.id);
      const before = await storage.sessions.find(session.id);

      const replayed = await say(storage, session, { text: 'hello', options: { idempotency } });
      const other = { idempotency: { key: 'key', digest: 'other' } };
      const conflict = await say(storage, session, { text: 'hello', options: other });
      const open2 = await newSession(storage);
      const full = await say(storage, open2, { text: 'hello', options: { maxQueued: 1 } });

      expect(replayed).toEqual({
        outcome: 'replayed',
        run: first.outcome === 'created' ? first.run : undefined,
      });
      expect(conflict).toEqual({ outcome: 'conflict' });
      expect(full).toEqual({ outcome: 'queue_full' });
      expect(await storage.sessions.find(session.id)).toEqual(before);
      expect(await storage.sessions.find(open2.id)).toEqual(open2);
    });

    test('lists the runs of one session, also by status and page', async () => {
      const { storage, clock } = await openRig(open);
      const session = await newSession(storage);
      const first = await sayNew(storage, session, 'one');
      clock.advance(1);
      await createRun(storage.runs);
      const second = await sayNew(storage, session, 'two');
      clock.advance(1);
      const third = await sayNew(storage, session, 'three');
      const { run: running } = await claimOnly(storage.runs, first.id);

      const sessionId = session.id;
      const { list } = storage.runs;
      const page = await list({ sessionId, limit: 2 });
      expect(page).toEqual({ runs: [third, second], next: second.id });
      expect(await list({ sessionId, limit: 2, before: second.id })).toEqual({
        runs: [running],
        next: undefined,
      });
      expect((await list({ sessionId, status: 'queued', limit: 9 })).runs).toEqual([third, second]);
      expect((await list({ sessionId: UNKNOWN.id, limit: 9 })).runs).toEqual([]);
    });
  });
}

function describeOrder(engine: string, open: OpenStorage): void {
  describe(`Runs of one session on ${engine}`, () => {
    test('go one after the other, in the order they were accepted', async () => {
      const { storage, clock } = await openRig(open);
      const { runs } = storage;
      const session = await newSession(storage);
      const ids: RunId[] = [];
      for (const text of ['one', 'two', 'three']) {
        ids.push((await sayNew(storage, session, text)).id);
        clock.advance(1);
      }

      const order: unknown[] = [];
      for (let index = 0; index < 3; index += 1) {
        const claimed = await runs.claim(claimRequest());
        order.push(claimed?.run.id);
        expect(await runs.claim(claimRequest())).toBeUndefined();
        if (claimed) await finishRun(runs, { runId: claimed.run.id, leaseId: claimed.lease.id });
      }

      expect(order).toEqual(ids);
    });

    test('keep their order within one millisecond, whatever their ids are', async () => {
      const { storage } = await openRig(open);
      const { runs } = storage;
      const { id: sessionId } = await newSession(storage);
      await createRun(runs, { id: 'run_b' as RunId, sessionId });
      await createRun(runs, { id: 'run_a' as RunId, sessionId });

      const first = await claimOnly(runs, 'run_b' as RunId);
      const early = await runs.claim(claimRequest({ only: 'run_a' as RunId }));
      await finishRun(runs, first.lease);
      const second = await runs.claim(claimRequest());

      expect(early).toBeUndefined();
      expect(second?.run.id).toBe('run_a');
    });

    test('hold up neither another session nor runs without one', async () => {
      const { storage } = await openRig(open);
      const { runs } = storage;
      const session = await newSession(storage);
      const first = await sayNew(storage, session, 'one');
      await claimOnly(runs, first.id);
      await sayNew(storage, session, 'behind');
      const elsewhere = await sayNew(storage, await newSession(storage), 'elsewhere');
      const alone = await createRun(runs);

      const claimed: unknown[] = [];
      for (let index = 0; index < 3; index += 1) {
        claimed.push((await runs.claim(claimRequest()))?.run.id);
      }

      expect(new Set(claimed)).toEqual(new Set([elsewhere.id, alone.id, undefined]));
    });

    test('are created claimed when nothing is open before them, and queued otherwise', async () => {
      const { storage, events } = await openRig(open);
      const session = await newSession(storage);

      const first = await say(storage, session, { text: 'one', options: { lease: lease() } });
      const second = await say(storage, session, { text: 'two', options: { lease: lease() } });

      if (first.outcome !== 'created' || second.outcome !== 'created') throw new Error('refused');
      expect(first.run.status).toBe('running');
      expect(first.lease).toBeDefined();
      expect(second.run.status).toBe('queued');
      expect(second.lease).toBeUndefined();
      expect(typesOf(await readAll(events, second.run.id))).toEqual(['run.created']);
      const leaseId = first.lease?.id as LeaseId;
      await finishRun(storage.runs, { runId: first.run.id, leaseId });
      const third = await say(storage, session, { text: 'three', options: { lease: lease() } });
      expect(third).toMatchObject({ run: { status: 'queued' }, lease: undefined });
    });

    test('wait while the first one waits for an answer', async () => {
      const { storage } = await openRig(open);
      const { runs, approvals } = storage;
      const session = await newSession(storage);
      const first = await sayNew(storage, session, 'one');
      const held = await claimOnly(runs, first.id);
      const second = await sayNew(storage, session, 'two');
      const question = newApproval();
      await runs.park(held.lease, [asked()], question);

      const whileParked = await runs.claim(claimRequest());
      const decision = { status: 'approved', by: 'ann', note: '' } as const;
      await approvals.decide(question.id, decision, draft('policy.decision'));
      const resumed = await runs.claim(claimRequest());
      const whileResumed = await runs.claim(claimRequest());
      const leaseId = resumed?.lease.id as LeaseId;
      await finishRun(runs, { runId: first.id, leaseId });
      const next = await runs.claim(claimRequest());

      expect(whileParked).toBeUndefined();
      expect(resumed?.run.id).toBe(first.id);
      expect(whileResumed).toBeUndefined();
      expect(next?.run.id).toBe(second.id);
    });

    test('wait for the oldest open one when one between them is cancelled', async () => {
      const { storage } = await openRig(open);
      const { runs } = storage;
      const session = await newSession(storage);
      const first = await claimOnly(runs, (await sayNew(storage, session, 'one')).id);
      const second = await sayNew(storage, session, 'two');
      const third = await sayNew(storage, session, 'three');

      await runs.requestCancel(second.id, cancelDrafts());
      const early = await runs.claim(claimRequest());
      await runs.requestCancel(first.run.id, cancelDrafts());
      const whileCancelling = await runs.claim(claimRequest());
      await finishRun(runs, first.lease, { ...COMPLETED, status: 'cancelled' });
      const next = await runs.claim(claimRequest());

      expect(early).toBeUndefined();
      expect(whileCancelling).toBeUndefined();
      expect(next?.run.id).toBe(third.id);
    });

    test('keep waiting over a reopen and a takeover of the first one', async () => {
      const { storage, reopen } = await openRig(open);
      const session = await newSession(storage);
      const first = await sayNew(storage, session, 'one');
      await claimOnly(storage.runs, first.id, 'gone-1');
      const second = await sayNew(storage, session, 'two');

      const reopened = await reopen();
      const { runs } = reopened;
      const early = await runs.claim(claimRequest());
      await runs.takeOver('gone-');
      const recovered = await runs.claim(claimRequest());
      const stillEarly = await runs.claim(claimRequest({ only: second.id }));
      const leaseId = recovered?.lease.id as LeaseId;
      await answer(reopened, { runId: first.id, leaseId }, 'answer');
      const next = await runs.claim(claimRequest());

      expect(early).toBeUndefined();
      expect(recovered).toMatchObject({ run: { id: first.id }, resumed: true });
      expect(stillEarly).toBeUndefined();
      expect(next?.run.id).toBe(second.id);
    });

    test('let an expired first one be claimed before the others', async () => {
      const { storage, clock } = await openRig(open);
      const { runs } = storage;
      const session = await newSession(storage);
      const first = await sayNew(storage, session, 'one');
      await claimOnly(runs, first.id);
      clock.advance(1);
      await sayNew(storage, session, 'two');
      clock.advance(LEASE_MS);

      const claimed = await runs.claim(claimRequest({ owner: 'runner-b' }));

      expect(claimed).toMatchObject({ run: { id: first.id }, resumed: true });
      expect(await runs.claim(claimRequest({ owner: 'runner-c' }))).toBeUndefined();
    });

    test('go to one claimer each when many claim at once', async () => {
      const { storage, openBeside } = await openRig(open);
      const beside = await openBeside();
      for (let index = 0; index < 4; index += 1) {
        const session = await newSession(storage);
        await sayNew(storage, session, 'one');
        await sayNew(storage, session, 'two');
      }

      const claims = await Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          (index % 2 === 0 ? storage : beside).runs.claim(claimRequest()),
        ),
      );

      const claimed = claims.flatMap((claim) => (claim ? [claim.run] : []));
      expect(claimed.map(({ exchange }) => exchange)).toEqual([1, 1, 1, 1]);
      expect(new Set(claimed.map(({ sessionId }) => sessionId)).size).toBe(4);
    });

    test.each(['finished', 'cancelled'])('wake the runners when one is %s', async (how) => {
      const { storage, clock } = await openRig(open, { isNew: true });
      const { runs, wakeups } = storage;
      const session = await newSession(storage);
      const { run, lease: held } = await claimOnly(
        runs,
        (await sayNew(storage, session, 'one')).id,
      );
      await sayNew(storage, session, 'two');
      const parked = how === 'cancelled';
      if (parked) await runs.park(held, [asked()], newApproval());
      const subscription = wakeups.subscribe('queue');
      await drain(subscription, clock.nowMs());

      const woken = subscription.next({ deadlineMs: clock.nowMs() + PATIENCE_MS });
      if (parked) await runs.requestCancel(run.id, cancelDrafts());
      else await finishRun(runs, held);

      expect(await woken).toBe(true);
      expect((await runs.claim(claimRequest()))?.run.exchange).toBe(2);
      subscription.close();
    });

    test('end after their session was closed, also those that were queued', async () => {
      const { storage } = await openRig(open);
      const { runs } = storage;
      const session = await newSession(storage);
      const first = await claimOnly(runs, (await sayNew(storage, session, 'one')).id);
      const second = await sayNew(storage, session, 'two');

      await storage.sessions.close(session.id);
      await answer(storage, first.lease, 'answer one');
      await answer(storage, (await claimOnly(runs, second.id)).lease, 'answer two');

      expect(await transcript(storage, session.id)).toEqual([
        'user one',
        'assistant answer one',
        'user two',
        'assistant answer two',
      ]);
      expect(await say(storage, session, { text: 'three' })).toEqual({ outcome: 'session_closed' });
    });
  });
}

/** Reads the wake-ups that are on their way, so that the next one is the one the test asks for. */
async function drain(subscription: Subscription, nowMs: number): Promise<void> {
  let woken = true;
  while (woken) woken = await subscription.next({ deadlineMs: nowMs + QUIET_MS });
}
