import { expect, test } from 'vitest';
import type { JsonObject } from '../core/json.ts';
import { createAnswerProgress } from './answer-progress.ts';

function play(events: readonly (readonly [seq: number, stream: string, data: JsonObject])[]) {
  const progress = createAnswerProgress();
  const parts = events.flatMap(([seq, stream, data]) => progress.take({ seq, stream, data }));
  return { parts, text: progress.text };
}

test('text comes in pieces; what was said before a tool is a thought', () => {
  const { parts, text } = play([
    [1, 'thinking', { text: 'I should look.' }],
    [2, 'assistant', { text: 'Let me', itemId: 'a' }],
    [3, 'assistant', { text: 'Let me look.', itemId: 'a' }],
    [4, 'tool', { phase: 'start', name: 'exec', toolCallId: 'c1', args: { command: 'ls' } }],
    [5, 'tool', { phase: 'update', name: 'exec', toolCallId: 'c1' }],
    [6, 'tool', { phase: 'result', name: 'exec', toolCallId: 'c1', isError: true, result: 'no' }],
    [7, 'assistant', { text: 'Done.', itemId: 'b' }],
  ]);

  expect(parts).toEqual([
    { type: 'note', kind: 'thought', text: 'I should look.' },
    { type: 'text', delta: 'Let me' },
    { type: 'text', delta: ' look.' },
    { type: 'note', kind: 'thought', text: 'Let me look.' },
    { type: 'remote_call', callId: 'c1', tool: 'exec', input: { command: 'ls' } },
    { type: 'remote_result', callId: 'c1', tool: 'exec', ok: false, output: 'no' },
    { type: 'text', delta: '\n\nDone.' },
  ]);
  expect(text).toBe('Done.');
});

test('events that come again, or that nobody understands, add nothing', () => {
  const { parts } = play([
    [1, 'assistant', { text: 'Hi', itemId: 'a' }],
    [1, 'assistant', { text: 'Hi', itemId: 'a' }],
    [2, 'lifecycle', { phase: 'end' }],
    [3, 'tool', { phase: 'start' }],
    [4, 'assistant', { text: 5 as unknown as string }],
  ]);

  expect(parts).toEqual([{ type: 'text', delta: 'Hi' }]);
});

test('text that is taken back is not streamed twice', () => {
  const { parts, text } = play([
    [1, 'assistant', { text: 'Hello <secret>', itemId: 'a' }],
    [2, 'assistant', { text: 'Hello', replace: true, itemId: 'a' }],
  ]);

  expect(parts).toEqual([{ type: 'text', delta: 'Hello <secret>' }]);
  expect(text).toBe('Hello');
});
