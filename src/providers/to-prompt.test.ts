import { expect, test } from 'vitest';
import { streams } from '../../test/support/provider-server.ts';
import {
  ASK,
  CHAT_TEXT,
  collectParts,
  KEY,
  MESSAGE_CALLS,
  openServedModel,
  SCHEMA,
} from '../../test/support/served-model.ts';
import type { ModelRequest } from '../core/loop/model.ts';

test('sends the whole conversation in the form of the provider', async () => {
  const { model, server } = await openServedModel('openai', [streams(CHAT_TEXT)]);
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
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(server.requests[0]?.body).toEqual({
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
  const { model, server } = await openServedModel('anthropic', [streams(MESSAGE_CALLS)]);
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

  expect(server.requests[0]?.headers['x-api-key']).toBe(KEY);
  expect(server.requests[0]?.body).toMatchObject({
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

const BLANK: ModelRequest = {
  ...ASK,
  tools: [],
  messages: [
    { role: 'user', text: 'one' },
    { role: 'user', text: 'two' },
    {
      role: 'assistant',
      text: ' \n',
      toolCalls: [{ callId: 'x'.repeat(60), tool: `naïve.${'y'.repeat(100)}`, input: {} }],
    },
    {
      role: 'tool',
      callId: 'x'.repeat(60),
      tool: `naïve.${'y'.repeat(100)}`,
      ok: true,
      text: '',
    },
    { role: 'assistant', text: '  ', toolCalls: [] },
    { role: 'user', text: 'and?' },
  ],
};

test('sends no blank text, no tools when there are none, and no id or name that is too long', async () => {
  const { model, server } = await openServedModel('openai', [streams(CHAT_TEXT)]);

  await collectParts(model, BLANK);

  const id = 'x'.repeat(40);
  expect(server.requests[0]?.body).toEqual({
    model: 'gpt-test',
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'one' },
      { role: 'user', content: 'two' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id,
            type: 'function',
            function: { name: `na_ve__${'y'.repeat(57)}`, arguments: '{}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: id, content: '' },
      { role: 'user', content: 'and?' },
    ],
  });
});

test('sends Anthropic no blank text, which it refuses, and joins turns of the user', async () => {
  const { model, server } = await openServedModel('anthropic', [streams(MESSAGE_CALLS)]);

  await collectParts(model, BLANK);

  const id = 'x'.repeat(40);
  const sent = server.requests.map(({ body }) => (body as { messages: unknown }).messages);
  expect(sent).toEqual([
    [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'one' },
          { type: 'text', text: 'two' },
        ],
      },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id, name: `na_ve__${'y'.repeat(57)}`, input: {} }],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: id, content: '' },
          { type: 'text', text: 'and?' },
        ],
      },
    ],
  ]);
});

test.each(['openai', 'anthropic'] as const)(
  'sends %s no half characters, for which it would refuse the whole request',
  async (provider) => {
    const { model, server } = await openServedModel(provider, [streams(CHAT_TEXT)]);
    const half = 'cut \uD83D';

    await collectParts(model, {
      system: half,
      tools: [{ name: 'fs.read', description: half, inputSchema: { type: 'object', title: half } }],
      messages: [
        { role: 'user', text: half },
        {
          role: 'assistant',
          text: half,
          toolCalls: [{ callId: 'c1', tool: 'fs.read', input: { [half]: [half, 1, null] } }],
        },
        { role: 'tool', callId: 'c1', tool: 'fs.read', ok: true, text: half },
      ],
    });

    const sent = JSON.stringify(server.requests[0]?.body);
    expect(sent).not.toMatch(/\\ud83d/i);
    expect(sent.split('cut \uFFFD').length - 1).toBe(8);
  },
);

test('a conversation that begins with a message of ours gets one of the user before it', async () => {
  const { model, server } = await openServedModel('anthropic', [streams(MESSAGE_CALLS)]);

  await collectParts(model, {
    ...ASK,
    messages: [
      { role: 'assistant', text: 'Your report is ready.', toolCalls: [] },
      { role: 'user', text: 'thanks' },
    ],
  });

  const sent = server.requests.map(({ body }) => (body as { messages: unknown }).messages);
  expect(sent).toEqual([
    [
      {
        role: 'user',
        content: [{ type: 'text', text: '(The conversation begins with your message.)' }],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'Your report is ready.' }] },
      { role: 'user', content: [{ type: 'text', text: 'thanks' }] },
    ],
  ]);
});
