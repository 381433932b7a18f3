import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { createRedactor } from '../redact/create-redactor.ts';
import { createDeltaBatch } from './delta-batch.ts';

const BATCH_MS = 50;

function openBatch(deltaBatchMs = BATCH_MS) {
  const clock = new ManualClock();
  const written: unknown[] = [];
  let commits = 0;
  const journal = {
    commit: async () => {
      commits += 1;
    },
    commitSoon: async () => {},
  };
  const log = { journal, record: ({ payload }: { payload: object }) => void written.push(payload) };
  const batch = createDeltaBatch({ clock, redactor: createRedactor(), deltaBatchMs }, log, 1);
  const texts = () => written.map((payload) => (payload as { text: string }).text);
  return { batch, clock, texts, written, commits: () => commits };
}

test('the first words are on their way at once, those after them together', async () => {
  const { batch, clock, texts, commits } = openBatch();

  await batch.add('First. ');
  clock.advance(1);
  expect(texts()).toEqual(['First. ']);
  await batch.add('More, ');
  clock.advance(BATCH_MS - 1);
  await batch.add('and more. ');
  expect(texts()).toEqual(['First. ']);
  clock.advance(1);

  expect(texts()).toEqual(['First. ', 'More, and more. ']);
  expect(commits()).toBe(2);
});

test('words after a silence are on their way at once again', async () => {
  const { batch, clock, texts } = openBatch();
  await batch.add('First. ');
  clock.advance(BATCH_MS + 1);

  await batch.add('Later. ');
  clock.advance(1);

  expect(texts()).toEqual(['First. ', 'Later. ']);
});

test('an answer that comes at once is one event, and goes with its end', async () => {
  const { batch, clock, texts, commits } = openBatch();

  await batch.add('All of ');
  await batch.add('it.');
  await batch.close();

  expect(texts()).toEqual(['All of it.']);
  expect(commits()).toBe(0);
  expect(clock.pendingTimers).toBe(0);
});

test('a secret that comes in pieces is never written, whenever they come', async () => {
  const { batch, clock, texts } = openBatch();

  for (const piece of ['Use ', 'sk', '-live', '-0123456789', 'abcdef', ' now, ', 'please.']) {
    await batch.add(piece);
    clock.advance(BATCH_MS);
  }
  await batch.close();

  expect(texts().join('')).toBe('Use [REDACTED] now, please.');
  expect(texts().join('|')).not.toMatch(/sk|0123|abcdef/);
});

test('much text does not wait for the clock', async () => {
  const { batch, texts, commits } = openBatch();
  const much = 'word '.repeat(500);

  await batch.add(much);

  expect(texts()).toEqual([much]);
  expect(commits()).toBe(1);
});

test('what an attempt said and did not write is dropped with it', async () => {
  const { batch, clock, written } = openBatch();
  await batch.add('Half ');

  batch.restart(2);
  await batch.add('Whole.');
  await batch.close();
  clock.advance(BATCH_MS);

  expect(written).toEqual([{ turn: 1, attempt: 2, text: 'Whole.' }]);
});

test('with nothing to gather for, every piece is written when the loop turns', async () => {
  const { batch, clock, texts } = openBatch(0);

  await batch.add('a. ');
  clock.advance(0);
  await batch.add('b. ');
  clock.advance(0);

  expect(texts()).toEqual(['a. ', 'b. ']);
});
