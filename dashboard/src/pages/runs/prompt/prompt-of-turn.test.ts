import { expect, test } from 'vitest';
import { answered, asked, call, type Draft, result, toEvents } from '../timeline/test-events.ts';
import { listTurns, promptOfTurn } from './prompt-of-turn.ts';

const DRAFTS: readonly Draft[] = [
  [0, 'run.created', { message: 'Tidy up' }],
  [
    1,
    'model.requested',
    {
      ...asked(1),
      messages: 4,
      system: 'Be kind.',
      recalled: { text: 'Likes tea.', memory_ids: ['m'] },
    },
  ],
  [2, 'model.completed', { ...answered(1, [['c1', 'fs.read']]), text: 'I look.' }],
  [3, 'tool.call', call('c1')],
  [4, 'tool.result', result('c1', { tool: 'fs.read' })],
  [5, 'tool.result', { ...result('x'), origin: 'tools_execute' }],
  [6, 'model.requested', { ...asked(2), messages: 6 }],
  [7, 'model.completed', answered(2)],
];

test('is what the model had been told by each turn', () => {
  const events = toEvents(DRAFTS);

  expect(listTurns(events)).toEqual([1, 2]);
  expect(promptOfTurn(events, 1)).toEqual({
    turn: 1,
    model: 'anthropic/claude',
    system: 'Be kind.',
    messages: [
      { role: 'memory', name: '', text: 'Likes tea.', calls: [] },
      { role: 'user', name: '', text: 'Tidy up', calls: [] },
    ],
    earlierMessages: 2,
    toolsOffered: 29,
  });
  const second = promptOfTurn(events, 2);
  expect(second?.system).toBe('Be kind.');
  expect(second?.messages.map(({ role, name, text }) => [role, name, text])).toEqual([
    ['memory', '', 'Likes tea.'],
    ['user', '', 'Tidy up'],
    ['assistant', '', 'I look.'],
    ['tool', 'fs.read', '{"text":"x"}'],
  ]);
  expect(second?.messages[2]?.calls).toMatchObject([{ tool: 'fs.read' }]);
  expect(promptOfTurn(events, 3)).toBeUndefined();
});

test('begins a fork with what the run before it knew', () => {
  const history = { messages: [{ role: 'user', text: 'First' }], exposure: [] };
  const events = toEvents([
    [0, 'run.created', { message: 'First', history }],
    [1, 'model.requested', { ...asked(1), messages: 1 }],
  ]);

  expect(promptOfTurn(events, 1)).toMatchObject({
    messages: [{ role: 'user', text: 'First' }],
    earlierMessages: 0,
  });
});

test('takes in of a conversation what had come by then', () => {
  const frame = (text: string) => ({ frame_id: text, type: 'user_message', payload: { text } });
  const events = toEvents([
    [0, 'run.created', { thread_id: 't' }],
    [1, 'frame.accepted', frame('one')],
    [2, 'frame.accepted', frame('two')],
    [3, 'model.requested', { ...asked(1), messages: 1, frames_through: 2 }],
    [4, 'model.completed', answered(1)],
    [5, 'model.requested', { ...asked(2), messages: 3, frames_through: 3 }],
  ]);

  expect(promptOfTurn(events, 1)?.messages.map(({ text }) => text)).toEqual(['one']);
  expect(promptOfTurn(events, 2)?.messages.map(({ text }) => text)).toEqual([
    'one',
    'Done.',
    'two',
  ]);
});
