import { defined } from '../defined.ts';
import { isOk, type RpcResponse, unknownOutcome } from './json-rpc.ts';
import { isLive, type Worker, type WorkerDraft, type WorkerEvent } from './worker.ts';
import type { AttachWorker, RecordWorker } from './worker-store.ts';

/** What the engines decide alike, on a worker that they hold the lock of. */
export interface ChangedWorker {
  readonly worker: Worker;
  readonly events: readonly WorkerEvent[];
}

export function addEvents(
  worker: Worker,
  drafts: readonly WorkerDraft[],
  nowMs: number,
): ChangedWorker {
  if (drafts.length === 0) return { worker: { ...worker, updatedAtMs: nowMs }, events: [] };
  const events = drafts.map((draft, index) => ({
    workerId: worker.id,
    seq: worker.latestSeq + index + 1,
    type: draft.type,
    payload: draft.payload,
    atMs: nowMs,
  }));
  const latestSeq = worker.latestSeq + drafts.length;
  const heard = { latestSeq, lastHeartbeatAtMs: nowMs, updatedAtMs: nowMs };
  return { worker: { ...worker, ...heard }, events };
}

export function startedDraft(
  reason: 'attach' | 'reattach',
  worker: Pick<Worker, 'adapter' | 'command'>,
): WorkerDraft {
  const { adapter, command } = worker;
  const payload = { reason, adapter, ...defined({ command }) };
  return { type: 'worker.started', payload };
}

/** A new worker, or one that has ended, as attached. */
export function attachWorker(
  known: Worker | undefined,
  request: AttachWorker,
  nowMs: number,
): ChangedWorker {
  const { id, owner, adapter, command, workspaceRef, codexHomeRef, metadata } = request;
  const attached: Worker = {
    ...{ id, owner, adapter, command, workspaceRef, codexHomeRef, metadata },
    status: 'starting',
    latestSeq: known?.latestSeq ?? 0,
    requestCount: known?.requestCount ?? 0,
    epoch: (known?.epoch ?? 0) + 1,
    host: undefined,
    createdAtMs: known?.createdAtMs ?? nowMs,
    startedAtMs: undefined,
    stoppedAtMs: undefined,
    lastHeartbeatAtMs: undefined,
    updatedAtMs: nowMs,
  };
  if (request.host) {
    const { id: hostId, leaseMs } = request.host;
    const host = { id: hostId, expiresAtMs: nowMs + leaseMs, processMark: undefined };
    return { worker: { ...attached, host }, events: [] };
  }
  const running: Worker = { ...attached, status: 'running', startedAtMs: nowMs };
  return addEvents(running, [startedDraft(known ? 'reattach' : 'attach', attached)], nowMs);
}

export function isRefused(worker: Worker, { epoch, from }: RecordWorker): boolean {
  if (epoch !== undefined && worker.epoch !== epoch) return true;
  return !from.includes(worker.status);
}

/** `answers` are those of the requests that end with it; they come before the news that it has ended. */
export function recordWorker(
  worker: Worker,
  change: RecordWorker,
  at: { readonly nowMs: number; readonly answers: readonly RpcResponse[] },
): ChangedWorker {
  const drafts = [...at.answers.map(answerDraft), ...change.drafts];
  const { worker: heard, events } = addEvents(worker, drafts, at.nowMs);
  return { worker: moveTo(heard, change, at.nowMs), events };
}

function moveTo(worker: Worker, { status, processMark }: RecordWorker, nowMs: number): Worker {
  if (status === undefined) return worker;
  if (!isLive(status)) return { ...worker, status, stoppedAtMs: nowMs, host: undefined };
  const host = worker.host && {
    ...worker.host,
    processMark: processMark ?? worker.host.processMark,
  };
  if (status !== 'running') return { ...worker, status, host };
  return { ...worker, status, host, startedAtMs: nowMs, stoppedAtMs: undefined };
}

/** Whether the change ends the worker, so that its open requests have to be answered. */
export function endsWorker({ status }: RecordWorker): boolean {
  return status !== undefined && !isLive(status);
}

export function answerDraft(response: RpcResponse): WorkerDraft {
  const type = isOk(response) ? 'worker.response' : 'worker.error';
  return { type, payload: { request_id: response.id, response } };
}

/** For a request that was open when its worker ended. */
export function answerOfEnded(requestId: string): RpcResponse {
  return unknownOutcome(requestId, 'the worker ended before it answered');
}
