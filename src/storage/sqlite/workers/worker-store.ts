import { clampLimit } from '../../../core/clamp-limit.ts';
import type { WorkerId } from '../../../core/ids.ts';
import {
  type LostFilter,
  type LostWork,
  type WorkerFilter,
  type WorkerPage,
  type WorkerStore,
  workerTopic,
} from '../../../core/workers/worker-store.ts';
import type { Database, Statement } from '../driver.ts';
import { parseJsonText, toJsonText } from '../json-text.ts';
import type { PortDeps } from '../port-deps.ts';
import { allRows, type Bindable, getRow } from '../rows.ts';
import {
  MAX_PAGE_WORKER_EVENTS,
  MAX_PAGE_WORKERS,
  type RequestRow,
  toStoredRequest,
  toWorker,
  toWorkerEvent,
  type WorkerEventRow,
  type WorkerRow,
} from './worker-row.ts';

export function createWorkerStore({ db, read, writer, nowMs, wakeTopic }: PortDeps): WorkerStore {
  const reads = createWorkerReads(db, nowMs);

  /** Readers are woken after the commit, whatever came of the write: a wake-up too many costs one look. */
  async function thenWake<T>(id: WorkerId, written: Promise<T>): Promise<T> {
    const result = await written;
    wakeTopic(workerTopic(id));
    return result;
  }

  return {
    attach: (request) => thenWake(request.id, writer.submit('attachWorker', request)),
    find: (id) => read(() => reads.find(id)),
    list: (filter) => read(() => reads.list(filter)),
    listAll: (page) => read(() => reads.listAll(page)),
    record: (change) => thenWake(change.id, writer.submit('recordWorker', change)),
    begin: (request) => thenWake(request.workerId, writer.submit('beginWorkerRequest', request)),
    settle: (answer) => thenWake(answer.workerId, writer.submit('settleWorkerRequest', answer)),
    findRequest: (workerId, requestId) => read(() => reads.findRequest(workerId, requestId)),
    renew: (renewal) => writer.submit('renewWorkers', renewal),
    listLost: (filter) => read(() => reads.listLost(filter)),
    readEvents: (id, page) => read(() => reads.readEvents(id, page)),
    findOldestSeq: (id) => read(() => reads.findOldestSeq(id)),
    prune: (limits) => writer.submit('pruneWorkers', limits),
  };
}

function createWorkerReads(db: Database, nowMs: () => number) {
  const select = db.prepare('SELECT * FROM workers WHERE id = ?');
  const selectNo = db.prepare('SELECT no FROM workers WHERE id = ?');
  const selectRequest = db.prepare(
    'SELECT * FROM worker_requests WHERE worker_no = ? AND request_id = ?',
  );
  const selectEvents = db.prepare(`
    SELECT seq, type, payload, at_ms FROM worker_events
    WHERE worker_no = ? AND seq > ? ORDER BY seq LIMIT ?`);
  const selectOldest = db.prepare('SELECT min(seq) AS seq FROM worker_events WHERE worker_no = ?');
  const findNo = (id: WorkerId) => getRow<{ no: number }>(selectNo, id)?.no;

  return {
    find(id: WorkerId) {
      const row = getRow<WorkerRow>(select, id);
      return row && toWorker(row);
    },

    list: createListWorkers(db),
    listAll: createListAllWorkers(db),
    listLost: createListLost(db, nowMs),

    findRequest(workerId: WorkerId, requestId: string) {
      const no = findNo(workerId);
      if (no === undefined) return undefined;
      const row = getRow<RequestRow>(selectRequest, no, toJsonText(requestId));
      return row && toStoredRequest(workerId, row);
    },

    readEvents(id: WorkerId, { after, limit }: { after: number; limit: number }) {
      const no = findNo(id);
      if (no === undefined) return [];
      const size = clampLimit(limit, MAX_PAGE_WORKER_EVENTS);
      const rows = allRows<WorkerEventRow>(selectEvents, no, after, size);
      return rows.map((row) => toWorkerEvent(id, row));
    },

    findOldestSeq(id: WorkerId) {
      const no = findNo(id);
      if (no === undefined) return undefined;
      return getRow<{ seq: number | null }>(selectOldest, no)?.seq ?? undefined;
    },
  };
}

/** Each combination of filters is prepared once. */
function createListWorkers(db: Database) {
  const statements = new Map<string, Statement>();

  return ({ owner, status, workspaceRef, limit }: WorkerFilter) => {
    const terms = ['owner = ?'];
    const values: Bindable[] = [toJsonText(owner)];
    if (status !== undefined) {
      terms.push('status = ?');
      values.push(status);
    }
    if (workspaceRef !== undefined) {
      terms.push('workspace_ref = ?');
      values.push(toJsonText(workspaceRef));
    }
    const where = terms.join(' AND ');
    const statement =
      statements.get(where) ??
      db.prepare(`
        SELECT * FROM workers WHERE ${where} ORDER BY updated_at_ms DESC, id DESC LIMIT ?`);
    statements.set(where, statement);
    const size = clampLimit(limit, MAX_PAGE_WORKERS);
    return allRows<WorkerRow>(statement, ...values, size).map(toWorker);
  };
}

function createListAllWorkers(db: Database) {
  const select = db.prepare(`
    SELECT * FROM workers WHERE id > ?1 AND (?2 IS NULL OR status = ?2) ORDER BY id LIMIT (?3 + 0)`);

  return ({ status, after = '' as WorkerId, limit }: WorkerPage) =>
    allRows<WorkerRow>(select, after, status ?? null, clampLimit(limit, MAX_PAGE_WORKERS)).map(
      toWorker,
    );
}

/** Whose host has not renewed it. Where no other server can be running, all that belong to another. */
function createListLost(db: Database, nowMs: () => number) {
  const selectWorkers = db.prepare(`
    SELECT * FROM workers WHERE host IS NOT NULL AND (host_expires_at_ms <= ? OR (host <> ? AND ?))
    ORDER BY host_expires_at_ms LIMIT ?`);
  const selectRequests = db.prepare(`
    SELECT workers.id, request_id FROM worker_requests JOIN workers ON workers.no = worker_no
    WHERE settled_at_ms IS NULL AND (begun_at_ms <= ? OR (worker_requests.host <> ? AND ?))
    LIMIT ?`);

  return ({ host, isAlone, maxRequestMs, limit }: LostFilter): LostWork => {
    const alone = isAlone ? 1 : 0;
    const size = clampLimit(limit, MAX_PAGE_WORKERS);
    const begunMs = nowMs() - maxRequestMs;
    const requests = allRows<LostRow>(selectRequests, begunMs, host, alone, size);
    return {
      workers: allRows<WorkerRow>(selectWorkers, nowMs(), host, alone, size).map(toWorker),
      requests: requests.map((row) => ({
        workerId: row.id,
        requestId: parseJsonText(row.request_id),
      })),
    };
  };
}

interface LostRow {
  readonly id: WorkerId;
  readonly request_id: string;
}
