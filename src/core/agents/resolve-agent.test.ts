import { expect, test } from 'vitest';
import { createMemoryTables, stubQuery } from '../../../test/support/memory-tables.ts';
import type { AgentId } from '../ids.ts';
import { resolveAgent, toAgentId } from './resolve-agent.ts';
import { AGENTS, createAgentStore, TAKEN_AGENT_NAMES } from './stored-agents.ts';

const takenNames = stubQuery(TAKEN_AGENT_NAMES, (_, { rows }) =>
  rows(AGENTS).flatMap(({ id, slug }) => [{ name: id }, { name: slug }]),
);

async function openAgents() {
  const store = createAgentStore(createMemoryTables([takenNames]));
  const add = (id: string, name: string, slug: string) =>
    store.ensure({ id: id as AgentId, name, slug, role: '', model: undefined, instructions: '' });
  await add('agent_default', 'Pincer', 'agent_default');
  await add('1f9f8f52', 'Lince', 'lince');
  await add('2a', 'Lince', 'lince');
  await add('3b', 'Ágata Núñez', 'agata-nunez');
  return store;
}

test.each([
  ['agent_default', 'agent_default'],
  ['1f9f8f52', '1f9f8f52'],
  ['lince', '1f9f8f52'],
  ['lince-2', '2a'],
  [' PINCER ', 'agent_default'],
  ['ágata núñez', '3b'],
])('finds the agent that %j names', async (reference, id) => {
  expect(await resolveAgent(await openAgents(), reference)).toMatchObject({ id });
});

test.each(['nobody', '', '../x', 'a\0b', '🦀', 'x'.repeat(200)])(
  'finds nobody by %j',
  async (reference) => {
    const agents = await openAgents();

    await expect(resolveAgent(agents, reference)).rejects.toMatchObject({
      code: 'not_found',
      details: { thing: 'agent' },
    });
    expect(await toAgentId(agents, reference)).toBe(reference);
  },
);

test('a name that several have is no answer, and says whom to choose from', async () => {
  await expect(resolveAgent(await openAgents(), 'Lince')).rejects.toMatchObject({
    code: 'not_found',
    message: '2 agents are called Lince: name one by its slug (lince, lince-2)',
    details: { thing: 'agent', slugs: ['lince', 'lince-2'] },
  });
});
