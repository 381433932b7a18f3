import { describe, expect, test } from 'vitest';
import type { SessionId } from '../../../src/core/ids.ts';
import type { SessionMessage } from '../../../src/core/sessions/session.ts';
import { type OpenStorage, openRig } from '../harness.ts';
import { message, newSession } from './session-rig.ts';

const UNKNOWN = 'session_unknown' as SessionId;
/** NUL, an emoji, and half of one. */
const ODD = 'a\u0000b 🦀 \ud800 "c"\n';

export function describeMessages(engine: string, open: OpenStorage): void {
  describe(`SessionStore messages on ${engine}`, () => {
    test('appends messages that no run made as an exchange of their own', async () => {
      const { storage, clock, reopen } = await openRig(open);
      const session = await newSession(storage);
      clock.advance(1_000);
      const tool = { toolName: ODD, toolCallId: ODD, status: 'failed' } as const;

      const first = await storage.sessions.append(session.id, [message('system', 'notice')]);
      const second = await storage.sessions.append(session.id, [
        message('user', `  ${ODD} two\twords `),
        message('tool', ODD, tool),
        message('assistant', ''),
      ]);

      const atMs = clock.nowMs();
      const plain = { toolName: undefined, toolCallId: undefined, status: undefined };
      const rest = { runId: undefined, atMs };
      const { sessions } = await reopen();
      expect(first).toEqual({ exchange: 1, position: 0 });
      expect(second).toEqual({ exchange: 2, position: 2 });
      expect(await sessions.readMessages(session.id, { limit: 10 })).toEqual([
        { exchange: 1, position: 0, role: 'system', content: 'notice', ...plain, ...rest },
        {
          exchange: 2,
          position: 0,
          role: 'user',
          content: `  ${ODD} two\twords `,
          ...plain,
          ...rest,
        },
        { exchange: 2, position: 1, role: 'tool', content: ODD, ...tool, ...rest },
        { exchange: 2, position: 2, role: 'assistant', content: '', ...plain, ...rest },
      ]);
      expect(await sessions.find(session.id)).toEqual({
        ...session,
        title: 'a\u0000b 🦀 \ud800 "c" two words',
        messageCount: 4,
        lastExchange: 2,
        updatedAtMs: atMs,
      });
    });

    test('keeps the title of the first message of a user that says something', async () => {
      const { storage } = await openRig(open);
      const session = await newSession(storage);

      for (const content of [' \n', '🦀'.repeat(100), 'later']) {
        await storage.sessions.append(session.id, [message('user', content)]);
      }

      expect((await storage.sessions.find(session.id))?.title).toBe(`${'🦀'.repeat(79)}…`);
    });

    test('pages back from the newest message, each page oldest first', async () => {
      const { storage } = await openRig(open);
      const { id } = await newSession(storage);
      for (const pair of [1, 2, 3]) {
        await storage.sessions.append(id, [
          message('user', `q${pair}`),
          message('assistant', `a${pair}`),
        ]);
      }
      const read = async (limit: number, before?: SessionMessage) => {
        const page = { limit, ...(before && { before }) };
        return storage.sessions.readMessages(id, page);
      };

      const newest = await read(3);
      const next = await read(2, newest[0]);
      const last = await read(2, next[0]);

      expect(contents(newest)).toEqual(['a2', 'q3', 'a3']);
      expect(contents(next)).toEqual(['a1', 'q2']);
      expect(contents(last)).toEqual(['q1']);
      expect(await read(2, last[0])).toEqual([]);
      expect(await read(0)).toEqual([]);
      expect(await read(-1)).toEqual([]);
      expect(await read(6)).toHaveLength(6);
    });

    test('reads what was said before an exchange', async () => {
      const { storage } = await openRig(open);
      const { id } = await newSession(storage);
      for (const text of ['one', 'two', 'three']) {
        await storage.sessions.append(id, [message('user', text)]);
      }
      const readBefore = (exchange: number, position: number) =>
        storage.sessions.readMessages(id, { limit: 10, before: { exchange, position } });

      expect(contents(await readBefore(3, 0))).toEqual(['one', 'two']);
      expect(contents(await readBefore(3, 1))).toEqual(['one', 'two', 'three']);
      expect(contents(await readBefore(99, 0))).toEqual(['one', 'two', 'three']);
      expect(await readBefore(1, 0)).toEqual([]);
      expect(await readBefore(0, 0)).toEqual([]);
    });

    test('numbers the exchanges of concurrent appends one by one', async () => {
      const { storage, openBeside } = await openRig(open);
      const beside = await openBeside();
      const { id } = await newSession(storage);

      const places = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? storage : beside).sessions.append(id, [message('user', `${index}`)]),
        ),
      );

      const exchanges = places.map((place) => place?.exchange ?? 0).sort((a, b) => a - b);
      expect(exchanges).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
      const found = await storage.sessions.find(id);
      expect(found).toMatchObject({ messageCount: 20, lastExchange: 20 });
    });

    test('keeps a summary unless a later one is there already', async () => {
      const { storage, reopen } = await openRig(open);
      const { id } = await newSession(storage);
      const save = (text: string, exchange: number, position: number) =>
        storage.sessions.saveSummary(id, { text, through: { exchange, position } });
      expect(await storage.sessions.findSummary(id)).toBeUndefined();

      await save('first', 2, 5);
      await save('earlier exchange', 1, 9);
      await save('earlier position', 2, 4);
      const kept = await storage.sessions.findSummary(id);
      await save('same place', 2, 5);
      const replaced = await storage.sessions.findSummary(id);
      await save(ODD, 3, 0);
      await storage.sessions.saveSummary(UNKNOWN, {
        text: 'x',
        through: { exchange: 1, position: 1 },
      });

      expect(kept).toEqual({ text: 'first', through: { exchange: 2, position: 5 } });
      expect(replaced).toEqual({ text: 'same place', through: { exchange: 2, position: 5 } });
      const { sessions } = await reopen();
      expect(await sessions.findSummary(id)).toEqual({
        text: ODD,
        through: { exchange: 3, position: 0 },
      });
      expect(await sessions.findSummary(UNKNOWN)).toBeUndefined();
    });
  });
}

const contents = (messages: readonly SessionMessage[]) => messages.map(({ content }) => content);
