import {
  AWAITED_RUNS,
  ENDED_HANDOFFS,
  HANDOFF_OF_KEY,
  HANDOFF_OF_RUN,
  HANDOFFS,
  NEWEST_HANDOFFS,
  OPEN_HANDOFFS,
  UNREPORTED_HANDOFFS,
} from '../../core/handoffs/stored-handoffs.ts';
import { querySql, table } from './table.ts';

export const HANDOFF_TABLE = table(
  HANDOFFS,
  {
    id: 'id',
    key: 'id',
    owner: 'text',
    from: 'id',
    to: 'id',
    projectId: 'id',
    content: 'text',
    chain: 'json',
    parentRunId: 'id?',
    runId: 'id',
    memoryId: 'id?',
    state: 'id',
    result: 'text?',
    error: 'text?',
    createdAtMs: 'ms',
    endedAtMs: 'ms?',
    reportedAtMs: 'ms?',
  },
  { from: 'sender', to: 'receiver' },
);

const SELECT = `select ${HANDOFF_TABLE.select} from handoffs`;

export const HANDOFF_QUERIES = [
  querySql(HANDOFF_OF_KEY, {
    params: { key: 'id' },
    answer: HANDOFF_TABLE,
    text: `${SELECT} where key = :key`,
  }),
  querySql(HANDOFF_OF_RUN, {
    params: { runId: 'id' },
    answer: HANDOFF_TABLE,
    text: `${SELECT} where run_id = :runId`,
  }),
  querySql(NEWEST_HANDOFFS, {
    params: {
      owner: 'text?',
      projectId: 'id?',
      agentId: 'id?',
      state: 'id?',
      before: 'id?',
      limit: 'int',
    },
    answer: HANDOFF_TABLE,
    text: `
      ${SELECT} where (:before is null or id < :before) and (:owner is null or owner = :owner)
        and (:projectId is null or project_id = :projectId) and (:state is null or state = :state)
        and (:agentId is null or sender = :agentId or receiver = :agentId)
      order by id desc limit :limit`,
  }),
  querySql(OPEN_HANDOFFS, {
    params: { limit: 'int' },
    answer: HANDOFF_TABLE,
    text: `${SELECT} where state = 'open' and reported_at_ms is null order by id limit :limit`,
  }),
  querySql(ENDED_HANDOFFS, {
    params: { limit: 'int' },
    answer: HANDOFF_TABLE,
    text: `
      ${SELECT} where state = 'running' and reported_at_ms is null
        and run_id in (select id from runs where id = handoffs.run_id and ended_at_ms is not null)
      order by id limit :limit`,
  }),
  querySql(UNREPORTED_HANDOFFS, {
    params: { limit: 'int' },
    answer: HANDOFF_TABLE,
    text: `
      ${SELECT} where state in ('done', 'failed') and reported_at_ms is null
      order by id limit :limit`,
  }),
  querySql(AWAITED_RUNS, {
    params: { limit: 'int' },
    answer: { runId: 'id' },
    text: `
      select run_id from handoffs where state = 'running' and reported_at_ms is null
      order by id desc limit :limit`,
  }),
];
