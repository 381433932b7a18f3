import { expect, test } from 'vitest';
import { DEFAULT_CONTEXT_LIMITS as LIMITS } from './context-limits.ts';
import { replayMessage } from './replay-message.ts';
import type { MessageRole } from './session.ts';
import { message, toolMessage } from './test-history.ts';

test('replays what was said by whom', () => {
  const replays = (['user', 'assistant', 'system', 'stranger'] as MessageRole[]).map(
    (role) => replayMessage(message({ role, content: '  hello\n' }), LIMITS)?.messages,
  );

  expect(replays).toEqual([
    [{ role: 'user', text: 'hello' }],
    [{ role: 'assistant', text: 'hello', toolCalls: [] }],
    [{ role: 'user', text: 'hello' }],
    [{ role: 'user', text: 'hello' }],
  ]);
});

test('leaves out a message that says nothing', () => {
  expect(replayMessage(message({ content: ' \n' }), LIMITS)).toBeUndefined();
});

test('normalises a tool message and brings its call along', () => {
  const stored = toolMessage({
    tool: 'fs.read',
    id: 'call_7',
    summary: 'read 3 line(s)',
    output: '{"content":"a"}',
    error: '',
    arguments: '{"path":"notes.txt"}',
  });

  expect(replayMessage(stored, LIMITS)).toEqual({
    messages: [
      {
        role: 'assistant',
        text: '',
        toolCalls: [{ callId: 'call_7', tool: 'fs.read', input: { path: 'notes.txt' } }],
      },
      {
        role: 'tool',
        callId: 'call_7',
        tool: 'fs.read',
        ok: true,
        text: 'tool fs.read result (call_7)\nsummary: read 3 line(s)\noutput: {"content":"a"}',
      },
    ],
    chars: 76 + 20,
  });
});

test('a failed call is replayed as failed, with only the lines that say something', () => {
  const stored = toolMessage({ id: 'c', summary: '', output: '', error: 'timeout: too slow' });

  expect(replayMessage(stored, LIMITS)?.messages).toEqual([
    { role: 'assistant', text: '', toolCalls: [{ callId: 'c', tool: 'fs.read', input: {} }] },
    {
      role: 'tool',
      callId: 'c',
      tool: 'fs.read',
      ok: false,
      text: 'tool fs.read result (c)\nerror: timeout: too slow',
    },
  ]);
});

test('each part of a tool message has its cap, and the whole has one too', () => {
  const stored = toolMessage({
    id: 'c',
    summary: 's'.repeat(5_000),
    error: 'e'.repeat(5_000),
    output: 'o'.repeat(5_000),
  });

  const text = replayMessage(stored, LIMITS)?.messages[1]?.text ?? '';
  const roomy = replayMessage(stored, { ...LIMITS, maxMessageChars: 9_000 })?.messages[1]?.text;

  expect(roomy).toBe(
    [
      'tool fs.read result (c)',
      `summary: ${'s'.repeat(217)}...`,
      `error: ${'e'.repeat(317)}...`,
      `output: ${'o'.repeat(997)}...`,
    ].join('\n'),
  );
  expect(text).toBe(`${roomy?.slice(0, 1_397)}...`);
});

test('arguments that would take a message over its cap are not replayed', () => {
  const record = { summary: '', output: 'o'.repeat(1_000), id: 'c' };
  const inputs = [100, 900].map((length) => {
    const stored = toolMessage({
      ...record,
      arguments: JSON.stringify({ text: 'x'.repeat(length) }),
    });
    const replay = replayMessage(stored, LIMITS);
    const [call] = replay?.messages ?? [];
    return {
      chars: replay?.chars,
      input: call?.role === 'assistant' ? call.toolCalls[0]?.input : undefined,
    };
  });

  expect(inputs).toEqual([
    { chars: 1_032 + 111, input: { text: 'x'.repeat(100) } },
    { chars: 1_032, input: {} },
  ]);
});

test('what is not a record of ours is taken for the output, at no great cost', () => {
  const content = `{"tool":"x","output":"${'o'.repeat(10_000_000)}`;
  const stored = message({ role: 'tool', content, toolName: 'shell.exec', toolCallId: 'c' });
  const startedAt = performance.now();

  for (let times = 0; times < 100; times += 1) replayMessage(stored, LIMITS);
  const elapsedMs = performance.now() - startedAt;

  expect(replayMessage(stored, LIMITS)?.messages[1]?.text).toBe(
    `tool shell.exec result (c)\noutput: ${content.slice(0, 997)}...`,
  );
  // Parsing it once takes tens of milliseconds.
  expect(elapsedMs).toBeLessThan(2_000);
});
