import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Event, EventType } from '../events/event.ts';
import type { AgentId, EventId, RunId, SessionId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import type { Run } from '../runs/run.ts';
import { encodeAuditLine } from './audit-line.ts';
import { createBundle, findPrompt } from './bundle.ts';

const START_MS = Date.parse('2026-02-15T00:00:00.000Z');
const runId = 'run_123' as RunId;
const agentId = 'agent_default' as AgentId;

const run: Run = {
  id: runId,
  agentId,
  owner: 'operator',
  sessionId: 'session_abc' as SessionId,
  projectId: undefined,
  thread: undefined,
  forkedFrom: undefined,
  exchange: 1,
  source: 'http',
  status: 'failed',
  message: 'Summarize',
  lastSeq: 6,
  output: 'It failed.',
  stopReason: 'failed',
  error: { code: 'provider_failed', message: 'no answer' },
  provider: 'offline',
  model: 'rules',
  totals: { turns: 2, toolCalls: 2, inputTokens: 10, outputTokens: 4, costUsd: null },
  createdAtMs: START_MS,
  startedAtMs: START_MS + 10,
  updatedAtMs: START_MS + 60,
  endedAtMs: START_MS + 60,
};

function event(seq: number, type: EventType, payload: JsonObject): Event {
  const id = `evt_${seq}` as EventId;
  const rest = { actor: 'system', redactions: [], prevHash: 'p', hash: 'h' } as const;
  return { id, runId, agentId, seq, type, atMs: START_MS + seq, payload, ...rest };
}

const events = [
  event(1, 'run.created', { message: 'Summarize' }),
  event(2, 'model.requested', { system: 'You are an agent.' }),
  event(3, 'tool.call', { request_id: 'req_1', tool: 'fs.read', input: {} }),
  event(4, 'tool.call', { request_id: 'req_2', tool: 'fs.list', input: {} }),
  event(5, 'tool.result', { request_id: 'req_1', tool: 'fs.read', ok: true, output: {} }),
  event(6, 'run.failed', {}),
];

function sha256(text = ''): string {
  return createHash('sha256').update(text).digest('hex');
}

test('a bundle holds input, prompt, events, paired tool calls, output and meta data', () => {
  const bundle = createBundle({ run, events, prompt: findPrompt(events) });

  expect({ ...bundle, files: Object.fromEntries(bundle.files) }).toEqual({
    runId,
    agentId,
    files: {
      'input.json': `{
  "run_id": "run_123",
  "agent_id": "agent_default",
  "session_id": "session_abc",
  "source": "http",
  "message": "Summarize",
  "created_at": "2026-02-15T00:00:00.000Z"
}
`,
      'prompt.md': 'You are an agent.\n',
      'events.jsonl': events.map((each) => `${encodeAuditLine(each).json}\n`).join(''),
      'toolcalls.jsonl':
        '{"request":{"request_id":"req_1","tool":"fs.read","input":{}},' +
        '"result":{"request_id":"req_1","tool":"fs.read","ok":true,"output":{}},' +
        '"started_at":"2026-02-15T00:00:00.003Z","completed_at":"2026-02-15T00:00:00.005Z"}\n' +
        '{"request":{"request_id":"req_2","tool":"fs.list","input":{}},"result":null,' +
        '"started_at":"2026-02-15T00:00:00.004Z","completed_at":null}\n',
      'output.md': 'It failed.\n',
      'meta.json': `{
  "bundle_version": 1,
  "run_id": "run_123",
  "agent_id": "agent_default",
  "artifact_path": ".openclawssy/agents/agent_default/runs/run_123",
  "status": "failed",
  "stop_reason": "failed",
  "started_at": "2026-02-15T00:00:00.010Z",
  "completed_at": "2026-02-15T00:00:00.060Z",
  "duration_ms": 50,
  "turn_count": 2,
  "tool_call_count": 2,
  "provider": "offline",
  "model": "rules",
  "usage": {
    "input_tokens": 10,
    "output_tokens": 4
  },
  "cost_usd": null,
  "error": {
    "code": "provider_failed",
    "message": "no answer"
  },
  "files": {
    "input.json": "${sha256(bundle.files.get('input.json'))}",
    "prompt.md": "${sha256('You are an agent.\n')}",
    "events.jsonl": "${sha256(bundle.files.get('events.jsonl'))}",
    "toolcalls.jsonl": "${sha256(bundle.files.get('toolcalls.jsonl'))}",
    "output.md": "${sha256('It failed.\n')}"
  }
}
`,
    },
  });
});

test('the input of a run of a thread is what its frames brought', () => {
  const thread = { id: 'thread_1', staysOpen: true };
  const frame = { frame_id: 'frm_1', type: 'user_message', payload: { text: 'hi' } };
  const framed = [event(1, 'run.created', {}), event(2, 'frame.accepted', frame)];

  const { files } = createBundle({
    run: { ...run, message: '', thread },
    events: framed,
    prompt: '',
  });

  expect(JSON.parse(files.get('input.json') ?? '')).toMatchObject({
    message: '',
    thread_id: 'thread_1',
    frames: [{ seq: 2, accepted_at: '2026-02-15T00:00:00.002Z', ...frame }],
  });
});

test('a run that was cancelled before it began has a bundle too', () => {
  const cancelled: Run = {
    ...run,
    status: 'cancelled',
    stopReason: 'cancelled',
    sessionId: undefined,
    output: undefined,
    error: undefined,
    provider: undefined,
    model: undefined,
    startedAtMs: undefined,
  };

  const { files } = createBundle({ run: cancelled, events: [], prompt: findPrompt([]) });
  const meta = JSON.parse(files.get('meta.json') ?? '') as JsonObject;

  expect(meta).toMatchObject({
    status: 'cancelled',
    started_at: null,
    provider: null,
    error: null,
  });
  expect([files.get('prompt.md'), files.get('output.md'), files.get('events.jsonl')]).toEqual([
    '',
    '',
    '',
  ]);
});
