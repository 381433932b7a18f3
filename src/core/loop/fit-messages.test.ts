import { expect, test } from 'vitest';
import { fitMessages } from './fit-messages.ts';
import type { Message } from './model.ts';

const asks = (text: string): Message => ({ role: 'user', text });
const answers = (text: string): Message => ({ role: 'assistant', text, toolCalls: [] });
const calls = (callId: string): Message => ({
  role: 'assistant',
  text: '',
  toolCalls: [{ callId, tool: 'look', input: {} }],
});
const returns = (callId: string, text: string): Message => {
  return { role: 'tool', callId, tool: 'look', ok: true, text };
};

test('a conversation that fits is whole', () => {
  const messages = [asks('one'), answers('1'), asks('two')];

  expect(fitMessages(messages, 100)).toEqual(messages);
});

test('what no answer was given to is never left out, however long', () => {
  const messages = [asks('a'), answers('b'), asks('x'.repeat(50)), asks('y'.repeat(50)), asks('z')];

  expect(fitMessages(messages, 1)).toEqual(messages.slice(2));
});

test('the steps of an answer under way stay with what it answers', () => {
  const messages = [
    asks('old'),
    answers('old'),
    asks('go'),
    calls('a'),
    returns('a', 'x'.repeat(99)),
  ];

  expect(fitMessages(messages, 2)).toEqual(messages.slice(2));
});

test('what was before goes back to a message of the user, never into the middle of a call', () => {
  const older = [asks('1'), calls('a'), returns('a', 'x'.repeat(40)), answers('2')];
  const messages = [...older, asks('3'), answers('4'), asks('5')];

  expect(fitMessages(messages, 45)).toEqual(messages.slice(4));
  expect(fitMessages(messages, 200)).toEqual(messages);
});

test('length is counted as people count: a pair of surrogates is one', () => {
  const messages = [asks('🦀'.repeat(10)), answers(''), asks('now')];

  expect(fitMessages(messages, 12)).toEqual(messages);
  expect(fitMessages(messages, 11)).toEqual(messages.slice(2));
});
