import type { RunId, SessionId } from '../../../src/core/ids.ts';
import type { LeaseRef } from '../../../src/core/runs/run-store.ts';
import { type AdminServer, AGENT, START, seal } from './test-admin-server.ts';

const PLACE = { agentId: AGENT, channel: 'http', userId: 'ana', roomId: 'dev' };

export const SESSION = {
  session_id: 'session_1',
  agent_id: 'agent_default',
  channel: 'http',
  user_id: 'ana',
  room_id: 'dev',
  title: '',
  message_count: 0,
  last_exchange: 0,
  forked_from: null,
  created_at: START,
  updated_at: START,
  closed_at: null,
};

/** The same in lists, and by itself: with what goes on in it. */
export const SEEN = { ...SESSION, state: 'idle', run: null, approval_id: null, last_message: null };
export const LISTED = { ...SEEN, match: null };

export const open = ({ storage }: AdminServer, id: string, place: object = {}) =>
  storage.sessions.create({ ...PLACE, ...place }, id as SessionId);

/** A run that has only been asked yet. */
export async function start(server: AdminServer, runId: string, text: string): Promise<LeaseRef> {
  const created = await server.storage.runs.create(
    {
      id: runId as RunId,
      agentId: AGENT,
      source: 'http',
      message: text,
      sessionId: 'session_1' as SessionId,
    },
    [seal({ type: 'run.created', payload: {}, message: { role: 'user', content: text } })],
    {
      maxQueued: 10,
      lease: {
        owner: 'test',
        leaseMs: 60_000,
        started: seal({ type: 'run.started', payload: {} }),
      },
    },
  );
  if (created.outcome !== 'created' || !created.lease) throw new Error(`${runId} is not ours`);
  return { runId: runId as RunId, leaseId: created.lease.id };
}

/** One exchange: a question, a tool, an answer, in a run that has ended. */
export async function converse(server: AdminServer, runId: string, text: string): Promise<void> {
  const { runs } = server.storage;
  const lease = await start(server, runId, text);
  const message = {
    role: 'tool',
    content: '{"tool":"time.now"}',
    toolName: 'time.now',
    toolCallId: 'call_1',
  } as const;
  await runs.append(lease, [seal({ type: 'tool.result', payload: {}, message })]);
  await runs.finish(
    lease,
    [seal({ type: 'run.failed', payload: {}, message: { ...ANSWER, status: 'failed' } })],
    {
      status: 'failed',
      stopReason: 'failed',
      output: '',
      totals: { turns: 1, toolCalls: 1, inputTokens: 0, outputTokens: 0, costUsd: 0 },
    },
  );
}

export const ANSWER = { role: 'assistant', content: 'it went wrong' } as const;

export const exchange = (number: number, runId: string, text: string) => {
  const common = { ts: START, exchange: number, run_id: runId };
  return [
    { role: 'user', content: text, ...common },
    {
      role: 'tool',
      content: '{"tool":"time.now"}',
      ...common,
      tool_name: 'time.now',
      tool_call_id: 'call_1',
    },
    { ...ANSWER, ...common, status: 'failed' },
  ];
};
