import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryTables } from '../../../test/support/memory-tables.ts';
import type { AgentId } from '../ids.ts';
import type { CapabilityChange } from './capability-store.ts';
import { CAPABILITIES, createCapabilityStore, MAX_CAPABILITIES } from './stored-capabilities.ts';

const AGENTS = ['agent_a', 'agent_b'] as AgentId[];

const change: fc.Arbitrary<Omit<CapabilityChange, 'atMs'>> = fc.record({
  agentId: fc.constantFrom(...AGENTS),
  tool: fc.constantFrom('fs.*', 'fs.read', 'http\0', '\ud800'),
  effect: fc.constantFrom('grant', 'revoke'),
  by: fc.constantFrom('operator', 'ada'),
});

test('the last word on an agent and a tool counts, and stands in the lists once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 20 }), async (changes) => {
      const tables = createMemoryTables();
      const store = createCapabilityStore(tables);
      const last = new Map<string, CapabilityChange>();
      for (const one of changes) {
        await store.set(one);
        last.set(`${one.agentId} ${one.tool}`, { ...one, atMs: tables.clock.nowMs() });
        tables.clock.advance(1);
      }

      const all = await store.list();
      const each = await Promise.all(AGENTS.map((agentId) => store.list(agentId)));

      const names = [...last.keys()].sort();
      expect(all).toEqual(names.map((name) => last.get(name)));
      expect(each.flat()).toEqual(all);
    }),
  );
});

test('no change too many is stored, and those that are there can still be changed', async () => {
  const tables = createMemoryTables();
  const store = createCapabilityStore(tables);
  const common = { agentId: 'agent_z' as AgentId, effect: 'grant', by: 'ada', atMs: 1 } as const;
  const free = 2;
  const seeds = Array.from({ length: MAX_CAPABILITIES - free }, (_, no) => `tool_${no}`);
  tables.seed(
    CAPABILITIES,
    seeds.map((tool) => ({ ...common, tool })),
  );
  const tools = ['a', 'b', 'tool_1', 'a', 'c', 'b', 'd', 'tool_2', 'c'];

  const outcomes = await Promise.allSettled(tools.map((tool) => store.set({ ...common, tool })));

  const refused = tools.filter((_, index) => outcomes[index]?.status === 'rejected');
  expect(refused).toEqual(['c', 'd', 'c']);
  expect(outcomes[4]).toMatchObject({ reason: { code: 'limit_reached' } });
  expect(tables.rows(CAPABILITIES).length).toBe(MAX_CAPABILITIES);
});
