import { expect, test } from 'vitest';
import type { CliContext, InputStream } from '../../program/context.ts';
import { readSecret } from './read-secret.ts';

const QUESTION = { command: 'secrets set', what: 'value of a' };

/** What is typed or piped, in pieces, and what the program says and does to the terminal meanwhile. */
function openTerminal(pieces: readonly (string | Buffer)[], isTTY: boolean) {
  const notes: string[] = [];
  const modes: boolean[] = [];
  const input: InputStream = {
    isTTY,
    setRawMode: (isRaw) => modes.push(isRaw),
    async *[Symbol.asyncIterator]() {
      yield* pieces;
    },
  };
  // Nothing else of the context is looked at.
  const context = { input, live: { note: (line: string) => notes.push(line) } } as unknown;
  return { context: context as CliContext, notes, modes };
}

const failure = (work: Promise<unknown>) => work.then(() => undefined).catch((error) => error);

test.each([
  [['one', ' two\r', 'rest'], 'one two'],
  [['abd', '\u007f', 'c\n'], 'abc'],
  [['wrong\u0015right\n'], 'right'],
  [[Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1), '\b', 'e\u0004'], 'e'],
])('reads %j from a terminal without showing it', async (pieces, value) => {
  const { context, notes, modes } = openTerminal(pieces, true);

  expect(await readSecret(context, QUESTION)).toBe(value);
  expect(notes).toEqual(['value of a (it is not shown; Enter ends it):']);
  expect(modes).toEqual([true, false]);
});

test('Ctrl-C ends the question and gives the terminal back', async () => {
  const { context, modes } = openTerminal(['half\u0003'], true);

  expect(await failure(readSecret(context, QUESTION))).toMatchObject({ code: 'cancelled' });
  expect(modes).toEqual([true, false]);
});

test.each([
  ['token\n', 'token'],
  ['token\r\n', 'token'],
  ['two\nlines\n\n', 'two\nlines\n'],
  [' spaces stay ', ' spaces stay '],
])('takes %j from a pipe without the end of its last line', async (text, value) => {
  const { context, notes, modes } = openTerminal([text], false);

  expect(await readSecret(context, QUESTION)).toBe(value);
  expect([...notes, ...modes]).toEqual([]);
});

test.each([
  [['\n'], 'there is no value of a'],
  [[Buffer.from([0xff, 0xfe])], 'the value of a must be text'],
  [['x'.repeat(70_000)], 'the value of a has more than 65536 characters'],
])('refuses %j', async (pieces, message) => {
  const { context } = openTerminal(pieces, false);

  expect(await failure(readSecret(context, QUESTION))).toMatchObject({
    code: 'invalid_input',
    message,
  });
});
