import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryTables, stubQuery } from '../../../test/support/memory-tables.ts';
import type { AgentId } from '../ids.ts';
import type { Agent, NewAgent } from './agent.ts';
import { AGENTS, createAgentStore, TAKEN_AGENT_NAMES } from './stored-agents.ts';

const agent: fc.Arbitrary<NewAgent> = fc.record({
  id: fc.constantFrom('agent_a', 'agent_b', 'agent_c', 'agent_d').map((id) => id as AgentId),
  name: fc.constantFrom('Ada', 'Bo'),
  role: fc.constant('helps'),
  model: fc.constantFrom(undefined, 'openai/small'),
  instructions: fc.constant(''),
});

/** What an agent has that nobody said anything about. */
const PLAIN = {
  personalityTemplate: undefined,
  voiceId: undefined,
  skills: [],
  memoryAccess: 'private',
  status: 'idle',
} as const;

const asMade = (one: NewAgent, nowMs: number): Agent => ({
  ...PLAIN,
  ...one,
  slug: one.id,
  createdAtMs: nowMs,
  updatedAtMs: nowMs,
});

const takenNames = stubQuery(TAKEN_AGENT_NAMES, ({ prefix }, { rows }) =>
  rows(AGENTS)
    .flatMap(({ id, slug }) => [id, slug])
    .filter((name) => name.startsWith(prefix))
    .map((name) => ({ name })),
);

function openStore() {
  const tables = createMemoryTables([takenNames]);
  const byId = () => new Map(tables.rows(AGENTS).map((row) => [row.id, row]));
  return { store: createAgentStore(tables), clock: tables.clock, byId };
}

test('an agent is made once and keeps its time, however often it is asked for', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(agent, { maxLength: 20 }), async (agents) => {
      const { store, clock, byId } = openStore();
      for (const one of agents) {
        clock.advance(1);
        const before = byId();

        await store.ensure(one);

        if (!before.has(one.id)) before.set(one.id, asMade(one, clock.nowMs()));
        expect(byId()).toEqual(before);
      }
      expect((await store.list()).map(({ id }) => id)).toEqual([...byId().keys()].sort());
    }),
  );
});

test('creating never makes more agents than there may be, and says why it makes none', async () => {
  const step = fc.record({ agent, maxAgents: fc.nat(4), isEnsured: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const { store, clock, byId } = openStore();
      for (const { agent: one, maxAgents, isEnsured } of steps) {
        if (isEnsured) await store.ensure(one);
        const before = byId();
        const created = asMade(one, clock.nowMs());

        const result = await store.create(one, maxAgents);

        if (before.has(one.id)) expect(result).toEqual({ outcome: 'exists' });
        else if (before.size >= maxAgents) expect(result).toEqual({ outcome: 'full' });
        else {
          expect(result).toEqual({ outcome: 'created', agent: created });
          before.set(one.id, created);
        }
        expect(byId()).toEqual(before);
      }
    }),
  );
});

test('an update changes what it is given, of the agent that it names', async () => {
  const update = fc.record({ agent, fields: fc.subarray(['name', 'model'] as const) });
  await fc.assert(
    fc.asyncProperty(fc.array(agent), fc.array(update), async (agents, updates) => {
      const { store, clock, byId } = openStore();
      for (const one of agents) await store.ensure(one);
      for (const { agent: one, fields } of updates) {
        clock.advance(1);
        const before = byId();
        const known = before.get(one.id);
        const change = Object.fromEntries(fields.map((field) => [field, one[field]]));
        const changed = fields.length > 0 ? { updatedAtMs: clock.nowMs() } : {};
        const expected = known && { ...known, ...change, ...changed };

        expect(await store.update(one.id, change)).toEqual(expected);

        if (expected) before.set(one.id, expected);
        expect(byId()).toEqual(before);
      }
    }),
  );
});

test('no agent answers to a name that another one has, and none is named twice', async () => {
  const word = fc.constantFrom('ada', 'ada-2', 'bo', 'bo-3');
  const wish = fc.record({ id: word, slug: fc.option(word, { nil: undefined }) });
  await fc.assert(
    fc.asyncProperty(fc.array(wish, { maxLength: 20 }), async (wishes) => {
      const { store, byId } = openStore();
      for (const { id, slug } of wishes) {
        const one = { ...PLAIN, id: id as AgentId, name: 'x', role: '', model: undefined };
        const given = { ...one, instructions: '', ...(slug === undefined ? {} : { slug }) };
        const isTaken = [...byId().values()].some((known) => known.id === id || known.slug === id);

        const result = await store.create(given, 100);

        expect(result.outcome).toBe(isTaken ? 'exists' : 'created');
      }
      const names = [...byId().values()].flatMap((one) => [...new Set([one.id, one.slug])]);
      expect(new Set(names).size).toBe(names.length);
    }),
  );
});
