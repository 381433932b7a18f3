import { expect } from 'vitest';
import type { AgentId } from '../../../src/core/ids.ts';
import type { Model, ModelRequest } from '../../../src/core/loop/model.ts';
import type { TestEngine } from '../../support/test-engines.ts';
import { type ApiServer, type ApiServerOptions, openApiServer } from './open-api-server.ts';

export const PROJECT = 'proj_001';
export const LINCE = 'agent_lince';
export const SASTRE = 'agent_sastre';
export const BUHO = 'agent_buho';
export const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

export interface TeamServer extends ApiServer {
  read(path: string, query?: Readonly<Record<string, string>>): Promise<unknown>;
  /** Hands over and answers with the id. */
  give(fields?: Readonly<Record<string, string>>): Promise<string>;
  /** Waits until the hand-off has been reported. */
  settled(handoffId: string): Promise<Settled>;
}

interface Settled {
  readonly run_id: string;
  readonly state: string;
}

export interface TeamOptions extends Omit<ApiServerOptions, 'engine'> {
  readonly model?: Model;
}

/** Says what it was told, unless it is told to hand on: `=> agent: content` in its message. */
export const RELAY: Model = {
  provider: 'test',
  name: 'relay',
  toolCalls: 'native',
  async *stream({ messages }: ModelRequest) {
    const usage = { inputTokens: 1, outputTokens: 1 };
    const last = messages.at(-1);
    const text = last?.role === 'assistant' ? '' : (last?.text ?? '');
    const [, to, content] = /=> (\w+): (.*)$/s.exec(text) ?? [];
    if (last?.role === 'user' && to !== undefined && content !== undefined) {
      const input = { to_agent_id: to, content };
      yield { type: 'tool_call', call: { callId: 'call_1', tool: 'agent.handoff', input } };
      yield { type: 'finish', reason: 'tool_calls', usage };
      return;
    }
    yield { type: 'text', delta: `I was told: ${text.split('\n').at(-1)}` };
    yield { type: 'finish', reason: 'stop', usage };
  },
};

/** With three agents: Lince and Búho share what they know, Sastre keeps it to itself. */
export async function openTeamServer(
  engine: TestEngine,
  { model = RELAY, config = {}, ...options }: TeamOptions = {},
): Promise<TeamServer> {
  const server = await openApiServer({
    engine,
    config: { tools: { granted: ['agent.*', 'knowledge.*'] }, ...config },
    models: { get: async () => model, describe: async () => model },
    ...options,
  });
  await addTeam(server);
  async function read(path: string, query: Readonly<Record<string, string>> = {}) {
    const answer = await server.call(`${path}?${new URLSearchParams(query)}`);
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    return answer.body;
  }
  return {
    ...server,
    read,
    async give(fields = {}) {
      const body = { from_agent_id: 'lince', to_agent_id: 'buho', project_id: PROJECT, ...fields };
      const answer = await server.post('/api/agents/handoff', { content: 'look at it', ...body });
      if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
      return (answer.body as { handoff_id: string }).handoff_id;
    },
    async settled(handoffId) {
      const path = `/api/agents/handoffs/${handoffId}`;
      const isReported = async () =>
        ((await read(path)) as { reported_at: string | null }).reported_at !== null;
      await expect.poll(isReported, { timeout: 20_000, interval: 25 }).toBe(true);
      return (await read(path)) as Settled;
    },
  };
}

async function addTeam({ runtime }: Pick<ApiServer, 'runtime'>): Promise<void> {
  const common = { role: '', model: undefined, instructions: '' };
  for (const [id, slug, name, memoryAccess] of [
    [LINCE, 'lince', 'Lince', 'global'],
    [BUHO, 'buho', 'Búho 🦉', 'global'],
    [SASTRE, 'sastre', 'Sastre', 'private'],
  ] as const) {
    await runtime.storage.agents.ensure({ ...common, id: id as AgentId, slug, name, memoryAccess });
  }
}
