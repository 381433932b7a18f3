import { expect, test } from 'vitest';
import type { Message, ModelPart, ModelRequest } from '../../core/loop/model.ts';
import { createOfflineModel } from './offline-model.ts';

const TOOLS = ['fs.list', 'fs.read', 'fs.write', 'code.search', 'time.now'];

function ask(messages: Message[], tools: readonly string[] = TOOLS): ModelRequest {
  return {
    system: 'You are an agent.',
    messages,
    tools: tools.map((name) => ({ name, description: '', inputSchema: {} })),
  };
}

async function collect(request: ModelRequest): Promise<ModelPart[]> {
  const parts: ModelPart[] = [];
  for await (const part of createOfflineModel().stream(request, new AbortController().signal)) {
    parts.push(part);
  }
  return parts;
}

function textOf(parts: readonly ModelPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.delta : '')).join('');
}

/** The conversation after the model called `tool` and got `text` back. */
function afterResult(tool: string, text: string, ok = true): Message[] {
  return [
    { role: 'user', text: 'list files' },
    { role: 'assistant', text: '', toolCalls: [{ callId: 'c', tool, input: {} }] },
    { role: 'tool', callId: 'c', tool, ok, text },
  ];
}

test('calls the tool that was asked for', async () => {
  const request = ask([{ role: 'user', text: 'read file a.txt' }]);

  expect(await collect(request)).toEqual([
    { type: 'tool_call', call: { callId: 'offline-1', tool: 'fs.read', input: { path: 'a.txt' } } },
    { type: 'finish', reason: 'tool_calls', usage: { inputTokens: 7, outputTokens: 1 } },
  ]);
  expect(await collect(request)).toEqual(await collect(request));
});

test.each([
  ['fs.list', '{"path":".","entries":["a.txt","src/"]}', '. holds:\n- a.txt\n- src/'],
  ['fs.list', '{"path":"x","entries":[]}', 'x is empty.'],
  ['fs.read', '{"path":"a.txt","content":"line\\nline","truncated":false}', 'a.txt:\n\nline\nline'],
  [
    'code.search',
    '{"matches":[{"path":"a.ts","line":3,"text":"  hit"}]}',
    'Found 1:\n- a.ts:3: hit',
  ],
  ['code.search', '{"matches":[]}', 'Nothing matches.'],
  [
    'fs.write',
    '{"path":"a","bytes":3,"lines":1,"summary":"wrote 1 line(s) to a"}',
    'Done: wrote 1 line(s) to a.',
  ],
  ['time.now', '{"rfc3339":"2026-03-01T10:00:00Z","unix":1}', 'It is 2026-03-01T10:00:00Z.'],
  ['other.tool', '{"n":1}', 'other.tool: {"n":1}'],
  [
    'fs.read',
    '{"path":"a.txt","content":"cut off he',
    'fs.read: {"path":"a.txt","content":"cut off he',
  ],
])('turns a result of %s into an answer', async (tool, output, expected) => {
  const parts = await collect(ask(afterResult(tool, output)));

  expect(textOf(parts)).toBe(expected);
  expect(parts.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' });
});

test.each([
  ['no such file: a.txt', 'fs.read failed: no such file: a.txt'],
  [
    '{"error":{"code":"policy.denied","message":"outside the workspace"}}',
    'fs.read failed: outside the workspace',
  ],
])('reports a failure and does not try again: %s', async (text, expected) => {
  const parts = await collect(ask(afterResult('fs.read', text, false)));

  expect(textOf(parts)).toBe(expected);
  expect(parts.filter((part) => part.type === 'tool_call')).toEqual([]);
});

test('answers the newest message, not an earlier result', async () => {
  const messages: Message[] = [
    ...afterResult('time.now', '{"rfc3339":"x"}'),
    { role: 'assistant', text: 'It is x.', toolCalls: [] },
    { role: 'user', text: 'list files' },
  ];

  const parts = await collect(ask(messages));

  expect(parts[0]).toEqual({
    type: 'tool_call',
    call: { callId: 'offline-5', tool: 'fs.list', input: { path: '.' } },
  });
});

test('says what it is and how to get a real model, in several deltas', async () => {
  const parts = await collect(ask([{ role: 'user', text: 'Summarize the news' }]));

  expect(parts.filter((part) => part.type === 'text')).toHaveLength(4);
  expect(textOf(parts)).toContain('I am the offline model (offline/rules)');
  expect(textOf(parts)).toContain('set CLAW_MODEL=<provider>/<name>');
});

test.each([
  [
    'remember that I like tea',
    'I cannot remember or recall: no memory tool is available to this agent.',
  ],
  ['recall tea', 'I cannot remember or recall: no memory tool is available to this agent.'],
  [
    '/tool shell.exec {"command":"ls"}',
    'The tool shell.exec is not available here. Available: time.now.',
  ],
  ['/tool time.now {', '/tool time.now needs a JSON object, as in /tool fs.list {"path": "."}'],
])('says plainly that it cannot: %s', async (text, expected) => {
  expect(textOf(await collect(ask([{ role: 'user', text }], ['time.now'])))).toBe(expected);
});

test('remembers when a memory tool is offered', async () => {
  const parts = await collect(
    ask([{ role: 'user', text: 'remember I like tea' }], ['memory.write']),
  );

  expect(parts[0]).toEqual({
    type: 'tool_call',
    call: { callId: 'offline-1', tool: 'memory.write', input: { content: 'I like tea' } },
  });
});
