import { clampLimit } from '../../../core/clamp-limit.ts';
import type { WorkerId } from '../../../core/ids.ts';
import type { Worker } from '../../../core/workers/worker.ts';
import {
  type LostFilter,
  type LostWork,
  type PruneWorkers,
  type RenewWorkers,
  type WorkerFilter,
  type WorkerStore,
  workerTopic,
} from '../../../core/workers/worker-store.ts';
import { isStorableId } from '../../tables/column.ts';
import { clockSql, MAX_PAGE_EVENTS } from '../statement.ts';
import type { StoreDeps } from '../store-deps.ts';
import { decodeText, encodeText } from '../text-codec.ts';
import { writeOnce } from '../write-once.ts';
import {
  decodeRequest,
  decodeWorker,
  decodeWorkerEvent,
  type StoredRequestRow,
  type StoredWorker,
  type StoredWorkerEvent,
  WORKER_COLUMNS,
} from './worker-row.ts';
import { createWorkerWrites } from './worker-writes.ts';

/** A page is read in one go. */
const MAX_PAGE_WORKERS = 200;

const FIND = `select ${WORKER_COLUMNS} from workers where id = $1`;
const FIND_REQUEST = `
  select request_id, digest, response from worker_requests where worker_id = $1 and request_id = $2`;
const LIST = `
  select ${WORKER_COLUMNS} from workers
  where owner = $1 and ($2::text is null or status = $2)
    and ($3::text is null or workspace_ref = $3)
  order by updated_at_ms desc, id desc limit $4`;
const LIST_ALL = `
  select ${WORKER_COLUMNS} from workers
  where id > $1 and ($2::text is null or status = $2) order by id limit $3`;
const READ = `
  select seq, type, payload, at_ms from worker_events
  where worker_id = $1 and seq > $2 order by seq limit $3`;
const OLDEST = 'select min(seq) as seq from worker_events where worker_id = $1';
const RENEW = `
  update workers w
  set host_expires_at_ms = ${clockSql('$5')} + $2, last_heartbeat_at_ms = ${clockSql('$5')}
  from unnest($3::text[], $4::bigint[]) as v(id, epoch)
  where w.id = v.id and w.epoch = v.epoch and w.host = $1
  returning w.id`;
const LOST_WORKERS = `
  select ${WORKER_COLUMNS} from workers
  where host is not null and (host_expires_at_ms <= ${clockSql('$4')} or (host <> $1 and $2))
  order by host_expires_at_ms limit $3`;
const LOST_REQUESTS = `
  select worker_id, request_id from worker_requests
  where settled_at_ms is null and (begun_at_ms <= ${clockSql('$5')} - $4 or (host <> $1 and $2))
  limit $3`;
// Worker by worker, so that each is found by its index. The newest event says how far the log goes, and stays.
const PRUNE_EVENTS = `
  delete from worker_events e using (
    select o.worker_id, o.seq from workers w cross join lateral (
      select worker_id, seq from worker_events
      where worker_id = w.id and seq <= w.latest_seq -
        case when w.stopped_at_ms < ${clockSql('$4')} - $2 then 1 else $1::bigint end
      order by seq limit $3
    ) o limit $3
  ) old
  where e.worker_id = old.worker_id and e.seq = old.seq
  returning 1 as removed`;
const PRUNE_REQUESTS = `
  delete from worker_requests r using (
    select worker_id, request_id from worker_requests
    where settled_at_ms < ${clockSql('$3')} - $1 order by settled_at_ms limit $2
  ) old
  where r.worker_id = old.worker_id and r.request_id = old.request_id
  returning 1 as removed`;

// Those of which nothing but the last event is left. One that is attached again meanwhile holds its lock, or has no end.
const FORGET = `
  with gone as materialized (
    select w.id from workers w
    where w.stopped_at_ms < ${clockSql('$3')} - $1
      and not exists (
        select from worker_events e where e.worker_id = w.id and e.seq < w.latest_seq
      )
      and not exists (select from worker_requests r where r.worker_id = w.id)
    order by w.stopped_at_ms limit $2 for update of w skip locked
  ), events as (
    delete from worker_events e using gone where e.worker_id = gone.id
  ), projected as (
    delete from projections p using gone
    where p.projection = 'codex_worker_summary' and p.entity_id = gone.id
  )
  delete from workers w using gone where w.id = gone.id returning 1 as removed`;

export function createWorkerStore(deps: StoreDeps): WorkerStore {
  const writes = createWorkerWrites(deps);

  /** Whatever came of the write: a wake-up too many costs one look. Other nodes are told with the commit. */
  async function thenWake<T>(id: WorkerId, written: Promise<T>): Promise<T> {
    const result = await written;
    deps.hub.wakeTopic(workerTopic(id));
    return result;
  }

  return {
    ...createWorkerReads(deps),
    attach: (request) => thenWake(request.id, writes.attach(request)),
    record: (change) => thenWake(change.id, writes.record(change)),
    begin: (request) => thenWake(request.workerId, writes.begin(request)),
    settle: (answer) => thenWake(answer.workerId, writes.settle(answer)),
    renew: (renewal) => renewWorkers(deps, renewal),
    listLost: (filter) => listLost(deps, filter),
    prune: (limits) => pruneWorkers(deps, limits),
  };
}

type WorkerReads = Pick<
  WorkerStore,
  'find' | 'findRequest' | 'list' | 'listAll' | 'readEvents' | 'findOldestSeq'
>;

function createWorkerReads({ database }: StoreDeps): WorkerReads {
  return {
    async find(id) {
      if (!isStorableId(id)) return undefined;
      const statement = { name: 'find_worker', text: FIND, values: [id] };
      const [stored] = await database.read<StoredWorker>(statement);
      return stored && decodeWorker(stored);
    },

    async findRequest(workerId, requestId) {
      if (!isStorableId(workerId)) return undefined;
      const values = [workerId, encodeText(requestId)];
      const statement = { name: 'find_worker_request', text: FIND_REQUEST, values };
      const [stored] = await database.read<StoredRequestRow>(statement);
      return stored && decodeRequest(workerId, stored);
    },

    async list({ owner, status, workspaceRef, limit }: WorkerFilter): Promise<Worker[]> {
      const workspace = workspaceRef === undefined ? null : encodeText(workspaceRef);
      const size = clampLimit(limit, MAX_PAGE_WORKERS);
      const values = [encodeText(owner), status ?? null, workspace, size];
      const statement = { name: 'list_workers', text: LIST, values };
      return (await database.read<StoredWorker>(statement)).map(decodeWorker);
    },

    async listAll({ status, after, limit }) {
      const values = [after ?? '', status ?? null, clampLimit(limit, MAX_PAGE_WORKERS)];
      const statement = { name: 'list_all_workers', text: LIST_ALL, values };
      return (await database.read<StoredWorker>(statement)).map(decodeWorker);
    },

    async readEvents(id, { after, limit }) {
      if (!isStorableId(id)) return [];
      const values = [id, after, clampLimit(limit, MAX_PAGE_EVENTS)];
      const statement = { name: 'read_worker_events', text: READ, values };
      const stored = await database.read<StoredWorkerEvent>(statement);
      return stored.map((event) => decodeWorkerEvent(id, event));
    },

    async findOldestSeq(id) {
      if (!isStorableId(id)) return undefined;
      const statement = { name: 'oldest_worker_event', text: OLDEST, values: [id] };
      const [row] = await database.read<{ seq: number | null }>(statement);
      return row?.seq ?? undefined;
    },
  };
}

async function renewWorkers(
  { database, nowMs }: StoreDeps,
  { host, workers }: RenewWorkers,
): Promise<WorkerId[]> {
  if (workers.length === 0) return [];
  const ids = workers.map(({ id }) => id);
  const epochs = workers.map(({ epoch }) => epoch);
  const values = [host.id, host.leaseMs, ids, epochs, nowMs?.() ?? null];
  const renewed = await database.write<{ id: WorkerId }>({
    name: 'renew_workers',
    text: RENEW,
    values,
  });
  return renewed.map(({ id }) => id);
}

async function listLost({ database, nowMs }: StoreDeps, filter: LostFilter): Promise<LostWork> {
  const { host, isAlone, maxRequestMs } = filter;
  const size = clampLimit(filter.limit, MAX_PAGE_WORKERS);
  const at = nowMs?.() ?? null;
  const [workers, requests] = await Promise.all([
    database.read<StoredWorker>({
      name: 'list_lost_workers',
      text: LOST_WORKERS,
      values: [host, isAlone, size, at],
    }),
    database.read<{ worker_id: WorkerId; request_id: string }>({
      name: 'list_lost_requests',
      text: LOST_REQUESTS,
      values: [host, isAlone, size, maxRequestMs, at],
    }),
  ]);
  return {
    workers: workers.map(decodeWorker),
    requests: requests.map((row) => ({
      workerId: row.worker_id,
      requestId: decodeText(row.request_id),
    })),
  };
}

async function pruneWorkers(
  { database, nowMs }: StoreDeps,
  { maxEvents, maxAgeMs, forgetAfterMs, limit }: PruneWorkers,
): Promise<number> {
  const at = nowMs?.() ?? null;
  const size = clampLimit(limit, Number.MAX_SAFE_INTEGER);
  const events = await writeOnce(database, {
    name: 'prune_worker_events',
    text: PRUNE_EVENTS,
    values: [Math.max(1, maxEvents), maxAgeMs, size, at],
  });
  const requests = await writeOnce(database, {
    name: 'prune_worker_requests',
    text: PRUNE_REQUESTS,
    values: [maxAgeMs, size, at],
  });
  const workers = await writeOnce(database, {
    name: 'forget_workers',
    text: FORGET,
    values: [forgetAfterMs, size, at],
  });
  return events.length + requests.length + workers.length;
}
