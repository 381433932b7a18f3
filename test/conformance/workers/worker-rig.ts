import { createIds } from '../../../src/core/create-ids.ts';
import type { WorkerId } from '../../../src/core/ids.ts';
import type { Storage } from '../../../src/core/storage.ts';
import { rpcResult } from '../../../src/core/workers/json-rpc.ts';
import type { Worker, WorkerDraft, WorkerEvent } from '../../../src/core/workers/worker.ts';
import type {
  AttachWorker,
  BeginRequest,
  RecordWorker,
} from '../../../src/core/workers/worker-store.ts';

const ids = createIds(() => Date.now());

export const OWNER = 'user:42';
export const HOST = { id: 'lease_host_a', leaseMs: 30_000 };
export const LIVE = ['starting', 'running', 'stopping'] as const;

const newWorkerId = (): WorkerId => ids.worker();

export function newWorker(overrides: Partial<AttachWorker> = {}): AttachWorker {
  return {
    id: newWorkerId(),
    owner: OWNER,
    adapter: 'in_memory',
    command: undefined,
    workspaceRef: undefined,
    codexHomeRef: undefined,
    metadata: {},
    host: undefined,
    maxLive: 1_000,
    ...overrides,
  };
}

export async function attach(
  { workers }: Storage,
  overrides: Partial<AttachWorker> = {},
): Promise<Worker> {
  const result = await workers.attach(newWorker(overrides));
  if (!('worker' in result)) throw new Error(`expected a worker, got ${result.outcome}`);
  return result.worker;
}

/** A worker of the `process` adapter that this host has started. */
export async function attachHosted(
  storage: Storage,
  overrides: Partial<AttachWorker> = {},
): Promise<Worker> {
  const hosted = { adapter: 'process', command: 'example', host: HOST } as const;
  const { id } = await attach(storage, { ...hosted, ...overrides });
  return record(storage, { id, status: 'running', processMark: 'boot:1:2', from: ['starting'] });
}

export async function record(
  { workers }: Storage,
  change: Partial<RecordWorker> & Pick<RecordWorker, 'id'>,
): Promise<Worker> {
  const result = await workers.record({ drafts: [], from: LIVE, ...change });
  if (result.outcome === 'refused') throw new Error(`worker ${change.id} refused a change`);
  return result.worker;
}

export const draft = (type: WorkerDraft['type'], payload: WorkerDraft['payload'] = {}) => ({
  type,
  payload,
});

export function newRequest(
  workerId: WorkerId,
  overrides: Partial<BeginRequest> = {},
): BeginRequest {
  const requestId = overrides.requestId ?? ids.request();
  return {
    workerId,
    requestId,
    digest: 'digest',
    draft: draft('worker.request.received', { request_id: requestId, method: 'ping' }),
    host: HOST.id,
    maxPending: 1_000,
    ...overrides,
  };
}

export const answerTo = (requestId: string) => rpcResult(requestId, { done: true });

export const readLog = ({ workers }: Storage, id: WorkerId): Promise<WorkerEvent[]> =>
  workers.readEvents(id, { after: 0, limit: 1_000 });

export const typesOf = (events: readonly WorkerEvent[]): string[] =>
  events.map((event) => `${event.seq} ${event.type}`);
