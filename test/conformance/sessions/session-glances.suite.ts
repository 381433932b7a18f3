import { describe, expect, test } from 'vitest';
import type { SessionId } from '../../../src/core/ids.ts';
import { searchSessions } from '../../../src/core/sessions/search-sessions.ts';
import { asked, newApproval } from '../effects/approval-rig.ts';
import { claimOnly, finishRun, type OpenStorage, openRig } from '../harness.ts';
import { answer, message, newSession, say, sayNew } from './session-rig.ts';

const UNKNOWN = 'session_unknown' as SessionId;

/** What lists of sessions show of each, and how they are searched. */
export function describeGlances(engine: string, open: OpenStorage): void {
  describeWhatGoesOn(engine, open);
  describeSearch(engine, open);
  describeRename(engine, open);
}

function describeWhatGoesOn(engine: string, open: OpenStorage): void {
  describe(`SessionStore.glance on ${engine}`, () => {
    test('finds nothing in a new session, and leaves out one that is not there', async () => {
      const { storage } = await openRig(open);
      const { id } = await newSession(storage);

      const glances = await storage.sessions.glance([id, UNKNOWN, 'a\u0000b' as SessionId]);

      expect([...glances.values()]).toEqual([
        { sessionId: id, lastMessage: undefined, run: undefined, approvalId: undefined },
      ]);
    });

    test('shows the run that goes on rather than those that wait behind it', async () => {
      const { storage, clock } = await openRig(open);
      const session = await newSession(storage);
      const { id: first } = await sayNew(storage, session, 'first');
      await claimOnly(storage.runs, first);
      clock.advance(1_000);
      await sayNew(storage, session, 'second');

      const glance = (await storage.sessions.glance([session.id])).get(session.id);

      expect(glance).toEqual({
        sessionId: session.id,
        lastMessage: { role: 'user', content: 'second', atMs: clock.nowMs() },
        run: { id: first, status: 'running' },
        approvalId: undefined,
      });
    });

    test('names the question that a session waits with', async () => {
      const { storage } = await openRig(open);
      const session = await newSession(storage);
      const { id } = await sayNew(storage, session, 'first');
      const { lease } = await claimOnly(storage.runs, id);
      const approval = newApproval();
      await storage.runs.park(lease, [asked()], approval);

      const glance = (await storage.sessions.glance([session.id])).get(session.id);

      expect(glance).toMatchObject({ run: { id, status: 'waiting' }, approvalId: approval.id });
    });

    test('shows how the newest run ended when none goes on', async () => {
      const { storage, clock } = await openRig(open);
      const session = await newSession(storage);
      const { id: first } = await sayNew(storage, session, 'first');
      await answer(storage, (await claimOnly(storage.runs, first)).lease, 'an answer');
      clock.advance(1_000);
      const { id: second } = await sayNew(storage, session, 'second');
      const { lease } = await claimOnly(storage.runs, second);
      await finishRun(storage.runs, lease);

      const glance = (await storage.sessions.glance([session.id])).get(session.id);

      expect(glance?.run).toEqual({ id: second, status: 'completed' });
    });

    test('shows the beginning of the newest message that is not of a tool', async () => {
      const { storage } = await openRig(open);
      const session = await newSession(storage);
      // Cut in the middle of an escape wherever the cut is.
      const long = '\u0001"\\'.repeat(1_000);
      await storage.sessions.append(session.id, [
        message('assistant', long),
        message('tool', '{}'),
        message('system', 'notice'),
      ]);

      const glance = (await storage.sessions.glance([session.id])).get(session.id);

      const { role, content = '' } = glance?.lastMessage ?? {};
      expect(role).toBe('assistant');
      expect(long.startsWith(content)).toBe(true);
      expect(content.length).toBeGreaterThan(100);
      expect(content.length).toBeLessThan(1_000);
    });
  });
}

function describeSearch(engine: string, open: OpenStorage): void {
  describe(`SessionStore.findSaying on ${engine}`, () => {
    test('finds what was said, in any case, with its newest messages first', async () => {
      const { storage } = await openRig(open);
      const [one, other] = [await newSession(storage), await newSession(storage)];
      await storage.sessions.append(one.id, [
        message('user', 'where is the Red door?'),
        message('assistant', 'no idea'),
        message('user', 'the RED one'),
        message('tool', 'red'),
      ]);
      await storage.sessions.append(other.id, [message('user', 'blue')]);

      const found = await storage.sessions.findSaying([one.id, other.id, UNKNOWN], 'red');

      const said = [...found].map(([id, messages]) => [id, messages.map((m) => m.content)]);
      expect(said).toEqual([[one.id, ['the RED one', 'where is the Red door?']]]);
    });

    test('finds a title that no message says', async () => {
      const { storage } = await openRig(open);
      const { id } = await newSession(storage);
      await storage.sessions.rename(id, 'Taxes of the year');

      expect([...(await storage.sessions.findSaying([id], 'taxes'))]).toEqual([[id, []]]);
    });

    test.each(['100% _sure_!', 'a "quoted" \\ path', 'line one\nline two', 'año 🦀'])(
      'takes %j to the letter',
      async (text) => {
        const { storage } = await openRig(open);
        const [one, other] = [await newSession(storage), await newSession(storage)];
        await storage.sessions.append(one.id, [message('user', `so: ${text} indeed`)]);
        await storage.sessions.append(other.id, [message('user', '100x xsurex a quoted path')]);

        const found = await storage.sessions.findSaying([one.id, other.id], text);

        expect([...found.keys()]).toEqual([one.id]);
      },
    );

    test('a search goes through all sessions, last updated first, page by page', async () => {
      const { storage, clock } = await openRig(open);
      const sessions = [];
      for (let at = 0; at < 5; at += 1) {
        clock.advance(1);
        const session = await newSession(storage);
        sessions.push(session.id);
        const text = at % 2 === 0 ? 'a needle in it' : 'line\nneedless';
        await say(storage, session, { text });
      }
      const search = { text: 'needle ', includeClosed: false, limit: 2 };

      const first = await searchSessions(storage.sessions, search);
      const second = await searchSessions(storage.sessions, { ...search, before: first.next! });

      const ids = (page: typeof first) => page.found.map(({ session }) => session.id);
      expect([ids(first), ids(second)]).toEqual([[sessions[4], sessions[2]], [sessions[0]]]);
      expect(second.next).toBeUndefined();
      expect(first.found[0]?.match).toMatchObject({ role: 'user', excerpt: 'a needle in it' });
    });

    test('an escaped line break is no letter n', async () => {
      const { storage } = await openRig(open);
      const session = await newSession(storage, {});
      await storage.sessions.append(session.id, [message('assistant', 'a\nbc')]);

      const search = { text: 'nbc', includeClosed: true, limit: 10 };
      const { found, next } = await searchSessions(storage.sessions, search);

      expect([found, next]).toEqual([[], undefined]);
    });
  });
}

function describeRename(engine: string, open: OpenStorage): void {
  describe(`SessionStore.rename on ${engine}`, () => {
    test('a given title stays, whatever is said, and changes nothing else', async () => {
      const { storage, clock } = await openRig(open);
      const session = await newSession(storage);
      clock.advance(1_000);

      const renamed = await storage.sessions.rename(session.id, 'Taxes "2026"');
      await sayNew(storage, session, 'hello');

      expect(renamed).toEqual({ ...session, title: 'Taxes "2026"' });
      expect((await storage.sessions.find(session.id))?.title).toBe('Taxes "2026"');
      expect(await storage.sessions.rename(UNKNOWN, 'x')).toBeUndefined();
    });
  });
}
