import {
  PROJECT_AGENTS,
  PROJECT_PAGE,
  PROJECT_RUNS,
  PROJECT_TALLY,
} from '../../core/projects/stored-projects.ts';
import { querySql } from './table.ts';

const runsOf = (...statuses: readonly string[]) =>
  `(select count(*) from runs where runs.project_id = named.id
      and runs.status in (${statuses.map((status) => `'${status}'`).join(', ')}))`;

const IS_OWNED = `coalesce(owner, '"operator"') = :owner`;

/** Ended runs are found by their end; of the open ones, which are few, the newest begin last. */
const MOMENTS = [
  'select max(ended_at_ms) as at_ms from runs where runs.project_id = named.id and ended_at_ms is not null',
  `select max(created_at_ms) from runs where runs.project_id = named.id
    and runs.status in ('queued', 'running', 'waiting', 'cancelling')`,
  'select max(created_at_ms) from handoffs where handoffs.project_id = named.id',
  'select max(created_at_ms) from facts where facts.project_id = named.id',
  // Their ids are in the order of time, and there may be many of them.
  `select created_at_ms from (select created_at_ms from memories where memories.project_id = named.id
    order by id desc limit 1) as newest_memory`,
];

const TALLY = `
  named.id,
  ${runsOf('queued', 'waiting')} as waiting_runs,
  ${runsOf('running', 'cancelling')} as active_runs,
  ${runsOf('completed')} as completed_runs,
  ${runsOf('failed')} as failed_runs,
  ${runsOf('cancelled')} as cancelled_runs,
  (select count(*) from handoffs where handoffs.project_id = named.id
    and state = 'open' and reported_at_ms is null) as open_handoffs,
  (select count(*) from facts where facts.project_id = named.id) as facts,
  (select max(at_ms) from (${MOMENTS.join(' union all ')}) as moments) as last_activity_at_ms`;

const TALLIED = {
  id: 'id',
  waitingRuns: 'int',
  activeRuns: 'int',
  completedRuns: 'int',
  failedRuns: 'int',
  cancelledRuns: 'int',
  openHandoffs: 'int',
  facts: 'int',
  lastActivityAtMs: 'ms?',
} as const;

/**
 * One look into an index for each table, however many rows name the same project. What is left of removed memories names
 * none.
 */
const nextAfter = (place: string) => `
  (select min(id) from (${['runs', 'handoffs', 'facts', 'memories']
    .map((table) => `select min(project_id) as id from ${table} where project_id > ${place}`)
    .join(' union all ')}) as next_ids)`;

export const PROJECT_QUERIES = [
  querySql(PROJECT_TALLY, {
    params: { projectId: 'id' },
    answer: TALLIED,
    text: `select ${TALLY} from (select :projectId as id) as named`,
  }),
  querySql(PROJECT_PAGE, {
    params: { after: 'id', limit: 'int' },
    answer: TALLIED,
    text: `
      with recursive named (id, place) as (
        select ${nextAfter(':after')}, 1
        union all
        select ${nextAfter('named.id')}, place + 1 from named
        where named.id is not null and place < :limit
      )
      select ${TALLY} from named where named.id is not null and place <= :limit order by place`,
  }),
  querySql(PROJECT_AGENTS, {
    params: { projectId: 'id', limit: 'int' },
    answer: { id: 'id', name: 'text', status: 'id', isBusy: 'flag' },
    text: `
      select agents.id, name, agents.status,
        agents.id in (select agent_id from runs where status in ('running', 'cancelling')) as is_busy
      from agents
      where exists (
          select 1 from runs where runs.project_id = :projectId and runs.agent_id = agents.id
        ) or exists (
          select 1 from handoffs where handoffs.project_id = :projectId and sender = agents.id
        ) or exists (
          select 1 from handoffs where handoffs.project_id = :projectId and receiver = agents.id
        )
      order by agents.id limit :limit`,
  }),
  querySql(PROJECT_RUNS, {
    params: { owner: 'text', projectId: 'id', limit: 'int' },
    answer: { id: 'id' },
    text: `
      select id from (
        select id from runs where project_id = :projectId and ${IS_OWNED} and ended_at_ms is not null
        order by ended_at_ms desc, id desc limit :limit
      ) as ended_runs
      union all
      select id from (
        select id from runs where project_id = :projectId and ${IS_OWNED}
          and status in ('queued', 'running', 'waiting', 'cancelling')
        order by created_at_ms desc, id desc limit :limit
      ) as open_runs`,
  }),
];
