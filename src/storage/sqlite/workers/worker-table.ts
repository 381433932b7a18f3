import type { WorkerId } from '../../../core/ids.ts';
import type { RpcResponse } from '../../../core/workers/json-rpc.ts';
import type { Worker, WorkerEvent } from '../../../core/workers/worker.ts';
import type { BeginRequest } from '../../../core/workers/worker-store.ts';
import type { Database } from '../driver.ts';
import { parseJsonText, toJsonText } from '../json-text.ts';
import { allRows, getRow } from '../rows.ts';
import {
  type RequestRow,
  toWorker,
  toWorkerValues,
  WORKER_COLUMNS,
  type WorkerRow,
} from './worker-row.ts';

export interface HeldWorker {
  readonly no: number;
  readonly worker: Worker;
}

/** Rows of workers and of their events, for writes. */
export function createWorkerTable(db: Database) {
  const select = db.prepare('SELECT * FROM workers WHERE id = ?');
  const marks = WORKER_COLUMNS.map(() => '?').join(', ');
  const insert = db.prepare(`INSERT INTO workers (${WORKER_COLUMNS.join(', ')}) VALUES (${marks})`);
  const sets = WORKER_COLUMNS.map((column) => `${column} = ?`).join(', ');
  const update = db.prepare(`UPDATE workers SET ${sets} WHERE no = ?`);
  // Counts no further than it has to.
  const countLive = db.prepare(`
    SELECT count(*) AS workers FROM (
      SELECT 1 FROM workers
      WHERE owner = ? AND status IN ('starting', 'running', 'stopping') LIMIT ?
    )`);
  const insertEvent = db.prepare(`
    INSERT INTO worker_events (worker_no, seq, type, payload, at_ms) VALUES (?, ?, ?, ?, ?)`);

  return {
    find(id: WorkerId): HeldWorker | undefined {
      const row = getRow<WorkerRow>(select, id);
      return row && { no: row.no, worker: toWorker(row) };
    },

    countLive: (owner: string, max: number): number =>
      getRow<{ workers: number }>(countLive, toJsonText(owner), max)?.workers ?? 0,

    insert: (worker: Worker): number =>
      Number(insert.run(...toWorkerValues(worker)).lastInsertRowid),

    update(no: number, worker: Worker): void {
      update.run(...toWorkerValues(worker), no);
    },

    insertEvents(no: number, events: readonly WorkerEvent[]): void {
      for (const { seq, type, payload, atMs } of events) {
        insertEvent.run(no, seq, toJsonText(type), JSON.stringify(payload), atMs);
      }
    },
  };
}

export interface SettledRow {
  readonly no: number;
  readonly response: RpcResponse;
  readonly nowMs: number;
}

/** Rows of the requests of workers, for writes. */
export function createWorkerRequests(db: Database) {
  const select = db.prepare('SELECT * FROM worker_requests WHERE worker_no = ? AND request_id = ?');
  const selectOpen = db.prepare(`
    SELECT request_id FROM worker_requests
    WHERE worker_no = ? AND settled_at_ms IS NULL ORDER BY begun_at_ms, request_id`);
  const countOpen = db.prepare(`
    SELECT count(*) AS requests FROM (
      SELECT 1 FROM worker_requests WHERE worker_no = ? AND settled_at_ms IS NULL LIMIT ?
    )`);
  const insert = db.prepare(`
    INSERT INTO worker_requests (worker_no, request_id, digest, host, begun_at_ms)
    VALUES (?, ?, ?, ?, ?)`);
  const settle = db.prepare(`
    UPDATE worker_requests SET response = ?, settled_at_ms = ?
    WHERE worker_no = ? AND request_id = ?`);

  return {
    find: (no: number, requestId: string) => getRow<RequestRow>(select, no, toJsonText(requestId)),

    listOpen: (no: number): string[] =>
      allRows<{ request_id: string }>(selectOpen, no).map((row) => parseJsonText(row.request_id)),

    countOpen: (no: number, max: number): number =>
      getRow<{ requests: number }>(countOpen, no, max)?.requests ?? 0,

    insert(no: number, { requestId, digest, host }: BeginRequest, nowMs: number): void {
      insert.run(no, toJsonText(requestId), digest, host, nowMs);
    },

    settle({ no, response, nowMs }: SettledRow): void {
      settle.run(JSON.stringify(response), nowMs, no, toJsonText(response.id));
    },
  };
}
