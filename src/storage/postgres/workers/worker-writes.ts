import { clampLimit } from '../../../core/clamp-limit.ts';
import type { WorkerId } from '../../../core/ids.ts';
import type { RpcResponse } from '../../../core/workers/json-rpc.ts';
import { isLive, type Worker } from '../../../core/workers/worker.ts';
import { workerNotFound } from '../../../core/workers/worker-faults.ts';
import {
  addEvents,
  answerDraft,
  answerOfEnded,
  attachWorker,
  type ChangedWorker,
  endsWorker,
  isRefused,
  recordWorker,
} from '../../../core/workers/worker-rules.ts';
import type {
  AttachResult,
  AttachWorker,
  BeginRequest,
  BeginResult,
  RecordResult,
  RecordWorker,
  SettleRequest,
  StoredRequest,
} from '../../../core/workers/worker-store.ts';
import { requestNotFound } from '../../request-not-found.ts';
import { isStorableId } from '../../tables/column.ts';
import { holdLock } from '../advisory-lock.ts';
import { toStatements } from '../bulk.ts';
import { readMark } from '../mark.ts';
import { notifyStatements, WORKER_CHANNEL } from '../runs/save-batch.ts';
import type { Statement } from '../statement.ts';
import type { StoreDeps } from '../store-deps.ts';
import { decodeText, encodeText } from '../text-codec.ts';
import type { Plan, Transaction } from '../transact-once.ts';
import {
  decodeRequest,
  decodeWorker,
  INSERT_WORKER_EVENTS,
  INSERT_WORKERS,
  type StoredRequestRow,
  type StoredWorker,
  UPDATE_WORKERS,
  WORKER_COLUMNS,
} from './worker-row.ts';

const HOLD = `select ${WORKER_COLUMNS} from workers where id = $1 for update`;
const COUNT_LIVE = `
  select count(*) as workers from (
    select from workers
    where owner = $1 and status in ('starting', 'running', 'stopping') limit $2
  ) w`;
const FIND_REQUEST = `
  select request_id, digest, response from worker_requests where worker_id = $1 and request_id = $2`;
const LIST_OPEN = `
  select request_id from worker_requests where worker_id = $1 and settled_at_ms is null
  order by begun_at_ms, request_id`;
const COUNT_OPEN = `
  select count(*) as requests from (
    select from worker_requests where worker_id = $1 and settled_at_ms is null limit $2
  ) r`;
const INSERT_REQUEST = `
  insert into worker_requests (worker_id, request_id, digest, host, begun_at_ms)
  values ($1, $2, $3, $4, $5)`;
const SETTLE = `
  update worker_requests r set response = v.response, settled_at_ms = $4
  from unnest($2::text[], $3::text[]) as v(request_id, response)
  where r.worker_id = $1 and r.request_id = v.request_id`;

/** The writes that change one worker, each under the lock of its row. */
export function createWorkerWrites({ database, nowMs }: StoreDeps) {
  async function holdWorker(transaction: Transaction, id: WorkerId): Promise<Worker | undefined> {
    const statement = { name: 'hold_worker', text: HOLD, values: [id] };
    const [stored] = await transaction.query<StoredWorker>(statement);
    return stored && decodeWorker(stored);
  }

  /** Reads made inside `work` see what was committed before the lock was granted. */
  function change<T>(
    id: WorkerId,
    work: (transaction: Transaction, held: Held) => Promise<Omit<Plan<T>, 'xid'>>,
  ): Promise<T> {
    if (!isStorableId(id)) return Promise.reject(workerNotFound(id));
    return database.transact(async (transaction) => {
      const worker = await holdWorker(transaction, id);
      if (!worker) throw workerNotFound(id);
      const mark = await readMark(transaction, nowMs?.());
      const plan = await work(transaction, { worker, nowMs: mark.nowMs });
      return { ...plan, xid: mark.xid };
    });
  }

  return {
    attach: (request: AttachWorker): Promise<AttachResult> =>
      database.transact(async (transaction) => {
        // Whoever counts an owner's workers, or makes one under an id that has no row to lock, does so alone.
        await holdLock(transaction, 'workers', '');
        const known = await holdWorker(transaction, request.id);
        const count = await countLive(transaction, request);
        const mark = await readMark(transaction, nowMs?.());
        return { ...planAttach(known, request, { ...mark, count }), xid: mark.xid };
      }),

    record: (recorded: RecordWorker): Promise<RecordResult> =>
      change<RecordResult>(recorded.id, async (transaction, { worker, nowMs }) => {
        if (isRefused(worker, recorded))
          return { value: { outcome: 'refused', worker }, writes: [] };
        const open = endsWorker(recorded) ? await listOpen(transaction, worker.id) : [];
        const answers = open.map(answerOfEnded);
        const changed = recordWorker(worker, recorded, { nowMs, answers });
        return {
          value: { outcome: 'recorded', ...changed },
          writes: [...save(changed), ...settleAll(worker.id, answers, nowMs)],
        };
      }),

    begin: (request: BeginRequest): Promise<BeginResult> =>
      change<BeginResult>(request.workerId, async (transaction, held) => {
        const [known, open] = await Promise.all([
          findRequest(transaction, held.worker.id, request.requestId),
          countOpen(transaction, request),
        ]);
        return planBegin(request, held, { known, open });
      }),

    settle: ({ workerId, requestId, response }: SettleRequest): Promise<StoredRequest> =>
      change<StoredRequest>(workerId, async (transaction, { worker, nowMs }) => {
        const known = await findRequest(transaction, workerId, requestId);
        if (!known) throw requestNotFound(workerId, requestId);
        if (known.response) return { value: known, writes: [] };
        const changed = addEvents(worker, [answerDraft(response)], nowMs);
        return {
          value: { ...known, response },
          writes: [...save(changed), ...settleAll(workerId, [response], nowMs)],
        };
      }),
  };
}

interface Held {
  readonly worker: Worker;
  readonly nowMs: number;
}

function planAttach(
  known: Worker | undefined,
  request: AttachWorker,
  at: { readonly nowMs: number; readonly count: number },
): Omit<Plan<AttachResult>, 'xid'> {
  if (known && known.owner !== request.owner) {
    return { value: { outcome: 'other_owner' }, writes: [] };
  }
  if (known && isLive(known.status)) {
    return { value: { outcome: 'exists', worker: known }, writes: [] };
  }
  if (at.count >= request.maxLive) return { value: { outcome: 'full' }, writes: [] };
  const changed = attachWorker(known, request, at.nowMs);
  const { worker } = changed;
  if (known) return { value: { outcome: 'reattached', worker }, writes: save(changed) };
  const writes = [...toStatements(INSERT_WORKERS, [worker]), ...saveEvents(changed)];
  return { value: { outcome: 'created', worker }, writes };
}

function planBegin(
  request: BeginRequest,
  { worker, nowMs }: Held,
  found: { readonly known: StoredRequest | undefined; readonly open: number },
): Omit<Plan<BeginResult>, 'xid'> {
  const { known } = found;
  if (known && known.digest !== request.digest)
    return { value: { outcome: 'mismatch' }, writes: [] };
  if (known) return { value: { outcome: 'known', request: known }, writes: [] };
  if (worker.status !== 'running') return { value: { outcome: 'not_running', worker }, writes: [] };
  if (found.open >= request.maxPending) return { value: { outcome: 'overloaded' }, writes: [] };
  const counted = { ...worker, requestCount: worker.requestCount + 1 };
  const changed = addEvents(counted, [request.draft], nowMs);
  const { requestId, digest, host } = request;
  const values = [worker.id, encodeText(requestId), digest, host, nowMs];
  const insert = { name: 'insert_worker_request', text: INSERT_REQUEST, values };
  return {
    value: { outcome: 'begun', worker: changed.worker },
    writes: [...save(changed), insert],
  };
}

function save(changed: ChangedWorker): Statement[] {
  return [...toStatements(UPDATE_WORKERS, [changed.worker]), ...saveEvents(changed)];
}

function saveEvents({ worker, events }: ChangedWorker): Statement[] {
  if (events.length === 0) return [];
  const notices = [{ channel: WORKER_CHANNEL, payload: worker.id }];
  return [...toStatements(INSERT_WORKER_EVENTS, events), ...notifyStatements(notices)];
}

function settleAll(id: WorkerId, answers: readonly RpcResponse[], nowMs: number): Statement[] {
  if (answers.length === 0) return [];
  const ids = answers.map((answer) => encodeText(answer.id));
  const values = [id, ids, answers.map((answer) => JSON.stringify(answer)), nowMs];
  return [{ name: 'settle_worker_requests', text: SETTLE, values }];
}

async function countLive(transaction: Transaction, request: AttachWorker): Promise<number> {
  const values = [encodeText(request.owner), clampLimit(request.maxLive, Number.MAX_SAFE_INTEGER)];
  const statement = { name: 'count_live_workers', text: COUNT_LIVE, values };
  const [row] = await transaction.query<{ workers: number }>(statement);
  return row?.workers ?? 0;
}

async function countOpen(transaction: Transaction, request: BeginRequest): Promise<number> {
  const values = [request.workerId, clampLimit(request.maxPending, Number.MAX_SAFE_INTEGER)];
  const statement = { name: 'count_open_requests', text: COUNT_OPEN, values };
  const [row] = await transaction.query<{ requests: number }>(statement);
  return row?.requests ?? 0;
}

async function listOpen(transaction: Transaction, id: WorkerId): Promise<string[]> {
  const statement = { name: 'list_open_requests', text: LIST_OPEN, values: [id] };
  const rows = await transaction.query<{ request_id: string }>(statement);
  return rows.map((row) => decodeText(row.request_id));
}

async function findRequest(
  transaction: Transaction,
  id: WorkerId,
  requestId: string,
): Promise<StoredRequest | undefined> {
  const values = [id, encodeText(requestId)];
  const statement = { name: 'hold_worker_request', text: FIND_REQUEST, values };
  const [row] = await transaction.query<StoredRequestRow>(statement);
  return row && decodeRequest(id, row);
}
