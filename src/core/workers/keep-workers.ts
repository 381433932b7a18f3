import type { Clock } from '../clock.ts';
import { toRuntimeError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { HostedWorkers } from './hosted-workers.ts';
import { unknownOutcome } from './json-rpc.ts';
import type { Worker } from './worker.ts';
import type { WorkerAdapter } from './worker-adapter.ts';
import type { WorkerSettings } from './worker-settings.ts';
import type { WorkerStore } from './worker-store.ts';

/** Keeps what this server holds alive, and settles what servers that are gone have left. */
export interface WorkerKeeper {
  /** Settles what was left before it resolves: whoever asks then is told the truth. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface WorkerKeeperDeps {
  readonly store: WorkerStore;
  readonly hosted: HostedWorkers;
  readonly findAdapter: (worker: Pick<Worker, 'adapter'>) => WorkerAdapter;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: () => WorkerSettings;
  /** Whether no other server can be running on this store. */
  readonly isAlone: boolean;
}

/** Three missed beats and a server counts as gone. */
export const HOST_LEASE_MS = 30_000;
const BEAT_MS = 10_000;
/** Longer than the answer of a worker may take, so that nobody is still waiting for it. */
const LOST_AFTER_MS = 60_000;
const MAX_LOST = 100;
/** Enough to settle whatever a crash has left, and an end to a store that keeps finding more. */
const MAX_ROUNDS = 1_000;
const PRUNE_EVERY_MS = 10 * 60_000;
const MAX_PRUNED = 5_000;

export function createWorkerKeeper(deps: WorkerKeeperDeps): WorkerKeeper {
  const { store, hosted, clock, logger } = deps;
  let cancelBeat: (() => void) | undefined;
  let beating: Promise<void> = Promise.resolve();
  let isStopped = false;
  let prunedAtMs = clock.nowMs();
  let longestRequestMs = 0;

  async function settleLost(): Promise<void> {
    for (let round = 0; round < MAX_ROUNDS && !isStopped; round += 1) {
      // One that was begun before somebody shortened the time still has it.
      longestRequestMs = Math.max(longestRequestMs, deps.settings().requestTimeoutMs);
      const lost = await store.listLost({
        host: hosted.host.id,
        isAlone: deps.isAlone,
        maxRequestMs: longestRequestMs + LOST_AFTER_MS,
        limit: MAX_LOST,
      });
      // Its worker first: that answers the requests of one that has ended.
      for (const worker of lost.workers) await failLost(deps, worker);
      for (const { workerId, requestId } of lost.requests) {
        const response = unknownOutcome(requestId, 'the server ended before the worker answered');
        await store.settle({ workerId, requestId, response });
      }
      if (lost.workers.length < MAX_LOST && lost.requests.length < MAX_LOST) return;
    }
  }

  async function prune(): Promise<void> {
    if (clock.nowMs() - prunedAtMs < PRUNE_EVERY_MS) return;
    const { maxEventsPerWorker, retentionMs, forgetAfterMs } = deps.settings();
    const removed = await store.prune({
      maxEvents: maxEventsPerWorker,
      maxAgeMs: retentionMs,
      forgetAfterMs,
      limit: MAX_PRUNED,
    });
    // As long as there is something to remove it goes on at the next beat.
    if (removed === 0) prunedAtMs = clock.nowMs();
  }

  async function beat(): Promise<void> {
    try {
      await hosted.renew();
      await settleLost();
      await prune();
    } catch (thrown) {
      logger.warn({ err: toRuntimeError(thrown) }, 'workers could not be looked after');
    }
    schedule();
  }

  function schedule(): void {
    if (isStopped) return;
    cancelBeat = clock.after(BEAT_MS, () => {
      beating = beat();
    });
  }

  return {
    async start() {
      await settleLost();
      schedule();
    },

    async stop() {
      isStopped = true;
      cancelBeat?.();
      await beating;
    },
  };
}

async function failLost({ store, findAdapter, logger }: WorkerKeeperDeps, worker: Worker) {
  const { id, epoch, host } = worker;
  const adapter = findAdapter(worker);
  const isReaped =
    adapter.kind === 'hosted' && host?.processMark !== undefined && adapter.reap(host.processMark);
  if (isReaped) logger.warn({ worker_id: id }, 'ended a worker that had outlived its server');
  await store.record({
    id,
    epoch,
    from: ['starting', 'running', 'stopping'],
    status: 'failed',
    drafts: [{ type: 'worker.failed', payload: { reason: 'host_lost' } }],
  });
}
