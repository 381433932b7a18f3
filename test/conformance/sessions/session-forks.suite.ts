import { describe, expect, test } from 'vitest';
import type { SessionId } from '../../../src/core/ids.ts';
import type { Session } from '../../../src/core/sessions/session.ts';
import type { Storage } from '../../../src/core/storage.ts';
import { claimOnly, type OpenStorage, openRig } from '../harness.ts';
import {
  answer,
  message,
  newSession,
  newSessionId,
  PLACE,
  sayNew,
  transcript,
} from './session-rig.ts';

const UNKNOWN = 'session_unknown' as SessionId;

export function describeForks(engine: string, open: OpenStorage): void {
  describe(`SessionStore.fork on ${engine}`, () => {
    test('copies the messages up to an exchange and leaves the first session as it is', async () => {
      const { storage, clock } = await openRig(open);
      const from = await threeExchanges(storage);
      clock.advance(1_000);
      const id = newSessionId();

      const fork = await storage.sessions.fork({ from: from.id, id, throughExchange: 2 });

      const forkedAtMs = clock.nowMs();
      expect(fork).toEqual({
        ...from,
        id,
        messageCount: 4,
        lastExchange: 2,
        forkedFrom: from.id,
        createdAtMs: forkedAtMs,
        updatedAtMs: forkedAtMs,
      });
      expect(await storage.sessions.find(id)).toEqual(fork);
      const original = await storage.sessions.readMessages(from.id, { limit: 100 });
      expect(await storage.sessions.readMessages(id, { limit: 100 })).toEqual(original.slice(0, 4));
      expect(await storage.sessions.find(from.id)).toEqual(from);
      expect(original).toHaveLength(6);
    });

    test('goes its own way and is not the active one', async () => {
      const { storage } = await openRig(open);
      const from = await threeExchanges(storage);
      const id = newSessionId();
      const fork = await storage.sessions.fork({ from: from.id, id, throughExchange: 1 });

      const run = await sayNew(storage, fork ?? from, 'again');
      await answer(storage, (await claimOnly(storage.runs, run.id)).lease, 'otherwise');

      expect(run.exchange).toBe(2);
      expect(await transcript(storage, id)).toEqual([
        'user question 1',
        'assistant answer 1',
        'user again',
        'assistant otherwise',
      ]);
      expect((await transcript(storage, from.id)).at(-1)).toBe('assistant answer 3');
      expect((await storage.sessions.open(PLACE, newSessionId())).session.id).toBe(from.id);
    });

    test('leaves out exchanges that are still going on', async () => {
      const { storage } = await openRig(open);
      const from = await threeExchanges(storage);
      const open4 = await sayNew(storage, from, 'question 4');
      await sayNew(storage, from, 'question 5');
      await claimOnly(storage.runs, open4.id);
      await storage.sessions.append(from.id, [message('system', 'notice')]);
      const id = newSessionId();

      const fork = await storage.sessions.fork({ from: from.id, id });

      expect(await transcript(storage, id)).toEqual([
        'user question 1',
        'assistant answer 1',
        'user question 2',
        'assistant answer 2',
        'user question 3',
        'assistant answer 3',
        'system notice',
      ]);
      expect(fork).toMatchObject({ messageCount: 7, lastExchange: 6 });
    });

    test('forks a closed session into an open one, and nothing of it into an empty one', async () => {
      const { storage } = await openRig(open);
      const from = await threeExchanges(storage);
      await storage.sessions.close(from.id);

      const all = await storage.sessions.fork({ from: from.id, id: newSessionId() });
      const none = await storage.sessions.fork({
        from: from.id,
        id: newSessionId(),
        throughExchange: 0,
      });

      expect(all).toMatchObject({ messageCount: 6, lastExchange: 3, closedAtMs: undefined });
      expect(none).toMatchObject({ title: '', messageCount: 0, lastExchange: 0 });
      expect(await transcript(storage, none?.id ?? UNKNOWN)).toEqual([]);
    });

    test('takes a summary along that speaks of no more than was copied', async () => {
      const { storage } = await openRig(open);
      const from = await threeExchanges(storage);
      const summary = { text: 'they greeted', through: { exchange: 2, position: 3 } };
      await storage.sessions.saveSummary(from.id, summary);

      const through: unknown[] = [];
      for (const throughExchange of [1, 2, 3]) {
        const id = newSessionId();
        await storage.sessions.fork({ from: from.id, id, throughExchange });
        through.push(await storage.sessions.findSummary(id));
      }

      expect(through).toEqual([undefined, summary, summary]);
    });
  });
}

/** A session with three questions, each answered by a run. */
async function threeExchanges(storage: Storage): Promise<Session> {
  const session = await newSession(storage);
  for (const number of [1, 2, 3]) {
    const run = await sayNew(storage, session, `question ${number}`);
    await answer(storage, (await claimOnly(storage.runs, run.id)).lease, `answer ${number}`);
  }
  const found = await storage.sessions.find(session.id);
  if (!found) throw new Error(`session ${session.id} is gone`);
  return found;
}
