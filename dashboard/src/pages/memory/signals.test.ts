import { expect, test } from 'vitest';
import { toSignals } from './signals.ts';

test('tells the strongest reason first, with its share of the strongest', () => {
  const signals = toSignals({ recency: 0.5, keyword: 2, text: -1 });

  expect(signals.map(({ label, added, share }) => [label, added, share])).toEqual([
    ['words', 2, 1],
    ['how it is put', -1, 0.5],
    ['recent', 0.5, 0.25],
  ]);
});

test('calls a reason that it does not know as the server does', () => {
  const [signal] = toSignals({ moonlight: 1 });

  expect(signal).toEqual({ name: 'moonlight', label: 'moonlight', hint: '', added: 1, share: 1 });
});

test('divides nothing by nothing', () => {
  expect(toSignals({ exact: 0 }).map(({ share }) => share)).toEqual([0]);
  expect(toSignals({})).toEqual([]);
});
