import { expect, test } from 'vitest';
import * as z from 'zod';
import { DEFAULT_AGENT_ID, type RequestId, type RunId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import { createRedactor } from '../redact/create-redactor.ts';
import { defineTool } from '../tools/tool.ts';
import type { PreparedCall } from '../tools/tool-runner.ts';
import { message } from './test-history.ts';
import { parseArguments, parseToolRecord, toToolMessage } from './tool-record.ts';

const SECRET = 'correct-horse-battery-staple';
const redactor = createRedactor({ secrets: () => [SECRET] });

function callWith(input: JsonObject): PreparedCall {
  return {
    envelope: {
      requestId: 'req_1' as RequestId,
      runId: 'run_1' as RunId,
      agentId: DEFAULT_AGENT_ID,
      callId: 'call_1',
      tool: 'fs.write',
    },
    principal: 'operator',
    tool: defineTool({
      name: 'fs.write',
      description: 'writes',
      effect: 'write',
      traits: ['secret_data'],
      input: z.object({}),
      execute: async () => ({}),
    }),
    input,
    timeoutMs: 1_000,
    callerKey: undefined,
    refusal: undefined,
    payload: {},
  };
}

test('remembers what a call was and what came of it', () => {
  const payload = { ok: true, output: { path: 'a', bytes: 2 }, error: null, summary: ' wrote a ' };

  const draft = toToolMessage(redactor, callWith({ path: 'a' }), { payload });

  expect(draft).toEqual({
    role: 'tool',
    toolName: 'fs.write',
    toolCallId: 'call_1',
    content: {
      tool: 'fs.write',
      id: 'call_1',
      summary: 'wrote a',
      output: '{"bytes":2,"path":"a"}',
      error: '',
      error_code: '',
      error_message: '',
      arguments: '{"path":"a"}',
      effect: 'write',
      traits: ['secret_data'],
    },
  });
});

test('remembers why a call failed', () => {
  const error = { code: 'policy.denied', message: 'not granted', retryable: false };
  const payload = { ok: false, error, summary: 'error: not granted' };

  const { content } = toToolMessage(redactor, callWith({}), { payload });

  expect(content).toMatchObject({
    summary: '',
    output: '',
    error: 'policy.denied: not granted',
    error_code: 'policy.denied',
    error_message: 'not granted',
  });
});

test('keeps no more than an excerpt, and no half of a secret at its end', () => {
  const lead = 4_000 - 3 - '{"content":"'.length;
  const output = { content: `${'😀'.repeat(lead - 10)}${SECRET}${'y'.repeat(50_000)}` };
  const input = { content: 'x'.repeat(1_000) };

  const { content } = toToolMessage(redactor, callWith(input), {
    payload: { output, error: null },
  });

  expect(content).toMatchObject({
    output: `{"content":"${'😀'.repeat(lead - 10)}[REDACTED]...`,
    arguments: '',
  });
});

test('keeps no secret that a model took for the name of a tool or of a call', () => {
  const call = callWith({});
  const envelope = { ...call.envelope, tool: `get.${SECRET}`, callId: SECRET };

  const draft = toToolMessage(redactor, { ...call, envelope, tool: undefined }, { payload: {} });

  expect(JSON.stringify(draft)).not.toContain(SECRET);
  expect(draft).toMatchObject({ toolName: 'get.[REDACTED]', toolCallId: '[REDACTED]' });
});

test('reads a record back, and takes anything else for an output', () => {
  const { content } = toToolMessage(redactor, callWith({ path: 'a' }), { payload: {} });
  const own = message({ role: 'tool', content: content as object, toolName: 'fs.write' });
  const foreign = message({ role: 'tool', content: '[1,2]', toolCallId: 'c' });

  const records = [own, foreign].map(parseToolRecord);

  expect(records[0]).toEqual(content);
  expect(records.map(parseArguments)).toEqual([{ path: 'a' }, {}]);
  expect(records[1]).toMatchObject({ tool: 'unknown', id: 'c', output: '[1,2]', summary: '' });
});
