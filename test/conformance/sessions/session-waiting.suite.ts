import { describe, expect, test } from 'vitest';
import { asked, newApproval } from '../effects/approval-rig.ts';
import {
  claimOnly,
  createRun,
  draft,
  finishRun,
  LEASE_MS,
  type OpenStorage,
  openRig,
} from '../harness.ts';
import { newSession, say, sayNew, transcript } from './session-rig.ts';

const FULL = { outcome: 'session_full' };

/** What the RunStore port promises of the room that one session has for runs that wait. */
export function describeWaiting(engine: string, open: OpenStorage): void {
  describe(`Runs that wait in a session on ${engine}`, () => {
    test('are refused beyond their bound, which writes nothing and holds for one session', async () => {
      const { storage } = await openRig(open);
      const { runs } = storage;
      const options = { maxWaitingInSession: 2 };
      const session = await newSession(storage);
      const first = await claimOnly(runs, (await sayNew(storage, session, 'one')).id);
      await runs.park(first.lease, [asked()], newApproval());
      await say(storage, session, { text: 'two', options });
      await say(storage, session, { text: 'three', options });
      const before = await storage.sessions.find(session.id);

      const full = await say(storage, session, { text: 'four', options });
      const elsewhere = await say(storage, await newSession(storage), { text: 'hello', options });
      const alone = await createRun(runs, {}, options);

      expect(full).toEqual(FULL);
      expect([elsewhere.outcome, alone.status]).toEqual(['created', 'queued']);
      expect(await storage.sessions.find(session.id)).toEqual(before);
      expect(await transcript(storage, session.id)).toEqual(['user one', 'user two', 'user three']);
      expect((await runs.list({ sessionId: session.id, limit: 9 })).runs).toHaveLength(3);
    });

    test('have room again when one of them has its turn', async () => {
      const { storage } = await openRig(open);
      const options = { maxWaitingInSession: 1 };
      const session = await newSession(storage);
      const first = await sayNew(storage, session, 'one');

      const full = await say(storage, session, { text: 'two', options });
      const { lease } = await claimOnly(storage.runs, first.id);
      const behind = await say(storage, session, { text: 'two', options });
      const fullAgain = await say(storage, session, { text: 'three', options });
      await finishRun(storage.runs, lease);
      const stillFull = await say(storage, session, { text: 'three', options });

      expect([full, fullAgain, stillFull]).toEqual([FULL, FULL, FULL]);
      expect(behind).toMatchObject({ outcome: 'created', run: { exchange: 2, status: 'queued' } });
    });

    test('do not count the one that is created claimed', async () => {
      const { storage } = await openRig(open);
      const session = await newSession(storage);
      const lease = { owner: 'runner-a', leaseMs: LEASE_MS, started: draft('run.started') };
      const options = { maxWaitingInSession: 1, lease };

      const results = await Promise.all(
        ['one', 'two', 'three'].map((text) => say(storage, session, { text, options })),
      );

      const shown = results.map((result) =>
        result.outcome === 'created' ? result.run.status : result.outcome,
      );
      expect(shown).toEqual(['running', 'queued', 'session_full']);
    });

    test('never exceed their bound, however many come at once', async () => {
      const { storage, openBeside } = await openRig(open);
      const beside = await openBeside();
      const session = await newSession(storage);

      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          say(index % 2 === 0 ? storage : beside, session, {
            text: `${index}`,
            options: { maxWaitingInSession: 5 },
          }),
        ),
      );

      expect(results.map(({ outcome }) => outcome).sort()).toEqual([
        ...Array(5).fill('created'),
        ...Array(15).fill('session_full'),
      ]);
      expect((await storage.sessions.find(session.id))?.lastExchange).toBe(5);
    });

    test('are found again by their key when there is no room for another', async () => {
      const { storage } = await openRig(open);
      const session = await newSession(storage);
      const idempotency = { key: 'key', digest: 'digest' };
      const options = { maxWaitingInSession: 1, idempotency };
      const first = await say(storage, session, { text: 'hello', options });

      const again = await say(storage, session, { text: 'hello', options });

      if (first.outcome !== 'created') throw new Error(`expected a run, got ${first.outcome}`);
      expect(again).toEqual({ outcome: 'replayed', run: first.run });
    });

    test('are refused because of the whole queue first', async () => {
      const { storage } = await openRig(open);
      const session = await newSession(storage);
      await sayNew(storage, session, 'one');

      const options = { maxQueued: 1, maxWaitingInSession: 1 };
      const refused = await say(storage, session, { text: 'two', options });

      expect(refused).toEqual({ outcome: 'queue_full' });
    });
  });
}
