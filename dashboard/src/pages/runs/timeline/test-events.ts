import type { RunEvent } from '../../../api/use-run-events.ts';

/** Events as a server tells them, for tests. Times are milliseconds since the run was created. */
export const BEGIN = Date.parse('2026-02-15T00:00:00.000Z');
const RUN = 'run_01jv8z4q0k6c8m2v5w7x9y0z1a';

export type Draft = readonly [atMs: number, type: RunEvent['event_type'], payload?: object];

export function toEvents(drafts: readonly Draft[]): RunEvent[] {
  return drafts.map(([atMs, type, payload = {}], at) => ({
    event_id: `evt_${at}`,
    event_type: type,
    ts: new Date(BEGIN + atMs).toISOString(),
    run_id: RUN,
    agent_id: 'agent_default',
    seq: at + 1,
    actor: 'system',
    payload: payload as RunEvent['payload'],
  }));
}

export const asked = (turn: number, attempt = 1) => ({
  turn,
  attempt,
  provider: 'anthropic',
  model: 'claude',
  messages: 3,
  tools: 29,
  mode: 'normal',
});

export const answered = (turn: number, calls: readonly (readonly [string, string])[] = []) => ({
  turn,
  text: 'Done.',
  tool_calls: calls.map(([id, tool]) => ({ id, tool, input: {} })),
  finish_reason: calls.length === 0 ? 'stop' : 'tool_calls',
  usage: { input_tokens: 100, output_tokens: 10, cached_input_tokens: 80 },
  cost_usd: 0.01,
  duration_ms: 400,
  attempts: 1,
});

export const call = (id: string, tool = 'fs.read') => ({
  request_id: `req_${id}`,
  tool_call_id: id,
  tool,
  input: { path: 'a.txt' },
  effect: 'read',
  timeout_ms: 30_000,
});

export const result = (id: string, more: object = {}) => ({
  request_id: `req_${id}`,
  tool_call_id: id,
  ok: true,
  error: null,
  output: { text: 'x' },
  summary: 'read',
  ...more,
});
