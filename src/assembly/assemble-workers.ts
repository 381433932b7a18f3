import { resolve } from 'node:path';
import { readProcessEnvironment } from '../config/environment.ts';
import type { LiveConfig } from '../config/live-config.ts';
import { DAY_MS } from '../config/schema/schema-bounds.ts';
import { systemClock } from '../core/clock.ts';
import type { Ids } from '../core/ids.ts';
import type { SwitchWatch } from '../core/kill-switch/kill-switch.ts';
import type { Logger } from '../core/log.ts';
import type { Redactor } from '../core/redact/redact.ts';
import type { Storage } from '../core/storage.ts';
import { createHostedWorkers } from '../core/workers/hosted-workers.ts';
import { createWorkerKeeper, HOST_LEASE_MS } from '../core/workers/keep-workers.ts';
import { createWorkerOversight } from '../core/workers/oversee-workers.ts';
import type { AdapterName, Worker } from '../core/workers/worker.ts';
import type { WorkerAdapter } from '../core/workers/worker-adapter.ts';
import type { WorkerSettings } from '../core/workers/worker-settings.ts';
import { createWorkers } from '../core/workers/workers.ts';
import { createInMemoryAdapter } from '../workers/create-in-memory-adapter.ts';
import { createProcessAdapter, type ProcessSettings } from '../workers/create-process-adapter.ts';

export interface WorkerGround {
  readonly live: LiveConfig;
  readonly storage: Storage;
  readonly ids: Ids;
  readonly redactor: Redactor;
  readonly logger: Logger;
  readonly killSwitch: Pick<SwitchWatch, 'assertOff'>;
}

/** Workers that a product attaches. Only a server starts the keeper, and stops it before its storage is closed. */
export function assembleWorkers(ground: WorkerGround) {
  const { live, storage, ids, redactor, logger } = ground;
  const clock = systemClock;
  const settings = () => toWorkerSettings(live);
  const adapters: Record<AdapterName, WorkerAdapter> = {
    in_memory: createInMemoryAdapter(),
    process: createProcessAdapter({
      settings: () => toProcessSettings(live),
      environment: readProcessEnvironment(),
      clock,
      redactor,
      logger,
    }),
  };
  const store = storage.workers;
  const findAdapter = ({ adapter }: Pick<Worker, 'adapter'>) => adapters[adapter];
  const common = { store, clock, redactor, logger, settings, findAdapter };
  const host = { id: ids.lease(), leaseMs: HOST_LEASE_MS };
  const hosted = createHostedWorkers({ ...common, host });
  // The server of a state root holds its lock: on the embedded store nobody else can be one.
  const isAlone = storage.engine === 'sqlite';
  const keeper = createWorkerKeeper({ ...common, hosted, isAlone });
  const workers = createWorkers({
    ...common,
    ...{ hosted, ids, wakeups: storage.wakeups },
    assertMayCall: () => ground.killSwitch.assertOff(),
  });
  return {
    workers,
    oversight: createWorkerOversight({ ...common, hosted, workers }),

    /** Settles what a server before this one has left; resolves when that is done. */
    start: () => keeper.start(),

    /** Ends the programs of workers, and says so in their logs. */
    async stop(): Promise<void> {
      // The keeper last: a long grace must not cost the others their leases.
      await hosted.stopAll('server_shutdown');
      await keeper.stop();
    },
  };
}

function toWorkerSettings(live: LiveConfig): WorkerSettings {
  const { workers } = live.current().config;
  return {
    maxWorkers: workers.max_workers,
    maxHosted: workers.process.max_processes,
    maxQueuedRequests: workers.max_queued_requests,
    requestTimeoutMs: workers.request_timeout_ms,
    heartbeatStaleAfterMs: workers.heartbeat_stale_after_ms,
    stopGraceMs: workers.stop_grace_ms,
    maxEventsPerWorker: workers.max_events_per_worker,
    retentionMs: workers.retention_days * DAY_MS,
    forgetAfterMs: workers.forget_after_days * DAY_MS,
  };
}

function toProcessSettings(live: LiveConfig): ProcessSettings {
  const { config, paths } = live.current();
  const commands = Object.entries(config.workers.process.commands).map(([name, entry]) => {
    const cwd = resolve(paths.root, entry.cwd ?? config.workspace.root);
    return [name, { command: entry.command, args: entry.args, cwd, env: entry.env }] as const;
  });
  return { isEnabled: config.workers.process.enabled, commands: Object.fromEntries(commands) };
}
