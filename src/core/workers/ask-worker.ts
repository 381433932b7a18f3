import { createHash } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { RuntimeError, toRuntimeError } from '../errors.ts';
import type { Wakeups } from '../events/event-log.ts';
import { canonicalJson, type JsonObject, type JsonValue } from '../json.ts';
import type { Logger } from '../log.ts';
import type { Redactor } from '../redact/redact.ts';
import type { HostedWorkers } from './hosted-workers.ts';
import {
  FAILED,
  isOk,
  OVERLOADED,
  type RpcRequest,
  type RpcResponse,
  rpcError,
  unknownOutcome,
} from './json-rpc.ts';
import type { Worker } from './worker.ts';
import type { WorkerAdapter } from './worker-adapter.ts';
import { attachedElsewhere, notRunning } from './worker-faults.ts';
import type { WorkerSettings } from './worker-settings.ts';
import {
  type BeginResult,
  type StoredRequest,
  type WorkerStore,
  workerTopic,
} from './worker-store.ts';

export interface AskDeps {
  readonly store: WorkerStore;
  readonly wakeups: Wakeups;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly redactor: Redactor;
  readonly logger: Logger;
  readonly settings: () => WorkerSettings;
  readonly hosted: HostedWorkers;
  readonly findAdapter: (worker: Pick<Worker, 'adapter'>) => WorkerAdapter;
  /** Throws while no worker may be started or asked. */
  readonly assertMayCall: () => Promise<void>;
}

export interface AskRequest {
  readonly requestId: string;
  readonly method: string;
  readonly params: JsonValue | undefined;
  /** Headers of the request that this one came with, for its event. */
  readonly trace?: JsonObject;
}

export interface WorkerAnswer {
  readonly requestId: string;
  readonly isOk: boolean;
  readonly response: RpcResponse;
}

/**
 * Asks a worker once per request id. The request is on record before the worker hears of it, and the answer before the
 * caller does. The same request again gets the same answer, also while the first is under way.
 */
export async function askWorker(
  deps: AskDeps,
  worker: Worker,
  request: AskRequest,
): Promise<WorkerAnswer> {
  const adapter = deps.findAdapter(worker);
  await assertMayAsk(deps, worker, request.requestId);
  await assertReachable(deps, worker, { adapter, requestId: request.requestId });
  const begun = await begin(deps, worker, request);
  switch (begun.outcome) {
    case 'mismatch':
      throw new RuntimeError('conflict', 'request_id payload mismatch for existing request');
    case 'not_running':
      throw notRunning(begun.worker);
    case 'overloaded':
      return toAnswer(
        rpcError(request.requestId, {
          code: OVERLOADED,
          message: 'Server overloaded; retry later.',
        }),
      );
    case 'known':
      return toAnswer(begun.request.response ?? (await awaitAnswer(deps, begun.request)));
    case 'begun':
      return perform(deps, { worker: begun.worker, adapter, request });
  }
}

/** While all work is stopped nothing new is asked; what was answered before can be told all the same. */
async function assertMayAsk(
  { assertMayCall, store }: AskDeps,
  worker: Worker,
  requestId: string,
): Promise<void> {
  try {
    await assertMayCall();
  } catch (thrown) {
    if (!(await store.findRequest(worker.id, requestId))) throw thrown;
  }
}

/** A worker in another server's hands can't be asked here; what it answered before can be told all the same. */
async function assertReachable(
  { hosted, store }: AskDeps,
  worker: Worker,
  { adapter, requestId }: { readonly adapter: WorkerAdapter; readonly requestId: string },
): Promise<void> {
  if (adapter.kind === 'shared' || worker.status !== 'running') return;
  if (hosted.find(worker.id, worker.epoch)) return;
  if (!(await store.findRequest(worker.id, requestId))) throw attachedElsewhere(worker.id);
}

function begin(
  { store, settings, hosted, redactor }: AskDeps,
  worker: Worker,
  request: AskRequest,
): Promise<BeginResult> {
  const { requestId, method, params, trace } = request;
  const digest = createHash('sha256').update(canonicalJson({ method, params })).digest('hex');
  const payload = {
    request_id: requestId,
    method: redactor.redactText(method),
    ...(trace && { trace }),
  };
  return store.begin({
    workerId: worker.id,
    requestId,
    digest,
    draft: { type: 'worker.request.received', payload },
    host: hosted.host.id,
    maxPending: settings().maxQueuedRequests,
  });
}

interface Call {
  readonly worker: Worker;
  readonly adapter: WorkerAdapter;
  readonly request: AskRequest;
}

async function perform(deps: AskDeps, call: Call): Promise<WorkerAnswer> {
  const { worker, request } = call;
  const { requestId } = request;
  const response = redactResponse(deps, await answerOf(deps, call));
  // What it said before it answered stands before the answer in the log.
  await deps.hosted.find(worker.id, worker.epoch)?.notices.flush();
  const settled = await deps.store.settle({ workerId: worker.id, requestId, response });
  return toAnswer(settled.response ?? response);
}

async function answerOf(deps: AskDeps, { worker, adapter, request }: Call): Promise<RpcResponse> {
  const { requestId, method, params } = request;
  const rpc: RpcRequest = { id: requestId, method, params };
  try {
    if (adapter.kind === 'shared') return await adapter.call(rpc, worker);
    const link = deps.hosted.find(worker.id, worker.epoch)?.link();
    if (!link) throw new RuntimeError('conflict', 'the worker has ended');
    return await link.call(rpc, deps.settings().requestTimeoutMs);
  } catch (thrown) {
    const error = toRuntimeError(thrown);
    if (error.code === 'internal') {
      deps.logger.error({ worker_id: worker.id, err: error }, 'worker adapter failed');
    }
    // Refused before it was sent: nothing has happened.
    const isUnsent = error.code === 'queue_full' || error.code === 'conflict';
    if (isUnsent) return rpcError(requestId, { code: FAILED, message: error.message });
    return unknownOutcome(requestId, error.message);
  }
}

/** Somebody else is asking right now. */
async function awaitAnswer(deps: AskDeps, request: StoredRequest): Promise<RpcResponse> {
  const { workerId, requestId } = request;
  const wakeup = deps.wakeups.subscribe(workerTopic(workerId));
  const deadlineMs = deps.clock.nowMs() + deps.settings().requestTimeoutMs;
  try {
    do {
      const response = (await deps.store.findRequest(workerId, requestId))?.response;
      if (response) return response;
    } while (await wakeup.next({ deadlineMs }));
  } finally {
    wakeup.close();
  }
  throw new RuntimeError('conflict', `request ${requestId} is still under way`);
}

/** All but its id: that is the caller's own word, by which he finds it again. */
function redactResponse({ redactor }: AskDeps, response: RpcResponse): RpcResponse {
  const { jsonrpc, id, ...rest } = response;
  return { jsonrpc, id, ...redactor.redact(rest as JsonObject, 'response').value };
}

function toAnswer(response: RpcResponse): WorkerAnswer {
  return { requestId: response.id, isOk: isOk(response), response };
}
