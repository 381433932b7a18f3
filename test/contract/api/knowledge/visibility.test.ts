import { describe, expect, test } from 'vitest';
import { createIds } from '../../../../src/core/create-ids.ts';
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

const ids = createIds(() => Date.now());
const WRITERS = { shared: LINCE, hidden: SASTRE, stranger: LINCE } as const;
type Writer = keyof typeof WRITERS;
const OWNERS: Record<Writer, string> = {
  shared: 'operator',
  hidden: 'operator',
  stranger: 'user:1',
};

/** Of everybody one of each kind, with the name of its writer in it. */
async function write({ runtime }: TeamServer, writer: Writer): Promise<void> {
  const [owner, agent] = [OWNERS[writer], WRITERS[writer]];
  const projectId = PROJECT;
  await runtime.facts.add({
    ...{ owner, agent, projectId, source: 'agent' },
    ...{ subject: `fact ${writer}`, relation: 'is', object: 'so' },
  });
  const content = `memory ${writer}`;
  await runtime.memories.ingest({
    ...{ owner, agent, projectId, content, source: 'chat', priorityScore: 9 },
  });
  const submitted = await runtime.runs.submit({
    ...{ owner, agentId: agent as AgentId, projectId, source: 'http' },
    id: ids.run(),
    message: `run ${writer}`,
  });
  const isEnded = async () => (await runtime.runs.get(submitted.run.id)).status;
  await expect.poll(isEnded, { timeout: 20_000 }).toBe('completed');
}

const THINGS = (['fact', 'memory', 'run'] as const).flatMap((kind) =>
  (Object.keys(WRITERS) as Writer[]).map((writer) => `${kind} ${writer}`),
);

/** Which of all things somebody sees, by each way there is. */
async function seen(server: TeamServer, reader: string | undefined) {
  const query = { project_id: PROJECT, ...(reader && { agent_id: reader }) };
  const ways = {
    feed: await server.read('/api/knowledge/feed', { ...query, limit: '100' }),
    graph: await server.read('/api/knowledge/graph', { ...query, limit: '1000' }),
    facts: await server.read('/api/knowledge/facts', query),
    events: await server.read('/api/projects/events', { ...query, limit: '100' }),
  };
  const found = Object.entries(ways).map(([way, answer]) => {
    const text = JSON.stringify(answer);
    return [way, THINGS.filter((thing) => text.includes(thing))];
  });
  return Object.fromEntries(found) as Record<keyof typeof ways, string[]>;
}

const of = (...things: string[]) => ({
  feed: things,
  graph: things.filter((thing) => !thing.startsWith('run')),
  facts: things.filter((thing) => thing.startsWith('fact')),
  events: things.filter((thing) => thing.startsWith('run')),
});

describe.each(TEST_ENGINES.filter(({ available }) => available))(
  'visibility on $name',
  (engine) => {
    test('private things are seen by their agent alone, and those of others by nobody', async () => {
      const server = await openTeamServer(engine);
      for (const writer of Object.keys(WRITERS) as Writer[]) await write(server, writer);
      const shared = of('fact shared', 'memory shared', 'run shared');

      expect(await seen(server, undefined)).toEqual(shared);
      expect(await seen(server, 'lince')).toEqual(shared);
      expect(await seen(server, 'buho')).toEqual(shared);
      expect(await seen(server, 'sastre')).toEqual(
        of('fact hidden', 'memory hidden', 'run hidden'),
      );

      // What was shared is so no longer when its agent keeps to itself.
      await server.runtime.storage.agents.update(LINCE as AgentId, { memoryAccess: 'private' });
      expect(await seen(server, undefined)).toEqual(of());
      expect(await seen(server, 'buho')).toEqual(of());
      expect(await seen(server, 'lince')).toEqual(shared);

      // Nor does anybody see it when that agent is gone.
      await server.runtime.agents.remove(LINCE);
      await server.runtime.agents.remove(SASTRE);
      expect(await seen(server, undefined)).toEqual(of());
      expect(await seen(server, 'buho')).toEqual(of());
    });

    test('of a private agent others follow what it does, and no word of it', async () => {
      const server = await openTeamServer(engine);
      await write(server, 'hidden');
      const told = async (reader: object) => {
        const query = { project_id: PROJECT, ...reader };
        const { events } = (await server.read('/api/projects/events', query)) as {
          events: { kind: string; content: string }[];
        };
        return events.map(({ kind, content }) => [kind, content]).reverse();
      };

      expect(await told({})).toEqual([
        ['action', 'was asked'],
        ['action', 'has finished'],
      ]);
      expect(await told({ agent_id: 'sastre' })).toEqual([
        ['action', 'was asked: run hidden'],
        ['thought', 'I was told: run hidden'],
        ['action', 'has finished'],
      ]);
    });

    test('what an agent has shared outlives it', async () => {
      const server = await openTeamServer(engine);
      await write(server, 'shared');

      await server.runtime.agents.remove(LINCE);

      expect(await seen(server, 'buho')).toEqual(of('fact shared', 'memory shared'));
    });

    test('what a private agent answered is told to the one that asked, and shown to nobody else', async () => {
      const server = await openTeamServer(engine);
      const content = 'count what you know';
      await server.settled(await server.give({ to_agent_id: 'sastre', content }));
      await server.settled(await server.give({ from_agent_id: 'sastre', to_agent_id: 'buho' }));
      const results = async (agent: string | undefined) => {
        const query = { project_id: PROJECT, ...(agent && { agent_id: agent }) };
        const { entries } = (await server.read('/api/knowledge/feed', query)) as {
          entries: { kind: string; agent_id: string; message: string }[];
        };
        return entries
          .filter(({ kind }) => kind === 'handoff_result')
          .map(({ agent_id: id, message }) => [id, message]);
      };
      const open = [BUHO, 'I was told: look at it'];

      expect(await results(undefined)).toEqual([open, [SASTRE, 'has ended']]);
      expect(await results('buho')).toEqual([open, [SASTRE, 'has ended']]);
      expect(await results('lince')).toEqual([open, [SASTRE, `I was told: ${content}`]]);
      expect(await results('sastre')).toEqual([open, [SASTRE, `I was told: ${content}`]]);

      await server.runtime.agents.remove(SASTRE);
      expect(await results(undefined)).toEqual([open, [SASTRE, 'has ended']]);
      expect(await results('lince')).toEqual([open, [SASTRE, `I was told: ${content}`]]);
    });
  },
);
