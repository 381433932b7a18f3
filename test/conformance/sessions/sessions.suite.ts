import { describe, expect, test } from 'vitest';
import type { AgentId, SessionId } from '../../../src/core/ids.ts';
import type { Session } from '../../../src/core/sessions/session.ts';
import type { SessionFilter } from '../../../src/core/sessions/session-store.ts';
import { type OpenStorage, openRig } from '../harness.ts';
import { describeForks } from './session-forks.suite.ts';
import { describeGlances } from './session-glances.suite.ts';
import { describeMessages } from './session-messages.suite.ts';
import { message, newSession, newSessionId, PLACE } from './session-rig.ts';

const OTHER_AGENT = 'agent_other' as AgentId;
const UNKNOWN = 'session_unknown' as SessionId;
/** NUL, an emoji, and half of one. */
const ODD = 'a\u0000b 🦀 \ud800 "c"\n';

/** Everything the SessionStore port promises. */
export function describeSessions(engine: string, open: OpenStorage): void {
  describeOpening(engine, open);
  describeClosing(engine, open);
  describeForks(engine, open);
  describeGlances(engine, open);
  describeMessages(engine, open);
  describeSessionLists(engine, open);
}

function describeOpening(engine: string, open: OpenStorage): void {
  describe(`SessionStore.open on ${engine}`, () => {
    test('opens a session in a place once and finds it from then on', async () => {
      const { storage, clock } = await openRig(open);
      const id = newSessionId();

      const first = await storage.sessions.open(PLACE, id);
      const openedAtMs = clock.nowMs();
      clock.advance(1_000);
      const second = await storage.sessions.open(PLACE, newSessionId());

      const session: Session = {
        id,
        ...PLACE,
        owner: 'operator',
        title: '',
        messageCount: 0,
        lastExchange: 0,
        forkedFrom: undefined,
        createdAtMs: openedAtMs,
        updatedAtMs: openedAtMs,
        closedAtMs: undefined,
      };
      expect(first).toEqual({ session, created: true });
      expect(second).toEqual({ session, created: false });
      expect(await storage.sessions.find(id)).toEqual(session);
    });

    test('gives one session to many that open the same place at once', async () => {
      const { storage, openBeside } = await openRig(open);
      const beside = await openBeside();

      const opened = await Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          (index % 2 === 0 ? storage : beside).sessions.open(PLACE, newSessionId()),
        ),
      );

      expect(new Set(opened.map(({ session }) => session.id)).size).toBe(1);
      expect(opened.filter(({ created }) => created)).toHaveLength(1);
      const { sessions } = await storage.sessions.list({ includeClosed: true, limit: 50 });
      expect(sessions).toHaveLength(1);
    });

    test('tells places apart by agent, channel, user and room', async () => {
      const { storage } = await openRig(open);
      const places = [
        PLACE,
        { ...PLACE, agentId: OTHER_AGENT },
        { ...PLACE, channel: 'cli' },
        { ...PLACE, userId: 'bob' },
        { ...PLACE, roomId: '' },
        { ...PLACE, userId: '', roomId: 'annkitchen' },
        { ...PLACE, channel: ODD, userId: ODD, roomId: ODD },
      ];

      const opened: string[] = [];
      for (const place of places) {
        opened.push((await storage.sessions.open(place, newSessionId())).session.id);
      }

      expect(new Set(opened).size).toBe(places.length);
      for (const [index, place] of places.entries()) {
        const { session, created } = await storage.sessions.open(place, newSessionId());
        expect({ created, ...session }).toMatchObject({
          created: false,
          id: opened[index],
          ...place,
        });
      }
    });

    test('makes a created session the active one and leaves the one before as it is', async () => {
      const { storage } = await openRig(open);
      const first = (await storage.sessions.open(PLACE, newSessionId())).session;

      const second = await newSession(storage);

      expect((await storage.sessions.open(PLACE, newSessionId())).session).toEqual(second);
      expect(await storage.sessions.find(first.id)).toEqual(first);
    });

    test('goes back to an earlier session when it is activated', async () => {
      const { storage } = await openRig(open);
      const first = await newSession(storage);
      await newSession(storage);

      const activated = await storage.sessions.activate(first.id);

      expect(activated).toEqual(first);
      expect((await storage.sessions.open(PLACE, newSessionId())).session).toEqual(first);
    });

    test('refuses an id that is taken', async () => {
      const { storage } = await openRig(open);
      const { id } = await newSession(storage);

      const taken = expect.objectContaining({
        code: 'conflict',
        message: `session ${id} exists already`,
      });
      await expect(storage.sessions.create(PLACE, id)).rejects.toEqual(taken);
      await expect(storage.sessions.open({ ...PLACE, userId: 'bob' }, id)).rejects.toEqual(taken);
      await expect(storage.sessions.fork({ from: id, id })).rejects.toEqual(taken);
    });

    test('remembers whom messages in a place go to', async () => {
      const { storage, reopen } = await openRig(open);
      const odd = { channel: ODD, userId: ODD, roomId: ODD };
      expect(await storage.sessions.findActiveAgent(PLACE)).toBeUndefined();

      await storage.sessions.setActiveAgent(PLACE, 'agent_default' as AgentId);
      await storage.sessions.setActiveAgent(odd, 'agent_default' as AgentId);
      await storage.sessions.setActiveAgent(PLACE, OTHER_AGENT);

      const { sessions } = await reopen();
      expect(await sessions.findActiveAgent(PLACE)).toBe(OTHER_AGENT);
      expect(await sessions.findActiveAgent(odd)).toBe('agent_default');
      expect(await sessions.findActiveAgent({ ...PLACE, roomId: '' })).toBeUndefined();
    });
  });
}

function describeClosing(engine: string, open: OpenStorage): void {
  describe(`SessionStore.close on ${engine}`, () => {
    test('closes a session once and says when it was closed before', async () => {
      const { storage, clock } = await openRig(open);
      const session = await newSession(storage);
      clock.advance(1_000);
      const closedAtMs = clock.nowMs();

      const first = await storage.sessions.close(session.id);
      clock.advance(1_000);
      const second = await storage.sessions.close(session.id);

      const closed = { ...session, closedAtMs, updatedAtMs: closedAtMs };
      expect(first).toEqual({ session: closed, alreadyClosed: false });
      expect(second).toEqual({ session: closed, alreadyClosed: true });
      expect(await storage.sessions.find(session.id)).toEqual(closed);
    });

    test('opens a new session where the active one was closed', async () => {
      const { storage } = await openRig(open);
      const { id } = await newSession(storage);
      await storage.sessions.close(id);

      const { session, created } = await storage.sessions.open(PLACE, newSessionId());

      expect(created).toBe(true);
      expect(session.id).not.toBe(id);
    });

    test('neither activates nor adds to a closed or unknown session', async () => {
      const { storage } = await openRig(open);
      const { id } = await newSession(storage);
      await storage.sessions.close(id);

      for (const gone of [id, UNKNOWN]) {
        expect(await storage.sessions.activate(gone)).toBeUndefined();
        expect(await storage.sessions.append(gone, [message('user', 'hello')])).toBeUndefined();
        expect(await storage.sessions.readMessages(gone, { limit: 10 })).toEqual([]);
      }
      expect(await storage.sessions.close(UNKNOWN)).toBeUndefined();
      expect(await storage.sessions.find(UNKNOWN)).toBeUndefined();
      expect(await storage.sessions.fork({ from: UNKNOWN, id: newSessionId() })).toBeUndefined();
    });
  });
}

function describeSessionLists(engine: string, open: OpenStorage): void {
  describe(`SessionStore.list on ${engine}`, () => {
    test('lists sessions as they were updated last', async () => {
      const { storage, clock } = await openRig(open);
      const first = await newSession(storage);
      clock.advance(10);
      const second = await newSession(storage);
      clock.advance(10);
      const third = await newSession(storage);
      clock.advance(10);
      await storage.sessions.append(first.id, [message('user', 'hello')]);

      const { sessions, next } = await storage.sessions.list({ includeClosed: false, limit: 10 });

      expect(sessions.map(({ id }) => id)).toEqual([first.id, third.id, second.id]);
      expect(sessions[0]).toEqual(await storage.sessions.find(first.id));
      expect(next).toBeUndefined();
    });

    test('pages through sessions of one moment without losing any', async () => {
      const { storage } = await openRig(open);
      const created: string[] = [];
      for (let index = 0; index < 5; index += 1) created.push((await newSession(storage)).id);

      const pages: string[][] = [];
      let filter: SessionFilter = { includeClosed: false, limit: 2 };
      for (;;) {
        const { sessions, next } = await storage.sessions.list(filter);
        pages.push(sessions.map(({ id }) => id));
        if (!next) break;
        filter = { ...filter, before: next };
      }

      const newestFirst = created.sort().reverse();
      expect(pages).toEqual([
        newestFirst.slice(0, 2),
        newestFirst.slice(2, 4),
        newestFirst.slice(4),
      ]);
      const exact = await storage.sessions.list({ includeClosed: false, limit: 5 });
      expect(exact.next).toBeUndefined();
    });

    test('lists what every filter asks for', async () => {
      const { storage, clock } = await openRig(open);
      const add = async (place: Parameters<typeof newSession>[1]) => {
        clock.advance(1);
        return (await newSession(storage, place)).id;
      };
      const home = await add({});
      const agents = await add({ agentId: OTHER_AGENT });
      const channels = await add({ channel: 'cli' });
      const users = await add({ userId: ODD });
      const rooms = await add({ roomId: ODD });
      clock.advance(1);
      await storage.sessions.close(home);
      const list = async (filter: Partial<SessionFilter>) => {
        const page = await storage.sessions.list({ includeClosed: true, limit: 10, ...filter });
        return page.sessions.map(({ id }) => id);
      };

      expect(await list({})).toEqual([home, rooms, users, channels, agents]);
      expect(await list({ includeClosed: false })).toEqual([rooms, users, channels, agents]);
      expect(await list({ agentId: OTHER_AGENT })).toEqual([agents]);
      expect(await list({ channel: 'cli' })).toEqual([channels]);
      expect(await list({ userId: ODD })).toEqual([users]);
      expect(await list({ roomId: ODD })).toEqual([rooms]);
      expect(await list({ ...PLACE })).toEqual([home]);
      expect(await list({ ...PLACE, includeClosed: false })).toEqual([]);
      expect(await list({ userId: 'nobody' })).toEqual([]);
      expect(await list({ limit: 0 })).toEqual([]);
    });
  });
}
