import { RuntimeError } from '../errors.ts';
import type { Ids, WorkerId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import { type Principal, toOwner } from '../principal.ts';
import { type AskDeps, type AskRequest, askWorker, type WorkerAnswer } from './ask-worker.ts';
import { type AttachReceipt, type AttachRequest, attachWorkerFor } from './attach-worker.ts';
import { endWorker, type WorkerEndReceipt } from './end-worker.ts';
import { type TailWorkerRequest, tailWorker } from './tail-worker.ts';
import {
  type Heartbeat,
  readHeartbeat,
  type Worker,
  type WorkerEvent,
  type WorkerEventType,
  type WorkerStatus,
} from './worker.ts';
import { notOwned, notRunning, workerNotFound } from './worker-faults.ts';

/**
 * What a product does with its workers. Everything is done for a principal, and only to what is his: another's is
 * `forbidden`, what does not exist `not_found`.
 */
export interface Workers {
  attach(request: AttachRequest): Promise<AttachReceipt>;
  get(ref: WorkerRef): Promise<Worker>;
  /** The latest changed first. */
  list(filter: ListWorkers): Promise<readonly Worker[]>;
  heartbeat(worker: Worker): Heartbeat & { readonly staleAfterMs: number };
  /** Throws `conflict` when the worker does not run, or the id stands for another request. */
  ask(ref: WorkerRef, request: Omit<AskRequest, 'requestId'> & RequestName): Promise<WorkerAnswer>;
  /** The same again changes nothing. */
  stop(ref: WorkerRef, reason: string): Promise<WorkerEndReceipt>;
  /** An event that its owner reports; `worker.stopped` and `worker.failed` end it. Throws `conflict` when it does not run. */
  report(ref: WorkerRef, event: ReportedEvent): Promise<WorkerEvent>;
  /** Where a reader begins. Throws `stale_cursor` when what comes next is no longer kept. */
  locate(ref: WorkerRef, cursor: number | undefined): Promise<number>;
  /** Pages of events after a cursor; see `tailWorker`. */
  tail(request: TailWorkerRequest): AsyncGenerator<WorkerEvent[]>;
}

export interface WorkerRef {
  readonly id: WorkerId;
  readonly principal: Principal;
}

interface RequestName {
  /** Made when absent. */
  readonly requestId: string | undefined;
}

interface ListWorkers {
  readonly principal: Principal;
  readonly status?: WorkerStatus;
  readonly workspaceRef?: string;
  readonly limit: number;
}

interface ReportedEvent {
  readonly type: WorkerEventType;
  readonly payload: JsonObject;
}

export interface WorkersDeps extends AskDeps {
  readonly ids: Pick<Ids, 'worker' | 'request'>;
}

export function createWorkers(deps: WorkersDeps): Workers {
  const { store, clock, redactor } = deps;

  async function get({ id, principal }: WorkerRef): Promise<Worker> {
    const worker = await store.find(id);
    if (!worker) throw workerNotFound(id);
    if (worker.owner !== toOwner(principal)) throw notOwned();
    return worker;
  }

  return {
    get,
    attach: (request) => attachWorkerFor(deps, request),

    list: ({ principal, workspaceRef, ...filter }) =>
      store.list({
        ...filter,
        owner: toOwner(principal),
        // As it is stored, or one that holds something secret would never be found.
        ...(workspaceRef !== undefined && { workspaceRef: redactor.redactText(workspaceRef) }),
      }),

    heartbeat(worker) {
      const { heartbeatStaleAfterMs: staleAfterMs } = deps.settings();
      return { ...readHeartbeat(worker, clock.nowMs(), staleAfterMs), staleAfterMs };
    },

    async ask(ref, { requestId = deps.ids.request(), ...request }) {
      return askWorker(deps, await get(ref), { ...request, requestId });
    },

    async stop(ref, reason) {
      const worker = await get(ref);
      const text = redactor.redactText(reason);
      const draft = { type: 'worker.stopped', payload: { reason: text } } as const;
      return endWorker(deps, worker, { status: 'stopped', draft, reason: text });
    },

    async report(ref, reported) {
      const worker = await get(ref);
      if (worker.status !== 'running') throw notRunning(worker);
      const { type } = reported;
      const draft = { type, payload: redactor.redact(reported.payload, 'payload').value };
      const ended = type === 'worker.stopped' || type === 'worker.failed';
      if (ended) {
        const status = type === 'worker.stopped' ? 'stopped' : 'failed';
        const receipt = await endWorker(deps, worker, { status, draft, reason: 'reported' });
        if (!receipt.event) throw notRunning(receipt.worker);
        return receipt.event;
      }
      const result = await store.record({ id: worker.id, drafts: [draft], from: ['running'] });
      const event = result.outcome === 'recorded' ? result.events.at(-1) : undefined;
      if (!event) throw notRunning(result.worker);
      return event;
    },

    async locate(ref, cursor) {
      const worker = await get(ref);
      if (cursor === undefined) return worker.latestSeq;
      const oldest = await store.findOldestSeq(worker.id);
      if (oldest === undefined || cursor >= oldest - 1) return cursor;
      throw new RuntimeError(
        'stale_cursor',
        `cursor ${cursor} is older than the oldest event that is kept (${oldest})`,
        { details: { oldest_seq: oldest } },
      );
    },

    tail: (request) => tailWorker(deps, request),
  };
}
