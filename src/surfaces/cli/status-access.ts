import { EFFECT_STATUSES } from '../../core/effects/effect.ts';
import { toRuntimeError } from '../../core/errors.ts';
import { isJsonObject } from '../../core/json.ts';
import { RUN_STATUSES } from '../../core/runs/run.ts';
import { createSchedulerState } from '../../core/schedule/scheduler-state.ts';
import { createReadStatus, type StatusDeps } from '../../core/status.ts';
import { encodeStatus } from '../http/runtime-codec.ts';
import type { StatusShape } from '../http/runtime-shapes.ts';
import type { CliContext } from './context.ts';
import { createWarn } from './open-access.ts';
import { findHealthyServer, type Via } from './open-runs.ts';
import { createJobReader } from './store-readers.ts';

/** The runtime at a glance. What only a process has is null without one. */
export interface StatusView
  extends Omit<StatusShape, 'runs' | 'started_at' | 'uptime_seconds' | 'queue'> {
  readonly started_at: string | null;
  readonly uptime_seconds: number | null;
  readonly queue: StatusShape['queue'] | null;
}

export interface Status {
  readonly via: Via;
  /** Undefined: no server runs. */
  readonly url: string | undefined;
  readonly view: StatusView;
}

/** From the running server, else from the state root itself, of which nothing is changed. */
export async function readStatus(context: CliContext): Promise<Status> {
  const locate = () => findHealthyServer(context);
  const server = await locate();
  if (server === undefined) return { via: 'local', url: undefined, view: await readLocal(context) };
  const { readRemoteStatus } = await import('./remote/remote-status.ts');
  const { runs: _, ...view } = await readRemoteStatus({ server, locate, clock: context.clock });
  return { via: 'server', url: server.url, view };
}

async function readLocal(context: CliContext): Promise<StatusView> {
  const { parts, root, clock } = context;
  const warnings: string[] = [];
  const isSchedulerEnabled = await findSchedulerSwitch(context).catch((error: unknown) => {
    warnings.push(toRuntimeError(error).message);
    return false;
  });
  const store = await parts.openStore(root);
  try {
    const read = createReadStatus({
      ...(store ?? NOTHING),
      models: { describe: () => describeModel(context) },
      clock,
      version: parts.version,
      engine: store?.engine ?? 'sqlite',
      startedAtMs: clock.nowMs(),
      scheduler: createSchedulerState({
        jobs: createJobReader(store, clock),
        isEnabled: () => isSchedulerEnabled,
      }),
      limits: () => ({ maxQueued: 0, maxConcurrent: 0 }),
      warnings: () => warnings,
    });
    const { runs: _, ...view } = encodeStatus(await read({ limit: 1 }));
    const said = [...new Set(view.warnings)];
    return { ...view, warnings: said, started_at: null, uptime_seconds: null, queue: null };
  } finally {
    await store?.close();
  }
}

async function findSchedulerSwitch(context: CliContext): Promise<boolean> {
  const config = await context.parts.openConfig({ root: context.root, warn: createWarn(context) });
  const { scheduler } = await config.read();
  return isJsonObject(scheduler) && scheduler['enabled'] === true;
}

async function describeModel({ parts, root }: CliContext) {
  const { reference } = await (await parts.diagnose(root)).describeModel();
  const slash = reference.indexOf('/');
  return { provider: reference.slice(0, slash), name: reference.slice(slash + 1) };
}

const countsOf = <Status extends string>(statuses: readonly Status[]) =>
  Object.fromEntries(statuses.map((status) => [status, 0])) as Record<Status, number>;

/** A state root that was never used. */
const NOTHING: Pick<StatusDeps, 'runs' | 'effects' | 'approvals'> = {
  runs: {
    list: async () => ({ runs: [], next: undefined }),
    countByStatus: async () => countsOf(RUN_STATUSES),
  },
  effects: { countByStatus: async () => countsOf(EFFECT_STATUSES) },
  approvals: { list: async () => ({ approvals: [], next: undefined }) },
};
