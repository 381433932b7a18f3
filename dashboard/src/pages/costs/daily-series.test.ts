import { expect, test } from 'vitest';
import { toDailySeries } from './daily-series.ts';

const day = (name: string, spent_usd: number) => ({
  day: name,
  spent_usd,
  tokens_in: 1,
  tokens_out: 1,
});

test('days without spending are there, with nothing', () => {
  const found = {
    by: 'agent',
    from: '2026-02-27',
    through: '2026-03-02',
    series: [
      { id: 'a', spent_usd: 3, days: [day('2026-02-27', 1), day('2026-03-01', 2)] },
      { id: 'b', spent_usd: 1, days: [day('2026-03-02', 1)] },
      { id: 'c', spent_usd: 0, days: [] },
    ],
    truncated: false,
  };

  const { times, series } = toDailySeries(found, 2);

  expect(times.map((seconds) => new Date(seconds * 1_000).toISOString().slice(5, 10))).toEqual([
    '02-27',
    '02-28',
    '03-01',
    '03-02',
  ]);
  expect(series).toEqual([
    { label: 'a', values: [1, 0, 2, 0] },
    { label: 'b', values: [0, 0, 0, 1] },
  ]);
});
