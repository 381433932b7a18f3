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
  });
}
