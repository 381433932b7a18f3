import { COUNTS, COUNTS_SINCE } from '../../core/observability/stored-counts.ts';
import { querySql, table } from './table.ts';

export const COUNT_TABLE = table(COUNTS, {
  minuteMs: 'ms',
  node: 'id',
  kind: 'id',
  key: 'id',
  times: 'int',
});

export const COUNT_QUERIES = [
  querySql(COUNTS_SINCE, {
    params: { minuteMs: 'ms' },
    answer: { kind: 'id', key: 'id', times: 'int' },
    text: `
      select kind, key, cast(sum(times) as bigint) as times
      from counts where minute_ms > :minuteMs
      group by kind, key`,
  }),
];
