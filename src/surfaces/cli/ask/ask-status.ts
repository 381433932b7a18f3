import { EFFECT_STATUSES } from '../../../core/effects/effect.ts';
import { toRuntimeError } from '../../../core/errors.ts';
import { isJsonObject } from '../../../core/json.ts';
import { RUN_STATUSES } from '../../../core/runs/run.ts';
import { createSchedulerState } from '../../../core/schedule/scheduler-state.ts';
import { createReadStatus, type StatusDeps } from '../../../core/status.ts';
import { COUNTS_ONLY, readStatus, type StatusReading } from '../../../operations/status/status.ts';
import type { StatusShape } from '../../../operations/status/status-shapes.ts';
import type { Via } from '../healthy-server.ts';
import type { CliContext } from '../program/context.ts';
import { createJobReader } from '../store-readers.ts';
import { openWay } from './ask-runtime.ts';
import { fromStore } from './place.ts';

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
export async function viewStatus(context: CliContext): Promise<Status> {
  const way = await openWay(context, fromRoot);
  try {
    const { runs: _, ...view } = await way.ask(readStatus, COUNTS_ONLY);
    if (way.via === 'server') return { via: way.via, url: way.server.server.url, view };
    const unknown = { started_at: null, uptime_seconds: null, queue: null };
    return { via: way.via, url: undefined, view: { ...view, ...unknown } };
  } finally {
    await way.close();
  }
}

const fromRoot = fromStore((store, context): StatusReading => {
  const { parts, clock } = context;
  const warnings: string[] = [];
  const read = createReadStatus({
    ...(store ?? NOTHING),
    models: { describe: () => describeModel(context) },
    clock,
    version: parts.version,
    engine: store?.engine ?? 'sqlite',
    startedAtMs: clock.nowMs(),
    async scheduler() {
      const isEnabled = await findSchedulerSwitch(context).catch((error: unknown) => {
        warnings.push(toRuntimeError(error).message);
        return false;
      });
      const jobs = createJobReader(store, clock);
      return createSchedulerState({ jobs, isEnabled: () => isEnabled })();
    },
    limits: () => ({ maxQueued: 0, maxConcurrent: 0 }),
    warnings: () => warnings,
  });
  return {
    async readStatus(request) {
      const report = await read(request);
      // A configuration that can't be read is the fault of the scheduler's switch and of the model's.
      return { ...report, warnings: [...new Set(report.warnings)] };
    },
  };
});

async function findSchedulerSwitch(context: CliContext): Promise<boolean> {
  const config = await context.parts.openConfig({ root: context.root, warn: context.live.warn });
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
const NOTHING: Pick<StatusDeps, 'runs' | 'effects' | 'approvals' | 'killSwitch' | 'costs'> = {
  runs: {
    list: async () => ({ runs: [], next: undefined }),
    countByStatus: async () => countsOf(RUN_STATUSES),
  },
  effects: { countByStatus: async () => countsOf(EFFECT_STATUSES) },
  approvals: { list: async () => ({ approvals: [], next: undefined }) },
  killSwitch: { list: async () => [] },
  costs: { listAccounts: async () => [] },
};
