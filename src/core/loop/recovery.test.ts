import { expect, test } from 'vitest';
import {
  CALM,
  guidanceText,
  mustAskUser,
  observeFailure,
  observeSuccess,
  type Recovery,
  toAttempt,
} from './recovery.ts';

const attempt = toAttempt({ tool: 'fs.read', input: { path: 'a' }, error: 'gone', output: '' });

function after(outcomes: string): Recovery {
  let state = CALM;
  for (const outcome of outcomes) {
    state = outcome === 'F' ? observeFailure(state, attempt) : observeSuccess(state);
  }
  return state;
}

test('two failures in a row start recovery, two apart do not', () => {
  expect(after('FF').isActive).toBe(true);
  expect(after('FSF').isActive).toBe(false);
});

test('three further failures ask the user, whatever succeeds in between', () => {
  expect(mustAskUser(after('FFFF'))).toBe(false);
  expect(mustAskUser(after('FFFFF'))).toBe(true);
  expect(mustAskUser(after('FFFSFSF'))).toBe(true);
});

test('only three successes in a row clear recovery', () => {
  expect(after('FFSS').isActive).toBe(true);
  expect(after('FFSSFSS').isActive).toBe(true);
  expect(after('FFSSS')).toEqual(CALM);
});

test('the guidance names the goal and the six latest attempts, oldest first', () => {
  let state = CALM;
  for (let index = 1; index <= 8; index += 1) {
    const input = { path: `file-${index}` };
    state = observeFailure(
      state,
      toAttempt({ tool: 'fs.read', input, error: `e${index}`, output: 'partial' }),
    );
  }

  const text = guidanceText('read the files', state.attempts);

  expect(text).toBe(
    [
      'I could not finish this: several tool calls failed and other ways failed too.',
      'Goal: read the files',
      `Latest attempts:\n${[3, 4, 5, 6, 7, 8]
        .map(
          (n, i) => `${i + 1}. fs.read {"path":"file-${n}"}\n   error: e${n}\n   output: partial`,
        )
        .join('\n')}`,
      'How should I go on? A corrected path or value, a permission, or another approach would help.',
    ].join('\n\n'),
  );
});

test('long arguments, errors and outputs are cut', () => {
  const long = 'x'.repeat(5_000);

  const cut = toAttempt({ tool: 't', input: { long }, error: long, output: long });

  expect([cut.input.length, cut.error.length, cut.output.length]).toEqual([221, 421, 701]);
});
