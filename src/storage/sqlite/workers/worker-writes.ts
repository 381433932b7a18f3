import type { WorkerId } from '../../../core/ids.ts';
import type { Worker } from '../../../core/workers/worker.ts';
import { isLive } from '../../../core/workers/worker.ts';
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
import type { WriteContext } from '../write-context.ts';
import { toStoredRequest } from './worker-row.ts';
import { createWorkerRequests, createWorkerTable } from './worker-table.ts';
import { createWorkerUpkeep } from './worker-upkeep.ts';

export function createWorkerWrites(context: WriteContext) {
  const table = createWorkerTable(context.db);
  const requests = createWorkerRequests(context.db);

  function getHeld(id: WorkerId) {
    const held = table.find(id);
    if (!held) throw workerNotFound(id);
    return held;
  }

  function save(no: number, { worker, events }: ChangedWorker): Worker {
    table.update(no, worker);
    table.insertEvents(no, events);
    return worker;
  }

  function attach(request: AttachWorker): AttachResult {
    const held = table.find(request.id);
    if (held && held.worker.owner !== request.owner) return { outcome: 'other_owner' };
    if (held && isLive(held.worker.status)) return { outcome: 'exists', worker: held.worker };
    const { owner, maxLive } = request;
    if (table.countLive(owner, maxLive) >= maxLive) return { outcome: 'full' };
    const changed = attachWorker(held?.worker, request, context.nowMs());
    if (held) return { outcome: 'reattached', worker: save(held.no, changed) };
    table.insertEvents(table.insert(changed.worker), changed.events);
    return { outcome: 'created', worker: changed.worker };
  }

  function record(change: RecordWorker): RecordResult {
    const { no, worker } = getHeld(change.id);
    if (isRefused(worker, change)) return { outcome: 'refused', worker };
    const nowMs = context.nowMs();
    const open = endsWorker(change) ? requests.listOpen(no) : [];
    const answers = open.map(answerOfEnded);
    const changed = recordWorker(worker, change, { nowMs, answers });
    for (const answer of answers) requests.settle({ no, response: answer, nowMs });
    save(no, changed);
    return { outcome: 'recorded', worker: changed.worker, events: changed.events };
  }

  function begin(request: BeginRequest): BeginResult {
    const { no, worker } = getHeld(request.workerId);
    const known = requests.find(no, request.requestId);
    if (known) {
      if (known.digest !== request.digest) return { outcome: 'mismatch' };
      return { outcome: 'known', request: toStoredRequest(worker.id, known) };
    }
    if (worker.status !== 'running') return { outcome: 'not_running', worker };
    if (requests.countOpen(no, request.maxPending) >= request.maxPending) {
      return { outcome: 'overloaded' };
    }
    const nowMs = context.nowMs();
    requests.insert(no, request, nowMs);
    const counted = { ...worker, requestCount: worker.requestCount + 1 };
    return { outcome: 'begun', worker: save(no, addEvents(counted, [request.draft], nowMs)) };
  }

  function settle({ workerId, requestId, response }: SettleRequest): StoredRequest {
    const { no, worker } = getHeld(workerId);
    const known = requests.find(no, requestId);
    if (!known) throw requestNotFound(workerId, requestId);
    const stored = toStoredRequest(workerId, known);
    if (stored.response) return stored;
    const nowMs = context.nowMs();
    requests.settle({ no, response, nowMs });
    save(no, addEvents(worker, [answerDraft(response)], nowMs));
    return { ...stored, response };
  }

  return {
    attachWorker: attach,
    recordWorker: record,
    beginWorkerRequest: begin,
    settleWorkerRequest: settle,
    ...createWorkerUpkeep(context),
  };
}
