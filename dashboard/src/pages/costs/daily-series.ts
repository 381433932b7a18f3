import type { CostSeriesShape } from '../../../../src/operations/costs/cost-shapes.ts';

interface DailySeries {
  /** Seconds since 1970, one for each day of the range. */
  readonly times: readonly number[];
  readonly series: readonly { readonly label: string; readonly values: readonly number[] }[];
}

const DAY_MS = 86_400_000;

/** Every day of the range, with nothing spent where the server left it out. */
export function toDailySeries(
  { from, through, series }: CostSeriesShape,
  maxLines: number,
): DailySeries {
  const first = Date.parse(`${from}T00:00:00Z`);
  const count = Math.round((Date.parse(`${through}T00:00:00Z`) - first) / DAY_MS) + 1;
  const days = Array.from({ length: count }, (_, at) => new Date(first + at * DAY_MS));
  return {
    times: days.map((day) => day.getTime() / 1_000),
    series: series.slice(0, maxLines).map(({ id, days: spent }) => {
      const byDay = new Map(spent.map(({ day, spent_usd }) => [day, spent_usd]));
      return {
        label: id === '' ? 'spent' : id,
        values: days.map((day) => byDay.get(day.toISOString().slice(0, 10)) ?? 0),
      };
    }),
  };
}
