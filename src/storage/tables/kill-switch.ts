import {
  KILL_SWITCH_CHANGES,
  NEWEST_SWITCH_CHANGES,
} from '../../core/kill-switch/stored-kill-switch.ts';
import { querySql, table } from './table.ts';

export const KILL_SWITCH_TABLE = table(KILL_SWITCH_CHANGES, {
  no: 'int',
  isOn: 'flag',
  reason: 'text',
  actor: 'text',
  atMs: 'ms',
});

export const KILL_SWITCH_QUERIES = [
  querySql(NEWEST_SWITCH_CHANGES, {
    params: { limit: 'int' },
    answer: KILL_SWITCH_TABLE,
    text: `select ${KILL_SWITCH_TABLE.select} from kill_switch_changes order by no desc limit :limit`,
  }),
];
