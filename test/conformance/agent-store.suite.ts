import { describe, expect, test } from 'vitest';
import type { AgentId } from '../../src/core/ids.ts';
import { type OpenStorage, openBench } from './harness.ts';

const WRITER = {
  id: 'agent_writer' as AgentId,
  name: 'Writer',
  role: 'writes\u0000 things 🦀',
  model: 'openai/small',
  instructions: 'Be brief.\n"Quote" nothing.',
};

export function describeAgentStore(engine: string, open: OpenStorage): void {
  describe(`AgentStore on ${engine}`, () => {
    test('finds no agent in an empty store', async () => {
      const { storage } = await openBench(open);

      expect(await storage.agents.find(WRITER.id)).toBeUndefined();
      expect(await storage.agents.list()).toEqual([]);
    });

    test('creates an agent once and leaves an existing one as it is', async () => {
      const { storage, clock } = await openBench(open);
      await storage.agents.ensure(WRITER);
      const createdAtMs = clock.nowMs();
      clock.advance(1_000);

      await storage.agents.ensure({ ...WRITER, name: 'Other', model: undefined });

      expect(await storage.agents.find(WRITER.id)).toEqual({ ...WRITER, createdAtMs });
      expect(await storage.agents.list()).toEqual([{ ...WRITER, createdAtMs }]);
    });

    test('creates one agent out of many concurrent wishes', async () => {
      const { storage, openBeside } = await openBench(open);
      const beside = await openBeside();

      await Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          (index % 2 === 0 ? storage : beside).agents.ensure(WRITER),
        ),
      );

      expect(await storage.agents.list()).toHaveLength(1);
    });

    test('lists agents by id and keeps them over a reopen', async () => {
      const { storage, clock, reopen } = await openBench(open);
      await storage.agents.ensure({ ...WRITER, model: undefined });
      await storage.agents.ensure({ ...WRITER, id: 'agent_default' as AgentId });

      const listed = await (await reopen()).agents.list();

      const createdAtMs = clock.nowMs();
      expect(listed).toEqual([
        { ...WRITER, id: 'agent_default', createdAtMs },
        { ...WRITER, model: undefined, createdAtMs },
      ]);
    });

    test('creates an agent unless its id is taken, also when there is no room', async () => {
      const { storage, clock } = await openBench(open);
      const { agents } = storage;

      const created = await agents.create(WRITER, 1);
      const again = await agents.create({ ...WRITER, name: 'Other' }, 1);

      const agent = { ...WRITER, createdAtMs: clock.nowMs() };
      expect(created).toEqual({ outcome: 'created', agent });
      expect(again).toEqual({ outcome: 'exists' });
      expect(await agents.list()).toEqual([agent]);
    });

    test('holds no more agents than it may, however many come at once', async () => {
      const { storage, openBeside } = await openBench(open);
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
      const { storage, openBeside } = await openBench(open);
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
      const { storage, clock, reopen } = await openBench(open);
      await storage.agents.ensure(WRITER);
      const createdAtMs = clock.nowMs();
      clock.advance(1_000);

      const named = await storage.agents.update(WRITER.id, { name: 'N\u0000 🦀', role: 'none' });
      const plain = await storage.agents.update(WRITER.id, { model: undefined });
      const same = await storage.agents.update(WRITER.id, {});

      const agent = { ...WRITER, name: 'N\u0000 🦀', role: 'none', createdAtMs };
      expect(named).toEqual(agent);
      expect(plain).toEqual({ ...agent, model: undefined });
      expect(same).toEqual(plain);
      expect(await (await reopen()).agents.find(WRITER.id)).toEqual(plain);
    });

    test('changes no agent that is not there', async () => {
      const { storage } = await openBench(open);

      expect(await storage.agents.update(WRITER.id, { name: 'x' })).toBeUndefined();
      expect(await storage.agents.update('a\u0000b' as AgentId, { name: 'x' })).toBeUndefined();

      expect(await storage.agents.list()).toEqual([]);
    });
  });
}
