import { afterEach, expect, test } from 'vitest';
import { type ProviderServer, streams } from '../../test/support/provider-server.ts';
import {
  ASK,
  CHAT_TEXT,
  collectParts,
  KEY,
  MESSAGE_CALLS,
  openServedModel,
  SCHEMA,
} from '../../test/support/served-model.ts';
import type { Model, ModelRequest } from '../core/loop/model.ts';

let server: ProviderServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function openModel(...args: Parameters<typeof openServedModel>): Promise<Model> {
  const served = await openServedModel(...args);
  server = served.server;
  return served.model;
}

test('sends the whole conversation in the form of the provider', async () => {
  const model = await openModel('openai', [streams(CHAT_TEXT)]);
  const request: ModelRequest = {
    ...ASK,
    maxOutputTokens: 77,
    messages: [
      { role: 'tool', callId: 'old', tool: 'fs.read', ok: true, text: 'left over' },
      { role: 'user', text: 'read both' },
      {
        role: 'assistant',
        text: 'Reading.',
        toolCalls: [
          { callId: 'c1', tool: 'fs.read', input: { path: 'a' } },
          { callId: 'odd id.1', tool: 'fs.read', input: { path: 'b' } },
          { callId: 'c3', tool: 'fs.gone', input: {} },
        ],
      },
      { role: 'tool', callId: 'c1', tool: 'fs.read', ok: true, text: '{"content":"A"}' },
      { role: 'tool', callId: 'odd id.1', tool: 'fs.read', ok: false, text: 'no such file' },
    ],
  };

  await collectParts(model, request);

  const call = (id: string, name: string, args: string) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  });
  expect(server?.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(server?.requests[0]?.body).toEqual({
    model: 'gpt-test',
    max_tokens: 77,
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'tool fs.read result (old):\nleft over' },
      { role: 'user', content: 'read both' },
      {
        role: 'assistant',
        content: 'Reading.',
        tool_calls: [
          call('c1', 'fs__read', '{"path":"a"}'),
          call('odd_id__1', 'fs__read', '{"path":"b"}'),
          call('c3', 'fs__gone', '{}'),
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: '{"content":"A"}' },
      { role: 'tool', tool_call_id: 'odd_id__1', content: 'no such file' },
      { role: 'tool', tool_call_id: 'c3', content: 'no result was recorded for this call' },
    ],
    tools: [
      {
        type: 'function',
        function: { name: 'fs__read', description: 'Reads a file', parameters: SCHEMA },
      },
    ],
  });
});

test('sends tool results to Anthropic as one turn of the user', async () => {
  const model = await openModel('anthropic', [streams(MESSAGE_CALLS)]);
  const request: ModelRequest = {
    ...ASK,
    maxOutputTokens: 77,
    messages: [
      { role: 'user', text: 'read' },
      {
        role: 'assistant',
        text: '',
        toolCalls: [
          { callId: 't1', tool: 'fs.read', input: { path: 'a' } },
          { callId: 't2', tool: 'fs.read', input: { path: 'b' } },
        ],
      },
      { role: 'tool', callId: 't1', tool: 'fs.read', ok: true, text: 'A' },
      { role: 'tool', callId: 't2', tool: 'fs.read', ok: false, text: 'no' },
    ],
  };

  await collectParts(model, request);

  expect(server?.requests[0]?.headers['x-api-key']).toBe(KEY);
  expect(server?.requests[0]?.body).toMatchObject({
    model: 'claude-test',
    max_tokens: 77,
    stream: true,
    system: [{ type: 'text', text: 'Be brief.' }],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'read' }] },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 't1', name: 'fs__read', input: { path: 'a' } },
          { type: 'tool_use', id: 't2', name: 'fs__read', input: { path: 'b' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't1', content: 'A' },
          { type: 'tool_result', tool_use_id: 't2', content: 'no', is_error: true },
        ],
      },
    ],
  });
});
