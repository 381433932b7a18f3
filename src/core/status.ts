import type { ApprovalStore } from './approvals/approval.ts';
import type { Clock } from './clock.ts';
import type { Account } from './costs/account.ts';
import { dayOf, nameAccount } from './costs/scope.ts';
import type { CostStore } from './costs/stored-costs.ts';
import type { EffectStore } from './effects/effect.ts';
import { toRuntimeError } from './errors.ts';
import type { KillSwitchChange, KillSwitchStore } from './kill-switch/stored-kill-switch.ts';
import type { Model, Models } from './loop/model.ts';
import type { Run, RunStatus } from './runs/run.ts';
import type { RunStore } from './runs/run-store.ts';
import type { SchedulerState } from './schedule/scheduler-state.ts';
import type { ToolAdmin } from './tools/tool-admin.ts';

/** A runtime at a glance. */
export interface StatusReport {
  readonly version: string;
  readonly engine: string;
  readonly startedAtMs: number;
  readonly uptimeMs: number;
  /** What runs get that name no model; undefined when there is none, and a warning says why. */
  readonly model: Pick<Model, 'provider' | 'name'> | undefined;
  readonly counts: Readonly<Record<RunStatus, number>>;
  /** Newest first. */
  readonly runs: readonly Run[];
  readonly limits: RunLimits;
  readonly scheduler: SchedulerState;
  /** The newest change of the kill switch. */
  readonly killSwitch: KillSwitchChange | undefined;
  readonly unknownEffects: number;
  /** Counted up to `MAX_COUNTED_APPROVALS`. */
  readonly pendingApprovals: number;
  /** What all models cost on this day, in UTC. */
  readonly spent: SpentToday;
  /** Tools whose circuit is not closed; undefined where nobody can know: without a server. */
  readonly openCircuits: readonly string[] | undefined;
  readonly warnings: readonly string[];
}

interface SpentToday {
  readonly day: string;
  readonly pico: bigint;
  readonly tokensIn: number;
  readonly tokensOut: number;
}

interface RunLimits {
  readonly maxQueued: number;
  readonly maxConcurrent: number;
}

export type ReadStatus = (request: { readonly limit: number }) => Promise<StatusReport>;

export interface StatusDeps {
  readonly runs: Pick<RunStore, 'list' | 'countByStatus'>;
  readonly effects: Pick<EffectStore, 'countByStatus'>;
  readonly approvals: Pick<ApprovalStore, 'list'>;
  readonly killSwitch: Pick<KillSwitchStore, 'list'>;
  readonly costs: Pick<CostStore, 'listAccounts'>;
  readonly toolAdmin?: Pick<ToolAdmin, 'list'>;
  readonly models: Pick<Models, 'describe'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly version: string;
  readonly engine: string;
  readonly startedAtMs: number;
  scheduler(): Promise<SchedulerState>;
  /** Asked each time: the configuration is live. */
  limits(): RunLimits;
  /** What the start found worth telling. */
  warnings(): readonly string[];
}

/** More open questions than anybody answers: beyond it their number says nothing. */
const MAX_COUNTED_APPROVALS = 200;

export function createReadStatus(deps: StatusDeps): ReadStatus {
  return async ({ limit }) => {
    const day = dayOf(deps.clock.nowMs());
    const [
      page,
      counts,
      effects,
      pending,
      [killSwitch],
      scheduler,
      model,
      [account],
      openCircuits,
    ] = await Promise.all([
      deps.runs.list({ limit }),
      deps.runs.countByStatus(),
      deps.effects.countByStatus(),
      deps.approvals.list({ status: 'pending', limit: MAX_COUNTED_APPROVALS }),
      deps.killSwitch.list(1),
      deps.scheduler(),
      describeModel(deps.models),
      deps.costs.listAccounts([nameAccount({ kind: 'day' }, day) ?? '']),
      deps.toolAdmin && listOpenCircuits(deps.toolAdmin),
    ]);
    return {
      version: deps.version,
      engine: deps.engine,
      startedAtMs: deps.startedAtMs,
      uptimeMs: Math.max(0, deps.clock.nowMs() - deps.startedAtMs),
      model: model.reference,
      counts,
      runs: page.runs,
      limits: deps.limits(),
      scheduler,
      killSwitch,
      unknownEffects: effects.unknown,
      pendingApprovals: pending.approvals.length,
      spent: toSpent(day, account),
      openCircuits,
      warnings: [...deps.warnings(), ...model.warnings],
    };
  };
}

function toSpent(day: string, account: Account | undefined): SpentToday {
  const { pico = '0', tokensIn = 0, tokensOut = 0 } = account ?? {};
  return { day, pico: BigInt(pico), tokensIn, tokensOut };
}

async function listOpenCircuits(toolAdmin: Pick<ToolAdmin, 'list'>): Promise<readonly string[]> {
  const states = await toolAdmin.list();
  return states.filter(({ circuit }) => circuit.status !== 'closed').map(({ tool }) => tool.name);
}

async function describeModel(models: Pick<Models, 'describe'>) {
  try {
    const { provider, name } = await models.describe(undefined);
    return { reference: { provider, name }, warnings: [] };
  } catch (thrown) {
    return { reference: undefined, warnings: [toRuntimeError(thrown).message] };
  }
}
