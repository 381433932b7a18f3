import { describe, expect, test } from 'vitest';
import type { AgentId } from '../../../../src/core/ids.ts';
import { createGate } from '../../../../src/core/runs/gate.ts';
import { TEST_ENGINES } from '../../../support/test-engines.ts';
import {
  BUHO,
  ISO,
  LINCE,
  openTeamServer,
  PROJECT,
  RELAY,
  type TeamServer,
} from '../open-team-server.ts';

const STATUS = '/api/projects/status';
const EVENTS = '/api/projects/events';

async function submit({ runtime }: TeamServer, projectId: string, message = 'hello') {
  const agentId = LINCE as AgentId;
  return (await runtime.runs.submit({ agentId, message, source: 'http', projectId })).run.id;
}

async function ended(server: TeamServer, projectId = PROJECT): Promise<void> {
  const id = await submit(server, projectId);
  const status = async () => (await server.runtime.runs.get(id)).status;
  await expect.poll(status, { timeout: 20_000 }).toBe('completed');
}

describe.each(TEST_ENGINES.filter(({ available }) => available))('projects on $name', (engine) => {
  test('status counts real work and names those who do it', async () => {
    const server = await openTeamServer(engine);
    await ended(server);
    await server.settled(await server.give());

    const status = await server.read(STATUS, { project_id: PROJECT });

    expect(status).toEqual({
      project_id: PROJECT,
      overall_status: 'done',
      agents: [
        { id: BUHO, name: 'Búho 🦉', status: 'idle' },
        { id: LINCE, name: 'Lince', status: 'idle' },
      ],
      tasks: { todo: 0, doing: 0, done: 2 },
      failed: 0,
      cancelled: 0,
      updated_at: ISO,
    });
    expect(await server.read(STATUS)).toEqual(status);
  });

  test('work under way makes a project in progress and its agent busy', async () => {
    const [begun, gate] = [createGate(), createGate()];
    const model = {
      ...RELAY,
      async *stream(...[request, signal]: Parameters<typeof RELAY.stream>) {
        begun.open();
        await gate.wait();
        yield* RELAY.stream(request, signal);
      },
    };
    const server = await openTeamServer(engine, {
      model,
      config: { engine: { max_concurrent_runs: 1 } },
    });
    const ids = [await submit(server, PROJECT), await submit(server, PROJECT)];
    await begun.wait();

    expect(await server.read(STATUS, { project_id: PROJECT })).toMatchObject({
      overall_status: 'in_progress',
      agents: [{ id: LINCE, name: 'Lince', status: 'busy' }],
      tasks: { todo: 1, doing: 1, done: 0 },
    });
    // It goes on with what it has begun, and sleeps all the same, as its own page says.
    await server.runtime.storage.runs.setAgentStatus(LINCE as AgentId, 'sleeping');
    expect(await server.read(STATUS, { project_id: PROJECT })).toMatchObject({
      agents: [{ id: LINCE, status: 'sleeping' }],
    });
    await server.runtime.storage.runs.setAgentStatus(LINCE as AgentId, 'idle');
    for (const id of ids) {
      gate.open();
      const status = async () => (await server.runtime.runs.get(id)).status;
      await expect.poll(status, { timeout: 20_000 }).toBe('completed');
    }
  });

  test('a project that nobody named is idle, and a blank name is refused', async () => {
    const server = await openTeamServer(engine);

    expect(await server.read(STATUS, { project_id: "it's; --" })).toEqual({
      project_id: "it's; --",
      overall_status: 'idle',
      agents: [],
      tasks: { todo: 0, doing: 0, done: 0 },
      failed: 0,
      cancelled: 0,
      updated_at: ISO,
    });
    for (const path of [`${STATUS}?project_id=`, `${EVENTS}?project_id=%20`, EVENTS]) {
      const { status } = await server.call(path);
      expect([path, status]).toEqual([path, 400]);
    }
  });

  test('events tell what agents say and do, newest first, under ids that stay', async () => {
    const server = await openTeamServer(engine);
    const handoffId = await server.give({ content: '=> agent_default: mend it' });
    await server.settled(handoffId);
    const onward = async () =>
      ((await server.read('/api/agents/handoffs')) as { handoffs: { state: string }[] }).handoffs;
    await expect
      .poll(async () => (await onward()).map(({ state }) => state))
      .toEqual(['done', 'done']);

    const { events, ...rest } = (await server.read(EVENTS, { project_id: PROJECT })) as {
      events: { id: string; kind: string; agent_id: string; content: string; timestamp: string }[];
    };

    expect(rest).toEqual({ project_id: PROJECT });
    const told = events.map(({ kind, agent_id: agent, content }) => [agent, kind, content]);
    expect(told).toContainEqual([
      LINCE,
      'action',
      `hands over to ${BUHO}: => agent_default: mend it`,
    ]);
    expect(told).toContainEqual([BUHO, 'action', 'calls agent.handoff']);
    expect(told).toContainEqual([BUHO, 'action', 'has finished']);
    expect(told).toContainEqual(['agent_default', 'thought', 'I was told: mend it']);
    const times = events.map(({ timestamp }) => timestamp);
    expect(times).toEqual([...times].sort().reverse());
    expect(events[0]).toEqual({
      id: expect.stringMatching(/^evt_|^handoff_/),
      project_id: PROJECT,
      agent_id: expect.any(String),
      agent_name: expect.any(String),
      kind: expect.stringMatching(/thought|action/),
      content: expect.any(String),
      run_id: expect.stringMatching(/^run_/),
      timestamp: ISO,
    });
    const two = (await server.read(EVENTS, { project_id: PROJECT, limit: '2' })) as {
      events: unknown[];
    };
    expect(two.events).toEqual(events.slice(0, 2));
    for (const limit of ['0', '-1', '101', 'x']) {
      const { status } = await server.call(`${EVENTS}?project_id=a&limit=${limit}`);
      expect([limit, status]).toEqual([limit, 400]);
    }
  });

  test('lists the projects there are, by id, in pages', async () => {
    const server = await openTeamServer(engine);
    await ended(server, 'p b');
    const fact = { subject: 's', relation: 'r', object: 'o' };
    await server.post('/api/knowledge/facts', { project_id: 'P a 🦀', ...fact });
    await server.settled(await server.give({ project_id: 'p' }));
    // Between the two, also where a collation would put it elsewhere.
    const metadata = { agent_id: 'lince', project_id: 'Z "q"', source: 'note', tags: [] };
    const remembered = { content: 'x', metadata, priority_score: 5 };
    expect(await server.post('/api/memory/ingest', remembered)).toMatchObject({ status: 202 });

    const first = (await server.read('/api/projects', { limit: '3' })) as { next_cursor: string };
    const second = await server.read('/api/projects', { cursor: first.next_cursor });

    const common = { failed: 0, cancelled: 0, facts: 0, last_activity_at: ISO };
    const done = { overall_status: 'done', tasks: { todo: 0, doing: 0, done: 1 } };
    expect(first).toEqual({
      projects: [
        {
          ...common,
          project_id: 'P a 🦀',
          overall_status: 'idle',
          tasks: { todo: 0, doing: 0, done: 0 },
          facts: 1,
        },
        {
          ...common,
          project_id: 'Z "q"',
          overall_status: 'idle',
          tasks: { todo: 0, doing: 0, done: 0 },
        },
        { ...common, ...done, project_id: 'p' },
      ],
      next_cursor: expect.any(String),
    });
    expect(second).toEqual({
      projects: [{ ...common, ...done, project_id: 'p b' }],
      next_cursor: null,
    });
    for (const query of ['limit=0', 'limit=-1', 'limit=999', 'cursor=x']) {
      const { status } = await server.call(`/api/projects?${query}`);
      expect([query, status]).toEqual([query, 400]);
    }
  });
});
