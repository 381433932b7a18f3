import { describe, expect, test } from 'vitest';
import type { AgentId } from '../../../../src/core/ids.ts';
import { TEST_ENGINES } from '../../../support/test-engines.ts';
import {
  BUHO,
  LINCE,
  openTeamServer,
  PROJECT,
  SASTRE,
  type TeamServer,
} from '../open-team-server.ts';

interface Listed {
  readonly handoffs: readonly { readonly chain: readonly string[]; readonly handoff_id: string }[];
}

/** All there are, when none of them has anything left to do. */
async function allSettled(server: TeamServer): Promise<readonly (readonly string[])[]> {
  const list = async () => ((await server.read('/api/agents/handoffs')) as Listed).handoffs;
  let count = 0;
  for (let before = -1; before !== count; ) {
    before = count;
    for (const { handoff_id: id } of await list()) await server.settled(id);
    count = (await list()).length;
  }
  return (await list()).map(({ chain }) => chain).reverse();
}

const errorsOf = async ({ runtime }: TeamServer): Promise<readonly string[]> => {
  const { runs } = await runtime.storage.runs.list({ limit: 50 });
  const logs = await Promise.all(
    runs.map(({ id }) => runtime.storage.events.read(id, { after: 0, limit: 200 })),
  );
  return logs
    .flat()
    .filter(({ type }) => type === 'tool.result')
    .flatMap(({ payload }) => (JSON.stringify(payload).includes('policy') ? [payload] : []))
    .map((payload) => JSON.stringify(payload));
};

describe.each(TEST_ENGINES.filter(({ available }) => available))('chains on $name', (engine) => {
  test('three agents in a circle stop where the circle would close', async () => {
    const server = await openTeamServer(engine);

    await server.give({
      from_agent_id: 'lince',
      to_agent_id: 'sastre',
      content: '=> buho: => lince: round and round',
    });

    expect(await allSettled(server)).toEqual([
      [LINCE, SASTRE],
      [LINCE, SASTRE, BUHO],
    ]);
    expect(await errorsOf(server)).toEqual([
      expect.stringContaining('agent agent_lince has handed this work on already'),
    ]);
    const { runs } = await server.runtime.storage.runs.list({ limit: 50 });
    expect(runs.map(({ projectId }) => projectId)).toEqual([PROJECT, PROJECT]);
  });

  test('work is handed on three times, and the fourth agent has to do it', async () => {
    const server = await openTeamServer(engine);
    const common = { role: '', model: undefined, instructions: '', name: 'Fifth' };
    await server.runtime.storage.agents.ensure({ ...common, id: 'agent_fifth' as AgentId });

    await server.give({
      to_agent_id: 'sastre',
      content: '=> buho: => agent_default: => agent_fifth: too far',
    });

    expect(await allSettled(server)).toEqual([
      [LINCE, SASTRE],
      [LINCE, SASTRE, BUHO],
      [LINCE, SASTRE, BUHO, 'agent_default'],
    ]);
    expect(await errorsOf(server)).toEqual([
      expect.stringContaining('work is handed on 3 times at most'),
    ]);
  });
});
