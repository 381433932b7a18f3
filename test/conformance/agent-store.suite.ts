import { describe, expect, test } from 'vitest';
import { MAX_AGENTS } from '../../src/core/agents/stored-agents.ts';
import { type AgentId, DEFAULT_AGENT_ID } from '../../src/core/ids.ts';
import { type OpenStorage, openRig } from './harness.ts';

const WRITER = {
  id: 'agent_writer' as AgentId,
  name: 'Writer',
  role: 'writes\u0000 things 🦀',
  model: 'openai/small',
  instructions: 'Be brief.\n"Quote" nothing.',
};

/** As it is stored. */
const asMade = (one: typeof WRITER, createdAtMs: number) => ({
  ...one,
  slug: one.id as string,
  personalityTemplate: undefined,
  voiceId: undefined,
  skills: [],
  memoryAccess: one.id === DEFAULT_AGENT_ID ? ('global' as const) : ('private' as const),
  status: 'idle' as const,
  createdAtMs,
  updatedAtMs: createdAtMs,
});

export function describeAgentStore(engine: string, open: OpenStorage): void {
  describe(`AgentStore on ${engine}`, () => {
    test('finds no agent in an empty store', async () => {
      const { storage } = await openRig(open);

      expect(await storage.agents.find(WRITER.id)).toBeUndefined();
      expect(await storage.agents.list()).toEqual([]);
    });

    test('creates an agent once and leaves an existing one as it is', async () => {
      const { storage, clock } = await openRig(open);
      await storage.agents.ensure(WRITER);
      const createdAtMs = clock.nowMs();
      clock.advance(1_000);

      await storage.agents.ensure({ ...WRITER, name: 'Other', model: undefined });

      expect(await storage.agents.find(WRITER.id)).toEqual(asMade(WRITER, createdAtMs));
      expect(await storage.agents.list()).toEqual([asMade(WRITER, createdAtMs)]);
    });

    test('creates one agent out of many concurrent wishes', async () => {
      const { storage, openBeside } = await openRig(open);
      const beside = await openBeside();

      await Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          (index % 2 === 0 ? storage : beside).agents.ensure(WRITER),
        ),
      );

      expect(await storage.agents.list()).toHaveLength(1);
    });

    test('lists agents by id and keeps them over a reopen', async () => {
      const { storage, clock, reopen } = await openRig(open);
      await storage.agents.ensure({ ...WRITER, model: undefined });
      await storage.agents.ensure({ ...WRITER, id: 'agent_default' as AgentId });

      const listed = await (await reopen()).agents.list();

      const createdAtMs = clock.nowMs();
      expect(listed).toEqual([
        asMade({ ...WRITER, id: DEFAULT_AGENT_ID }, createdAtMs),
        { ...asMade(WRITER, createdAtMs), model: undefined },
      ]);
    });

    test('lists no more agents than there may be', async () => {
      const { storage } = await openRig(open);
      const names = Array.from({ length: MAX_AGENTS + 1 }, (_, index) => `agent_${index + 1_000}`);
      await Promise.all(names.map((id) => storage.agents.ensure({ ...WRITER, id: id as AgentId })));

      const listed = await storage.agents.list();

      expect(listed.map(({ id }) => id)).toEqual(names.slice(0, MAX_AGENTS));
    });

    test('creates an agent unless its id is taken, also when there is no room', async () => {
      const { storage, clock } = await openRig(open);
      const { agents } = storage;

      const created = await agents.create(WRITER, 1);
      const again = await agents.create({ ...WRITER, name: 'Other' }, 1);

      const agent = asMade(WRITER, clock.nowMs());
      expect(created).toEqual({ outcome: 'created', agent });
      expect(again).toEqual({ outcome: 'exists' });
      expect(await agents.list()).toEqual([agent]);
    });

    test('holds no more agents than it may, however many come at once', async () => {
      const { storage, openBeside } = await openRig(open);
      const beside = await openBeside();

      const results = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          (index % 2 === 0 ? storage : beside).agents.create(
            { ...WRITER, id: `agent_${index}` as AgentId },
            4,
          ),
        ),
      );

      expect(results.filter(({ outcome }) => outcome === 'created')).toHaveLength(4);
      expect(results.filter(({ outcome }) => outcome === 'full')).toHaveLength(6);
      expect(await storage.agents.list()).toHaveLength(4);
    });

    test('creates one agent out of many wishes to create or to have it', async () => {
      const { storage, openBeside } = await openRig(open);
      const beside = await openBeside();

      const results = await Promise.all(
        Array.from({ length: 12 }, (_, index) => {
          const { agents } = index % 2 === 0 ? storage : beside;
          return index % 3 === 0 ? agents.ensure(WRITER) : agents.create(WRITER, 10);
        }),
      );

      const outcomes = results.flatMap((result) => (result ? [result.outcome] : []));
      expect(outcomes).toHaveLength(8);
      expect(outcomes.filter((outcome) => outcome === 'created').length).toBeLessThanOrEqual(1);
      expect(await storage.agents.list()).toHaveLength(1);
    });

    test('changes what it is given and keeps the rest', async () => {
      const { storage, clock, reopen } = await openRig(open);
      await storage.agents.ensure(WRITER);
      const createdAtMs = clock.nowMs();
      clock.advance(1_000);

      const named = await storage.agents.update(WRITER.id, { name: 'N\u0000 🦀', role: 'none' });
      const plain = await storage.agents.update(WRITER.id, { model: undefined });
      const same = await storage.agents.update(WRITER.id, {});

      const updatedAtMs = clock.nowMs();
      const made = asMade(WRITER, createdAtMs);
      const agent = { ...made, name: 'N\u0000 🦀', role: 'none', updatedAtMs };
      expect(named).toEqual(agent);
      // Two changes in one moment are told apart by their times all the same.
      expect(plain).toEqual({ ...agent, model: undefined, updatedAtMs: updatedAtMs + 1 });
      const late = storage.agents.update(WRITER.id, { role: 'late' }, updatedAtMs);
      await expect(late).rejects.toMatchObject({ code: 'conflict' });
      expect(same).toEqual(plain);
      expect(await (await reopen()).agents.find(WRITER.id)).toEqual(plain);
    });

    test('keeps every field of a profile, and finds an agent by its slug', async () => {
      const { storage, clock, reopen } = await openRig(open);
      const given = {
        ...WRITER,
        slug: 'lince',
        personalityTemplate: 'default-security',
        voiceId: 'v\u0000🦀',
        skills: ['browser', 'a "b"'],
        memoryAccess: 'global' as const,
        status: 'sleeping' as const,
      };

      const first = await storage.agents.create(given, 10);
      const second = await storage.agents.create({ ...given, id: 'agent_b' as AgentId }, 10);
      const third = await storage.agents.create({ ...given, id: 'lince-2' as AgentId }, 10);

      const agent = { ...given, createdAtMs: clock.nowMs(), updatedAtMs: clock.nowMs() };
      expect(first).toEqual({ outcome: 'created', agent });
      expect(second).toMatchObject({ outcome: 'created', agent: { slug: 'lince-2' } });
      expect(third).toEqual({ outcome: 'exists' });
      const { agents } = await reopen();
      expect(await agents.findBySlug('lince')).toEqual(agent);
      expect(await agents.findBySlug('lince-2')).toMatchObject({ id: 'agent_b' });
      expect(await agents.findBySlug('lin\u0000ce')).toBeUndefined();
    });

    test('names those that keep their memory to themselves, by id', async () => {
      const { storage } = await openRig(open);
      const { agents } = storage;
      for (const [id, memoryAccess] of [
        ['agent_b', 'private'],
        ['agent_c', 'global'],
        ['agent_a', 'private'],
      ] as const) {
        await agents.ensure({ ...WRITER, id: id as AgentId, memoryAccess });
      }

      expect(await agents.listPrivate()).toEqual(['agent_a', 'agent_b']);
      await agents.update('agent_a' as AgentId, { memoryAccess: 'global' });
      expect(await agents.listPrivate()).toEqual(['agent_b']);
    });

    test('changes no agent that is not there', async () => {
      const { storage } = await openRig(open);

      expect(await storage.agents.update(WRITER.id, { name: 'x' })).toBeUndefined();
      expect(await storage.agents.update('a\u0000b' as AgentId, { name: 'x' })).toBeUndefined();

      expect(await storage.agents.list()).toEqual([]);
    });
  });
}
