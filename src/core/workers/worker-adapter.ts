import type { JsonObject } from '../json.ts';
import type { RpcRequest, RpcResponse } from './json-rpc.ts';
import type { AdapterName, Worker } from './worker.ts';

/** How workers of one kind are reached. */
export type WorkerAdapter = SharedAdapter | HostedAdapter;

/** Holds nothing: every server can ask such a worker at any time. */
export interface SharedAdapter {
  readonly name: AdapterName;
  readonly kind: 'shared';
  call(request: RpcRequest, worker: Worker): Promise<RpcResponse>;
}

/** Holds something that lives and dies with this server. */
export interface HostedAdapter {
  readonly name: AdapterName;
  readonly kind: 'hosted';
  /** Which of its programs a caller means. Throws `policy_denied` when none may be started, and `invalid_input`. */
  chooseCommand(wanted: string | undefined): string;
  /** Rejects when it can't be started. */
  open(worker: Worker, listener: WorkerListener): Promise<WorkerLink>;
  /** Ends what a server that was killed has left behind. Answers whether there was anything. */
  reap(processMark: string): boolean;
}

export interface WorkerLink {
  /** Recognises the process among others that get its number later; undefined where that is not possible. */
  readonly processMark: string | undefined;
  /** Rejects when the worker ends first, does not answer in time, or takes no more. */
  call(request: RpcRequest, timeoutMs: number): Promise<RpcResponse>;
  /** Resolves when nothing of it is left. */
  stop(request: { readonly reason: string; readonly graceMs: number }): Promise<void>;
}

export interface WorkerListener {
  /** It says something that nobody asked for. */
  onNotice(notice: WorkerNotice): void;
  /** Once, when it has ended, by itself or because it was stopped. */
  onEnd(end: WorkerEnd): void;
}

interface WorkerNotice {
  readonly type: 'worker.event' | 'worker.response.late';
  readonly payload: JsonObject;
}

/** Why, and what is known of it: an exit code, a signal. */
export interface WorkerEnd {
  readonly reason: string;
  readonly details: JsonObject;
}
