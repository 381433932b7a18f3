import { expect } from 'vitest';
import type { AgentId } from '../../../src/core/ids.ts';
import type { TestServer } from './test-server.ts';

export const MESSAGE = {
  user_id: '123456',
  room_id: 'dev-room',
  agent_id: 'agent_default',
  message: 'Summarize today updates',
};

export interface Queued {
  readonly id: string;
  readonly session_id: string;
}

export async function send(server: TestServer, fields: object = {}): Promise<Queued> {
  const answer = await server.post('/v1/chat/messages', { ...MESSAGE, ...fields });
  expect(answer.status).toBe(202);
  return answer.body as Queued;
}

export async function stored(server: TestServer) {
  const { runs } = await server.runs.list({ limit: 200 });
  const { sessions } = await server.sessions.list({ includeClosed: true, limit: 200 });
  return { runs: runs.length, sessions: sessions.length };
}

export async function addAgent(server: TestServer, id: string): Promise<void> {
  const agent = { id: id as AgentId, name: `The ${id}`, role: 'assistant', model: undefined };
  await server.storage.agents.ensure({ ...agent, instructions: '' });
}
