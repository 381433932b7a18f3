import type { LeaseId, RunId } from '../../../core/ids.ts';
import { arrays, type Column, names, toArrays } from '../bulk.ts';
import { clockSql, type Statement } from '../statement.ts';
import type { EventRow, RunBatch } from './run-batch.ts';
import type { RunRow } from './run-row.ts';
import { EVENT_COLUMNS, type Notice, noticesOf, RUN_ROW_COLUMNS } from './save-batch.ts';

/** A run as the writes found it in memory: they hold only while its row is the same. */
export interface Expected {
  readonly id: RunId;
  readonly lastSeq: number;
  readonly leaseId: LeaseId | undefined;
  readonly isEnding: boolean;
}

export interface QuickBatch {
  readonly batch: RunBatch;
  readonly expected: readonly Expected[];
  /** Of the runs that are made. */
  readonly agentIds: readonly string[];
  readonly maxQueued: number;
}

export interface QuickAnswer {
  readonly isStored: boolean;
  readonly nowMs: number;
}

const EXPECTED_COLUMNS: readonly Column<Expected>[] = [
  ['id', 'text', ({ id }) => id],
  ['seq', 'bigint', ({ lastSeq }) => lastSeq],
  ['lease', 'text', ({ leaseId }) => leaseId],
  ['ends', 'boolean', ({ isEnding }) => isEnding],
];

const NOTICE_COLUMNS: readonly Column<Notice>[] = [
  ['channel', 'text', ({ channel }) => channel],
  ['payload', 'text', ({ payload }) => payload],
];

/** What neither an append nor the end of a run changes, or what others change without adding an event. */
const UNTOUCHED = new Set([
  'started_at_ms',
  'lease_id',
  'lease_owner',
  'lease_expires_at_ms',
  'cancel_requested',
  'is_held',
  'parked',
  'frames',
  'last_frame_seq',
  'audited_seq',
  'bundled',
  'recorded',
]);

const MUTABLE_FROM = RUN_ROW_COLUMNS.findIndex(([name]) => name === 'status');
const MOVED_COLUMNS: readonly Column<RunRow>[] = [
  ...RUN_ROW_COLUMNS.slice(0, 1),
  ...RUN_ROW_COLUMNS.slice(MUTABLE_FROM).filter(([name]) => !UNTOUCHED.has(name)),
];

// The end of a run gives its lease up; else the lease stays, which a heartbeat may just be extending.
const LEASE_SETS = ['lease_id', 'lease_owner', 'lease_expires_at_ms'].map(
  (name) => `${name} = case when v.ended_at_ms is null then t.${name} end`,
);

function renderSets(): string {
  const [, ...changing] = MOVED_COLUMNS;
  const sets = changing.map(([name]) => `${name} = v.${name}`);
  return [...sets, ...LEASE_SETS].join(', ');
}

/** Locks in id order, as every transaction takes them. Nothing is written unless all runs are as expected. */
const HELD = `
  expected as materialized (select * from ${arrays(EXPECTED_COLUMNS)} as e(${names(EXPECTED_COLUMNS)})),
  held as materialized (
    select r.id from runs r join expected e on r.id = e.id
    where r.last_seq = e.seq and r.lease_id = e.lease
    order by r.id for update of r
  )`;

const IS_AS_EXPECTED = `
  (select count(*) from held) = (select count(*) from expected)
  and not exists (
    select from expected e join effects x on x.run_id = e.id where e.ends and x.status in ('intent', 'sent'))
  and not exists (
    select from expected e join approvals a on a.run_id = e.id where e.ends and a.status = 'pending')`;

const hasRoom = (agentIds: string, maxQueued: string) => `
  and not exists (select from agents where id = any(${agentIds}::text[]) and status = 'sleeping')
  and (select count(*) from (select from runs where status = 'queued' limit ${maxQueued}) q) < ${maxQueued}::bigint`;

const IF_OK = 'where (select is_ok from verdict)';

function renderText(creates: boolean): string {
  const eventsFrom = EXPECTED_COLUMNS.length + 1;
  const movedFrom = eventsFrom + EVENT_COLUMNS.length;
  const noticesFrom = movedFrom + MOVED_COLUMNS.length;
  const roomFrom = noticesFrom + NOTICE_COLUMNS.length;
  const runsFrom = roomFrom + 2;
  const room = creates ? hasRoom(`$${roomFrom}`, `$${roomFrom + 1}`) : '';
  const insert = <Row>(table: string, columns: readonly Column<Row>[], first: number) =>
    `insert into ${table} (${names(columns)}) select * from ${arrays(columns, first)} ${IF_OK}`;
  const created = creates ? `, created as (${insert('runs', RUN_ROW_COLUMNS, runsFrom)})` : '';
  return `with ${HELD}, verdict as materialized (select ${IS_AS_EXPECTED} ${room} as is_ok)${created},
  added as (${insert('events', EVENT_COLUMNS, eventsFrom)}),
  moved as (
    update runs t set ${renderSets()}
    from ${arrays(MOVED_COLUMNS, movedFrom)} as v(${names(MOVED_COLUMNS)})
    where t.id = v.id and (select is_ok from verdict)
  ),
  told as materialized (
    select count(pg_notify(channel, payload)) as notices
    from ${arrays(NOTICE_COLUMNS, noticesFrom)} as n(channel, payload) ${IF_OK}
  )
  select is_ok as "isStored", ${clockSql('null')} as "nowMs", notices from verdict, told`;
}

const APPEND = renderText(false);
const CREATE = renderText(true);

/** Check, events, rows and wake-ups in one statement, which is a transaction of its own: one round trip. */
export function toQuickStatement(quick: QuickBatch): Statement {
  const { batch, expected, agentIds, maxQueued } = quick;
  const created = [...batch.created];
  const values: unknown[] = [
    ...toArrays(EXPECTED_COLUMNS, expected),
    ...toArrays<EventRow>(EVENT_COLUMNS, batch.events),
    ...toArrays(MOVED_COLUMNS, [...batch.changed]),
    ...toArrays(NOTICE_COLUMNS, noticesOf(batch)),
  ];
  if (created.length === 0) return { name: 'quick_append', text: APPEND, values };
  values.push(agentIds, maxQueued, ...toArrays(RUN_ROW_COLUMNS, created));
  return { name: 'quick_create', text: CREATE, values };
}
