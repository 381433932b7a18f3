import { expect, vi } from 'vitest';
import { addAgent } from './chat-rig.ts';
import { type DashboardRoot, PATIENCE_MS } from './dashboard-root.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';

export const OF_EACH_RUN = 20;
/** Texts of one line, as names and terms have to be. */
const LINES = HOSTILE_TEXTS.filter((text) => !/\p{C}/u.test(text));
const SHORT = LINES.filter(({ length }) => length <= 80);
const PROJECT = 'proj_001';

export interface HostileState {
  readonly sessionId: string;
  readonly runIds: readonly string[];
  /** One that waits for an answer about a call. */
  readonly waitingId: string;
  readonly agentIds: readonly string[];
}

interface Said {
  readonly id: string;
  readonly session_id: string;
}

/** Puts them wherever something is shown that somebody else may have written. */
export async function seedHostileTexts(root: DashboardRoot): Promise<HostileState> {
  const said = await sayAll(root);
  const sessionId = said[0]?.session_id ?? '';
  await keepSome(root, sessionId);
  const agentIds = await addAgents(root);
  const waitingId = await askForApproval(root);
  const runIds = said.map(({ id }) => id);
  for (const id of runIds) await reach(root, id, 'completed');
  await reach(root, waitingId, 'waiting');
  // Only now: it would hold the runs back.
  const [reason = ''] = HOSTILE_TEXTS;
  await root.ask('PUT', '/api/admin/kill-switch', { on: true, reason });
  await root.ask('PUT', '/api/admin/kill-switch', { on: false, reason });
  return { sessionId, runIds, waitingId, agentIds };
}

async function sayAll(root: DashboardRoot): Promise<Said[]> {
  const said: Said[] = [];
  for (let at = 0; at < HOSTILE_TEXTS.length; at += OF_EACH_RUN) {
    const message = HOSTILE_TEXTS.slice(at, at + OF_EACH_RUN).join('\n\n');
    const body = { user_id: 'dashboard_user', room_id: 'hostile', message };
    said.push((await root.ask('POST', '/v1/chat/messages', body)) as Said);
  }
  return said;
}

async function keepSome(root: DashboardRoot, sessionId: string): Promise<void> {
  const items = HOSTILE_TEXTS.map((content) => ({
    content,
    priority_score: 8,
    metadata: { agent_id: 'agent_default', project_id: PROJECT, source: 'chat', tags: ['x'] },
  }));
  await root.ask('POST', '/api/memory/ingest/batch', { items });
  for (const text of LINES.slice(0, 10)) {
    const fact = { project_id: PROJECT, subject: text, relation: text.slice(0, 60), object: text };
    await root.ask('POST', '/api/knowledge/facts', fact);
  }
  await root.ask('POST', '/api/admin/scheduler/jobs', {
    ...{ job_id: 'hostile', agent_id: 'agent_default', schedule: '@every 24h' },
    message: HOSTILE_TEXTS.slice(0, OF_EACH_RUN).join('\n'),
    ...{ mode: 'isolated', enabled: true },
  });
  const [title = ''] = SHORT;
  await root.ask('PATCH', `/api/admin/chat/sessions/${sessionId}`, { title });
}

async function addAgents(root: DashboardRoot): Promise<string[]> {
  const added: string[] = [];
  for (const name of SHORT.slice(0, 8)) {
    const { agent } = (await root.ask('POST', '/api/agents/spawn', {
      ...{ name, role: name, personality_template: 'default', voice_id: 'none' },
      ...{ skills: [], memory_access: 'private' },
    })) as { agent: { id: string } };
    added.push(agent.id);
  }
  const [from_agent_id, to_agent_id] = added;
  const content = HOSTILE_TEXTS.slice(0, OF_EACH_RUN).join('\n');
  const given = { from_agent_id, to_agent_id, project_id: PROJECT, content };
  await root.ask('POST', '/api/agents/handoff', given);
  return added;
}

/** A call whose arguments, and whose outcome before it, are made of them. */
async function askForApproval(root: DashboardRoot): Promise<string> {
  const content = HOSTILE_TEXTS.join('\n');
  await addAgent(root, 'writer', [
    { toolCalls: [{ tool: 'code.search', input: { query: SHORT[0] ?? '', path: '.' } }] },
    { text: [content], toolCalls: [{ tool: 'fs.write', input: { path: 'x.html', content } }] },
  ]);
  const body = { agent_id: 'writer', message: 'write' };
  return ((await root.ask('POST', '/v1/runs', body)) as Said).id;
}

async function reach(root: DashboardRoot, runId: string, status: string): Promise<void> {
  const read = () => root.ask('GET', `/v1/runs/${runId}`) as Promise<{ status: string }>;
  await vi.waitFor(async () => expect((await read()).status).toBe(status), {
    timeout: PATIENCE_MS,
  });
}
