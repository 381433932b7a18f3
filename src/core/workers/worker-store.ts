import type { Topic } from '../events/event-log.ts';
import type { WorkerId } from '../ids.ts';
import type { RpcResponse } from './json-rpc.ts';
import type { Worker, WorkerDraft, WorkerEvent, WorkerStatus } from './worker.ts';

/**
 * Workers, their event logs and the requests made of them. Each method is one transaction. Events are numbered under
 * the worker's lock; whatever appends one also counts as a heartbeat. Everything given here is redacted already.
 */
export interface WorkerStore {
  /** Creates a worker, or attaches one that has ended. One that is live or somebody else's stays as it is. */
  attach(request: AttachWorker): Promise<AttachResult>;

  find(id: WorkerId): Promise<Worker | undefined>;

  /** Of one owner, the latest changed first. */
  list(filter: WorkerFilter): Promise<Worker[]>;

  /** Of all owners, by id. */
  listAll(page: WorkerPage): Promise<Worker[]>;

  /**
   * Appends events and changes the status. One that ends the worker answers its open requests first, as of unknown
   * outcome, and gives its host up. Throws `not_found`.
   */
  record(change: RecordWorker): Promise<RecordResult>;

  /** The request and its event, before anything is asked of the worker. Throws `not_found`. */
  begin(request: BeginRequest): Promise<BeginResult>;

  /** The answer and its event; an answer that is there already stays. Throws `not_found`. */
  settle(answer: SettleRequest): Promise<StoredRequest>;

  findRequest(workerId: WorkerId, requestId: string): Promise<StoredRequest | undefined>;

  /** Keeps hosted workers alive. Answers with those that this host may keep. */
  renew(renewal: RenewWorkers): Promise<WorkerId[]>;

  /** Workers whose host is gone, and requests that nobody will answer any more. */
  listLost(filter: LostFilter): Promise<LostWork>;

  /** In `seq` order. An unknown worker reads as empty. */
  readEvents(
    id: WorkerId,
    page: { readonly after: number; readonly limit: number },
  ): Promise<WorkerEvent[]>;

  /** Of the events that are kept; undefined when there is none. */
  findOldestSeq(id: WorkerId): Promise<number | undefined>;

  /**
   * Removes a bounded number of old events and answers, and workers that ended long ago, of which nothing else is left.
   * A worker that stays keeps its newest event. Answers how many rows that were.
   */
  prune(limits: PruneWorkers): Promise<number>;
}

export interface AttachWorker
  extends Pick<
    Worker,
    'id' | 'owner' | 'adapter' | 'command' | 'workspaceRef' | 'codexHomeRef' | 'metadata'
  > {
  /** Given when it will be held by this server: then it is `starting` and has yet to be recorded as running. */
  readonly host: HostLease | undefined;
  /** Of one owner. */
  readonly maxLive: number;
}

export interface HostLease {
  readonly id: string;
  readonly leaseMs: number;
}

export type AttachResult =
  | { readonly outcome: 'created' | 'reattached' | 'exists'; readonly worker: Worker }
  | { readonly outcome: 'other_owner' | 'full' };

export interface WorkerFilter {
  readonly owner: string;
  readonly status?: WorkerStatus;
  readonly workspaceRef?: string;
  readonly limit: number;
}

export interface WorkerPage {
  readonly status?: WorkerStatus;
  /** The last id of the page before. */
  readonly after?: WorkerId;
  readonly limit: number;
}

export interface RecordWorker {
  readonly id: WorkerId;
  readonly drafts: readonly WorkerDraft[];
  readonly status?: WorkerStatus;
  readonly processMark?: string;
  /** Refused when it was attached anew since. */
  readonly epoch?: number;
  /** Refused in any other status. */
  readonly from: readonly WorkerStatus[];
}

export type RecordResult =
  | {
      readonly outcome: 'recorded';
      readonly worker: Worker;
      readonly events: readonly WorkerEvent[];
    }
  | { readonly outcome: 'refused'; readonly worker: Worker };

export interface BeginRequest {
  readonly workerId: WorkerId;
  readonly requestId: string;
  /** Of method and parameters: the same id with another one is another request. */
  readonly digest: string;
  readonly draft: WorkerDraft;
  /** The server that will ask. */
  readonly host: string;
  readonly maxPending: number;
}

export type BeginResult =
  | { readonly outcome: 'begun'; readonly worker: Worker }
  | { readonly outcome: 'known'; readonly request: StoredRequest }
  | { readonly outcome: 'not_running'; readonly worker: Worker }
  | { readonly outcome: 'mismatch' | 'overloaded' };

export interface StoredRequest {
  readonly workerId: WorkerId;
  readonly requestId: string;
  readonly digest: string;
  /** Undefined while it is open. */
  readonly response: RpcResponse | undefined;
}

export interface SettleRequest {
  readonly workerId: WorkerId;
  readonly requestId: string;
  readonly response: RpcResponse;
}

export interface RenewWorkers {
  readonly host: HostLease;
  readonly workers: readonly { readonly id: WorkerId; readonly epoch: number }[];
}

export interface LostFilter {
  /** Who asks. */
  readonly host: string;
  /** Whether no other server can be running on this store: then what is another's is lost at once. */
  readonly isAlone: boolean;
  /** Requests that were begun longer ago than this are lost, whoever asked. */
  readonly maxRequestMs: number;
  readonly limit: number;
}

export interface LostWork {
  readonly workers: readonly Worker[];
  readonly requests: readonly Pick<StoredRequest, 'workerId' | 'requestId'>[];
}

export interface PruneWorkers {
  readonly maxEvents: number;
  /** Of answers, and of the events of workers that have ended. */
  readonly maxAgeMs: number;
  /** Of workers that have ended. */
  readonly forgetAfterMs: number;
  /** Rows of each kind. */
  readonly limit: number;
}

export function workerTopic(id: WorkerId): Topic {
  return `worker:${id}`;
}
