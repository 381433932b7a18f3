import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/core/clock.ts';
import { createIds } from '../../src/core/create-ids.ts';
import type { WorkerId } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/log.ts';
import { createRedactor } from '../../src/core/redact/create-redactor.ts';
import type { Storage } from '../../src/core/storage.ts';
import { createHostedWorkers } from '../../src/core/workers/hosted-workers.ts';
import { createWorkerKeeper } from '../../src/core/workers/keep-workers.ts';
import type { AdapterName, Worker, WorkerEvent } from '../../src/core/workers/worker.ts';
import type { WorkerAdapter } from '../../src/core/workers/worker-adapter.ts';
import type { WorkerSettings } from '../../src/core/workers/worker-settings.ts';
import { createWorkers, type Workers } from '../../src/core/workers/workers.ts';
import { createInMemoryAdapter } from '../../src/workers/create-in-memory-adapter.ts';
import { createProcessAdapter } from '../../src/workers/create-process-adapter.ts';

const toPath = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const EXAMPLE = toPath('../../examples/json-rpc-worker/worker.mjs');
const STUBBORN = toPath('stubborn-worker.mjs');
export const USER = { kind: 'user', id: 42 } as const;

const SETTINGS: WorkerSettings = {
  maxWorkers: 16,
  maxHosted: 64,
  maxQueuedRequests: 128,
  requestTimeoutMs: 15_000,
  heartbeatStaleAfterMs: 120_000,
  stopGraceMs: 2_000,
  maxEventsPerWorker: 1_000,
  retentionMs: 1_000_000,
  forgetAfterMs: 2_000_000,
};

export interface TestWorkers {
  readonly workers: Workers;
  /** Settles what servers before this one have left. */
  start(): Promise<void>;
  stop(): Promise<void>;
  renew(): Promise<void>;
}

/** Workers of one server on a store: programs are the example (`node`) and one that clings to life. */
export function createTestWorkers(
  storage: Storage,
  overrides: Partial<WorkerSettings> = {},
  logger = silentLogger,
): TestWorkers {
  const ids = createIds(() => Date.now());
  const redactor = createRedactor();
  const clock = systemClock;
  const toCommand = (file: string) => ({
    command: process.execPath,
    args: [file],
    cwd: '/',
    env: ['WORKER_TEST_VARIABLE'],
  });
  const adapters: Record<AdapterName, WorkerAdapter> = {
    in_memory: createInMemoryAdapter(),
    process: createProcessAdapter({
      settings: () => ({
        isEnabled: true,
        commands: { example: toCommand(EXAMPLE), stubborn: toCommand(STUBBORN) },
      }),
      environment: { ...process.env, WORKER_TEST_VARIABLE: 'yes', UNNAMED_SECRET: 'no' },
      clock,
      redactor,
      logger,
    }),
  };
  const settings = () => ({ ...SETTINGS, ...overrides });
  const findAdapter = ({ adapter }: Pick<Worker, 'adapter'>) => adapters[adapter];
  const store = storage.workers;
  const common = { store, clock, redactor, logger, settings, findAdapter };
  const hosted = createHostedWorkers({ ...common, host: { id: ids.lease(), leaseMs: 30_000 } });
  const keeper = createWorkerKeeper({ ...common, hosted, isAlone: true });
  return {
    workers: createWorkers({
      ...common,
      ...{ hosted, ids, wakeups: storage.wakeups },
      assertMayCall: async () => {},
    }),
    start: () => keeper.start(),
    renew: () => hosted.renew(),
    async stop() {
      await hosted.stopAll('server_shutdown');
      await keeper.stop();
    },
  };
}

export function attachProgram(workers: Workers, command = 'example'): Promise<Worker> {
  const nothing = { workspaceRef: undefined, codexHomeRef: undefined, metadata: undefined };
  const request = { principal: USER, id: undefined, adapter: 'process', command } as const;
  return workers.attach({ ...request, ...nothing }).then(({ worker }) => worker);
}

export const ask = (workers: Workers, id: WorkerId, request: object) =>
  workers.ask(
    { id, principal: USER },
    { requestId: undefined, method: 'ping', params: undefined, ...request },
  );

export const readLog = ({ workers }: Storage, id: WorkerId): Promise<WorkerEvent[]> =>
  workers.readEvents(id, { after: 0, limit: 1_000 });

/** Whether a process with this number exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
