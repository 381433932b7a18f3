import { expect, test } from 'vitest';
import type { Message, ModelPart, ModelRequest } from '../../core/loop/model.ts';
import { createOfflineModel, EXAMPLES } from './offline-model.ts';
import { understandRequest } from './understand-request.ts';

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

test.each([
  ['fs.write', 'hello\n', 'Done: wrote 1 line(s) to a.txt.'],
  ['fs.write', 'hello', 'Done: wrote 1 line(s) to a.txt.'],
  ['fs.append', 'a\nb\n', 'Done: appended 2 line(s) to a.txt.'],
  ['fs.append', '', 'Done: appended 0 line(s) to a.txt.'],
])('counts lines as people do: %s of %j', async (tool, content, said) => {
  const [user, , result] = afterResult(tool, '{"path":"a.txt","lines":9,"summary":"9 line(s)"}');
  const toolCalls = [{ callId: 'c', tool, input: { path: 'a.txt', content } }];
  const messages = [user, { role: 'assistant', text: '', toolCalls }, result] as Message[];

  expect(textOf(await collect(ask(messages)))).toBe(said);
});

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
    'fs.glob',
    '{"matches":["a.md","docs/b.md"],"truncated":false}',
    'Found 2:\n- a.md\n- docs/b.md',
  ],
  ['fs.glob', '{"matches":[],"truncated":false}', 'Nothing matches.'],
  [
    'run.list',
    '{"runs":[{"run_id":"run_1","status":"failed","message":"hi","created_at":"2026-03-01T10:00:00.000Z"}]}',
    'The newest runs:\n- run_1 failed 2026-03-01T10:00:00.000Z: hi',
  ],
  ['run.list', '{"runs":[]}', 'There are no such runs.'],
  [
    'scheduler.add',
    '{"added":true,"job":{"job_id":"job_1","message":"Reminder: stretch","next_run_at":"2026-03-01T10:05:00.000Z"}}',
    'Done: job_1 is due at 2026-03-01T10:05:00.000Z: Reminder: stretch\nIt fires while a server runs; "list my runs" shows what came of it.',
  ],
  [
    'scheduler.list',
    '{"paused":false,"jobs":[{"job_id":"job_1","schedule":"@every 2h","message":"list files","next_run_at":null}]}',
    'Your jobs:\n- job_1 (@every 2h, paused): list files',
  ],
  ['scheduler.list', '{"paused":false,"jobs":[]}', 'Nothing is scheduled.'],
  [
    'memory.search',
    '{"memories":[{"content":"my cat is called\\nMomo","timestamp":"2026-03-01T10:00:00.000Z","source":"chat","trusted":true},{"content":"cats purr","timestamp":"2026-03-01T10:00:00.000Z","source":"web","trusted":false}]}',
    'I remember, best match first:\n- my cat is called Momo (2026-03-01T10:00:00.000Z, from chat)\n- cats purr (2026-03-01T10:00:00.000Z, from web, not trusted)',
  ],
  ['memory.search', '{"memories":[]}', 'I remember nothing about that.'],
  [
    'memory.search',
    '{"memories":[{"content":"the port is 18789","timestamp":"2026-03-01T10:00:00.000Z","source":"web","trusted":false,"score":0.08}]}',
    'I remember nothing about that.',
  ],
  ['secrets.list', '{"keys":["a","b"]}', 'Stored secrets, by name:\n- a\n- b'],
  [
    'agent.list',
    '{"agents":[{"agent_id":"agent_default","name":"Default","role":"helps"}]}',
    'Agents:\n- agent_default: helps',
  ],
  [
    'session.list',
    '{"sessions":[{"session_id":"session_1","title":"Notes","messages":4}],"truncated":false}',
    'Your conversations:\n- session_1: Notes (4 messages)',
  ],
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
    'I cannot remember or recall: no memory tool is available to this agent. A file can: append <fact> to notes.txt',
  ],
  [
    'recall tea',
    'I cannot remember or recall: no memory tool is available to this agent. A file can: append <fact> to notes.txt',
  ],
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

test('understands every example that its help gives', async () => {
  const help = textOf(await collect(ask([{ role: 'user', text: 'help' }])));

  expect(EXAMPLES.filter((example) => !help.includes(`- ${example}`))).toEqual([]);
  expect(EXAMPLES.map((example) => understandRequest(example).kind)).toEqual(
    EXAMPLES.map((example) => (example.includes('tools') ? 'tools' : 'call')),
  );
});

test('lists its tools with what they are for', async () => {
  const request: ModelRequest = {
    ...ask([{ role: 'user', text: 'which tools do you have?' }]),
    tools: [{ name: 'fs.read', description: 'Read a text file. At most 1 MiB.', inputSchema: {} }],
  };

  expect(textOf(await collect(request))).toMatch(
    /^I have these tools:\n- fs\.read: Read a text file\.\n/,
  );
});

test.each([
  ['what time is it in Berlin?', 'It is 2026-03-01 11:00 in Europe/Berlin (2026-03-01T10:00:00Z).'],
  [
    'what time is it in new york',
    'It is 2026-03-01 05:00 in America/New_York (2026-03-01T10:00:00Z).',
  ],
  ['what time is it in Gotham?', 'It is 2026-03-01T10:00:00Z. I know no time zone called Gotham.'],
])('tells the time of a place: %s', async (question, expected) => {
  const messages: Message[] = [
    { role: 'user', text: question },
    { role: 'assistant', text: '', toolCalls: [{ callId: 'c', tool: 'time.now', input: {} }] },
    {
      role: 'tool',
      callId: 'c',
      tool: 'time.now',
      ok: true,
      text: '{"rfc3339":"2026-03-01T10:00:00Z"}',
    },
  ];

  expect(textOf(await collect(ask(messages)))).toBe(expected);
});
