import { describe, expect, test } from 'vitest';
import { TEST_ENGINES } from '../../../support/test-engines.ts';
import { BUHO, ISO, LINCE, openTeamServer, PROJECT, type TeamServer } from '../open-team-server.ts';

const FEED = '/api/knowledge/feed';
const GRAPH = '/api/knowledge/graph';

interface Feed {
  readonly entries: readonly { readonly id: string; readonly kind: string }[];
  readonly next_cursor: string | null;
}

interface Graph {
  readonly nodes: readonly { readonly id: string }[];
  readonly edges: readonly { readonly from: string; readonly to: string }[];
  readonly next_cursor: string | null;
}

/** A hand-off with its outcome, a fact, a memory that matters and one that does not, and a run. */
async function learn(server: TeamServer) {
  const handoffId = await server.give({ content: 'mend the socket' });
  await server.settled(handoffId);
  const fact = { subject: 'socket', relation: 'is on', object: 'port 1', agent_id: 'buho' };
  const added = await server.post('/api/knowledge/facts', { project_id: PROJECT, ...fact });
  const memories = [];
  for (const [content, priority_score] of [
    ['said in passing', 5],
    ['the socket is ours', 9],
  ] as const) {
    const metadata = { agent_id: 'lince', project_id: PROJECT, source: 'chat', tags: ['Socket'] };
    const ingested = await server.post('/api/memory/ingest', { content, metadata, priority_score });
    memories.push((ingested.body as { memory_id: string }).memory_id);
  }
  const run = await server.runtime.runs.submit({
    agentId: LINCE as never,
    message: 'hello',
    source: 'http',
    projectId: PROJECT,
  });
  const isEnded = async () => (await server.runtime.runs.get(run.run.id)).status;
  await expect.poll(isEnded, { timeout: 20_000 }).toBe('completed');
  const { fact: stored } = added.body as { fact: { fact_id: string } };
  return { handoffId, factId: stored.fact_id, memories, runId: run.run.id };
}

describe.each(TEST_ENGINES.filter(({ available }) => available))('knowledge on $name', (engine) => {
  test('the graph shows more things than are read at once, and says when it does not', async () => {
    const server = await openTeamServer(engine);
    const metadata = { agent_id: 'lince', project_id: PROJECT, source: 'chat' };
    for (const half of ['a', 'b']) {
      const items = Array.from({ length: 300 }, (_, place) => ({
        content: `${half} ${place}`,
        metadata,
      }));
      await server.post('/api/memory/ingest/batch', { items });
    }

    const whole = await server.read(GRAPH, { project_id: PROJECT, limit: '20000' });
    const part = await server.read(GRAPH, { project_id: PROJECT, limit: '600' });

    const size = (graph: unknown) => (graph as { nodes: unknown[] }).nodes.length;
    expect([size(whole), size(part)]).toEqual([601, 600]);
    expect(whole).toMatchObject({ truncated: false });
    expect(part).toMatchObject({ truncated: true });
  });

  test('the feed tells what was learned and done, newest first', async () => {
    const server = await openTeamServer(engine);
    const { handoffId, factId, memories, runId } = await learn(server);
    await server.give({ project_id: 'another', content: 'not here' });

    const feed = await server.read(FEED, { project_id: PROJECT });

    expect(feed).toEqual({
      project_id: PROJECT,
      entries: [
        {
          id: runId,
          kind: 'run',
          agent_id: LINCE,
          message: 'I was told: hello',
          timestamp: ISO,
        },
        {
          id: memories[1],
          kind: 'memory',
          agent_id: LINCE,
          message: 'the socket is ours',
          timestamp: ISO,
        },
        {
          id: factId,
          kind: 'fact',
          agent_id: BUHO,
          message: 'socket is on port 1',
          timestamp: ISO,
        },
        {
          id: `${handoffId}.result`,
          kind: 'handoff_result',
          agent_id: BUHO,
          to_agent_id: LINCE,
          message: 'I was told: mend the socket',
          timestamp: ISO,
        },
        {
          id: handoffId,
          kind: 'handoff',
          agent_id: LINCE,
          to_agent_id: BUHO,
          message: 'mend the socket',
          timestamp: ISO,
        },
      ],
      next_cursor: null,
    });
  });

  test('the feed is paged without a gap or a repetition, also within one moment', async () => {
    const server = await openTeamServer(engine);
    const items = Array.from({ length: 30 }, (_, index) => ({
      content: `finding ${index}`,
      metadata: { agent_id: 'lince', project_id: PROJECT, source: 'chat' },
      priority_score: 9,
    }));
    await server.post('/api/memory/ingest/batch', { items });
    await server.give();
    const whole = (await server.read(FEED, { project_id: PROJECT, limit: '100' })) as Feed;

    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const page = { project_id: PROJECT, limit: '7', ...(cursor && { cursor }) };
      const { entries, next_cursor: next } = (await server.read(FEED, page)) as Feed;
      paged.push(...entries.map(({ id }) => id).filter((id) => id.startsWith('mem_')));
      cursor = next ?? undefined;
    } while (cursor !== undefined);

    expect(paged).toHaveLength(30);
    expect(paged).toEqual(whole.entries.map(({ id }) => id).filter((id) => id.startsWith('mem_')));
  });

  test('the graph shows how it hangs together', async () => {
    const server = await openTeamServer(engine);
    const { handoffId, memories } = await learn(server);

    const graph = await server.read(GRAPH, { project_id: PROJECT });

    const [passing, ours] = memories.map((id) => `memory:${id}`);
    const finding = `finding:${handoffId}`;
    expect(graph).toEqual({
      project_id: PROJECT,
      nodes: [
        { id: `agent:${LINCE}`, label: 'Lince', type: 'agent' },
        { id: ours, label: 'the socket is ours', type: 'memory' },
        { id: 'tag:socket', label: 'Socket', type: 'tag' },
        { id: passing, label: 'said in passing', type: 'memory' },
        { id: 'entity:socket', label: 'socket', type: 'entity' },
        { id: 'entity:port 1', label: 'port 1', type: 'entity' },
        { id: `agent:${BUHO}`, label: 'Búho 🦉', type: 'agent' },
        { id: finding, label: 'mend the socket', type: 'finding' },
      ],
      edges: [
        { from: `agent:${LINCE}`, to: ours, relation: 'knows' },
        { from: ours, to: 'tag:socket', relation: 'tagged' },
        { from: `agent:${LINCE}`, to: passing, relation: 'knows' },
        { from: passing, to: 'tag:socket', relation: 'tagged' },
        { from: 'entity:socket', to: 'entity:port 1', relation: 'is on' },
        { from: `agent:${BUHO}`, to: 'entity:socket', relation: 'knows' },
        { from: `agent:${LINCE}`, to: finding, relation: 'hands_off' },
        { from: finding, to: `agent:${BUHO}`, relation: 'received_by' },
      ],
      truncated: false,
      next_cursor: null,
    });
    const some = (await server.read(GRAPH, { project_id: PROJECT, limit: '3' })) as {
      nodes: unknown[];
    };
    expect(some).toMatchObject({ truncated: true });
    expect(some.nodes).toHaveLength(3);
  });

  test('pages of the graph bring everything once, and no edge that leads nowhere', async () => {
    const server = await openTeamServer(engine);
    await learn(server);
    const whole = (await server.read(GRAPH, { project_id: PROJECT })) as Graph;

    const pages: Graph[] = [];
    let cursor: string | null = null;
    do {
      const query = { project_id: PROJECT, limit: '3', ...(cursor && { cursor }) };
      const page = (await server.read(GRAPH, query)) as Graph;
      pages.push(page);
      cursor = page.next_cursor;
    } while (cursor !== null && pages.length < 20);

    expect(pages.length).toBeGreaterThan(2);
    expect(pages.flatMap(({ edges }) => edges)).toEqual(whole.edges);
    for (const { nodes, edges } of pages) {
      const ids = new Set(nodes.map(({ id }) => id));
      expect(nodes.length).toBeLessThanOrEqual(3);
      expect(edges.filter(({ from, to }) => !ids.has(from) || !ids.has(to))).toEqual([]);
    }
    const { status } = await server.call(`${GRAPH}?project_id=a&cursor=bm9uZQ`);
    expect(status).toBe(400);
  });

  test('an unknown project is empty, and none or a blank one is refused', async () => {
    const server = await openTeamServer(engine);
    const query = { project_id: 'nobody knows' };

    expect(await server.read(FEED, query)).toEqual({ ...query, entries: [], next_cursor: null });
    expect(await server.read(GRAPH, query)).toEqual({
      ...query,
      nodes: [],
      edges: [],
      truncated: false,
      next_cursor: null,
    });
    for (const path of [FEED, GRAPH]) {
      for (const bad of ['', '?project_id=', '?project_id=%20', '?project_id=a&limit=0']) {
        const { status, body } = await server.call(`${path}${bad}`);
        expect([path, bad, status]).toEqual([path, bad, 400]);
        expect(body).toMatchObject({ error: { details: { taxonomy: 'validation' } } });
      }
      const stranger = await server.call(`${path}?project_id=a`, {
        headers: { 'x-clawos-agent-id': 'nobody' },
      });
      expect(stranger.status).toBe(404);
    }
  });
});
