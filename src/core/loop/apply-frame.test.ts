import { expect, test } from 'vitest';
import type { JsonObject } from '../json.ts';
import { applyFact } from './apply-fact.ts';
import { findTakeable, takeMessages } from './apply-frame.ts';
import { type Fact, INITIAL_STATE, type RunState } from './run-state.ts';

function accepted(seq: number, type: string, payload: JsonObject = {}): Fact {
  return { type: 'frame.accepted', seq, payload: { frame_id: `frm_${seq}`, type, payload } };
}

function foldOf(...facts: readonly Fact[]): RunState {
  return facts.reduce(applyFact, INITIAL_STATE);
}

const seqsOf = ({ inbox }: RunState) => inbox.frames.map(({ seq }) => seq);

test('a frame waits in the inbox, once, and one that asks nothing is only passed by', () => {
  const message = accepted(2, 'user_message', { text: 'hi' });

  const state = foldOf(message, accepted(3, 'presence'), message);

  expect(seqsOf(state)).toEqual([2]);
  expect(state.inbox.through).toBe(3);
  expect(state.messages).toEqual([]);
});

test('a turn takes the messages before an end, and leaves those behind it', () => {
  const state = foldOf(
    accepted(2, 'user_message', { text: 'one' }),
    accepted(3, 'tool_result'),
    accepted(4, 'user_message', { message: 'two' }),
    accepted(5, 'finish'),
    accepted(6, 'user_message', { text: 'late' }),
  );

  const taken = takeMessages(state, findTakeable(state));

  expect(findTakeable(state)).toBe(4);
  expect(taken.messages).toEqual([
    { role: 'user', text: 'one' },
    { role: 'user', text: 'two' },
  ]);
  expect(seqsOf(taken)).toEqual([3, 5, 6]);
  expect(taken.goal).toBe('two');
});

test('a turn that is asked for again takes nothing twice', () => {
  const requested: Fact = { type: 'model.requested', payload: { frames_through: 2 } };

  const state = foldOf(accepted(2, 'user_message', { text: 'one' }), requested, requested);

  expect(state.messages).toEqual([{ role: 'user', text: 'one' }]);
});

test('a frame that something has come of is gone from the inbox, by its seq', () => {
  const ignored: Fact = {
    type: 'frame.ignored',
    payload: { frame_id: '[REDACTED]', frame_seq: 2, reason: 'no' },
  };

  const state = foldOf(accepted(2, 'tool_result'), accepted(3, 'tool_result'), ignored);

  expect(seqsOf(state)).toEqual([3]);
});

test('new messages begin the count of turns, failures and circles anew', () => {
  const worn: RunState = {
    ...foldOf(accepted(2, 'user_message', { text: 'again' })),
    totals: { ...INITIAL_STATE.totals, turns: 30 },
    recovery: { isActive: true, failures: 2, successesInRow: 0, attempts: [] },
    loop: { recent: ['a', 'a', 'a'] },
  };

  expect(takeMessages(worn, 2)).toMatchObject({
    turnsBefore: 30,
    recovery: { isActive: false, failures: 0 },
    loop: { recent: [] },
  });
});
