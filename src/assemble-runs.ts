import { randomUUID } from 'node:crypto';
import { toModelsConfig, toPrices } from './assemble-models.ts';
import { assembleTools } from './assemble-tools.ts';
import type { LoadedConfig } from './config/load-config.ts';
import { createApprovals } from './core/approvals/approvals.ts';
import { systemClock } from './core/clock.ts';
import { createEffects } from './core/effects/effects.ts';
import { RuntimeError } from './core/errors.ts';
import { createSeal } from './core/events/seal.ts';
import { createIds } from './core/ids.ts';
import type { Logger } from './core/log.ts';
import type { Models } from './core/loop/model.ts';
import { createPriceTable } from './core/loop/price.ts';
import type { Redactor } from './core/redact/redact.ts';
import { type ExecuteDeps, executeRun } from './core/runs/execute-run.ts';
import { createRunner } from './core/runs/runner.ts';
import { createRuns, type Runs } from './core/runs/runs.ts';
import type { Storage } from './core/storage.ts';
import type { Metrics, Tracer } from './core/telemetry.ts';
import type { Tool } from './core/tools/tool.ts';
import type { Role } from './open-storage.ts';
import { createModels } from './providers/open-models.ts';
import type { RunToolsDeps } from './toolbox/runs/run-tools.ts';

export interface RunGround {
  readonly loaded: LoadedConfig;
  readonly storage: Storage;
  readonly redactor: Redactor;
  readonly logger: Logger;
  readonly tracer: Tracer;
  readonly metrics: Metrics;
  readonly role: Role;
  readonly tools: readonly Tool[];
  /** Instead of the configured providers. */
  readonly models: Models | undefined;
}

/** Runs, what executes them, and what they may use. */
export async function assembleRuns(ground: RunGround) {
  const { loaded, storage, redactor, logger } = ground;
  const clock = systemClock;
  const ids = createIds(() => clock.nowMs());
  const seal = createSeal({ ids, redactor });
  const models = ground.models ?? createModels(toModelsConfig(loaded), clock);
  // The tools that look at runs are made before the runs are; they are called after.
  const later: { runs?: Runs } = {};
  const toolParts = await assembleTools({
    ...ground,
    ids,
    runs: { runs: delegateRuns(() => later.runs), agents: storage.agents },
  });
  const common = { ...storage, clock, ids, seal, redactor, logger };
  const executeDeps = { ...toExecuteSettings(ground), ...common, ...toolParts, models };
  const runner = createRunner({
    ...common,
    tracer: ground.tracer,
    metrics: ground.metrics,
    execute: (claimed, control) => executeRun(executeDeps, claimed, control),
    owner: `${ground.role}:${process.pid}:${randomUUID().slice(0, 8)}`,
    leaseMs: loaded.config.engine.lease_ms,
    maxConcurrent: loaded.config.engine.max_concurrent_runs,
    claimsQueue: ground.role === 'server',
  });
  const maxQueued = loaded.config.engine.max_queued_runs;
  const runs = createRuns({ ...common, slots: runner, maxQueued });
  later.runs = runs;
  return {
    ids,
    models,
    runner,
    runs,
    approvals: createApprovals({ store: storage.approvals, seal, clock, logger }),
    effects: createEffects(storage.effects),
    toolParts,
  };
}

type ExecuteSettings = Pick<
  ExecuteDeps,
  | 'tracer'
  | 'metrics'
  | 'random'
  | 'prices'
  | 'retry'
  | 'maxOutputTokens'
  | 'deltaBatchMs'
  | 'limits'
  | 'approvalTtlMs'
>;

function toExecuteSettings({ loaded, tracer, metrics }: RunGround): ExecuteSettings {
  const { model, engine, policy } = loaded.config;
  return {
    tracer,
    metrics,
    random: Math.random,
    prices: createPriceTable(toPrices(loaded)),
    retry: { maxRetries: model.max_retries, initialDelayMs: 500, maxDelayMs: 8_000 },
    maxOutputTokens: model.max_output_tokens,
    deltaBatchMs: engine.delta_batch_ms,
    approvalTtlMs: policy.approval_ttl_ms,
    limits: {
      maxTurns: engine.max_turns,
      maxDurationMs: engine.default_run_timeout_ms,
      maxTokens: engine.max_run_tokens,
      maxCostUsd: engine.max_run_cost_usd,
      maxRecoveries: engine.max_recoveries,
    },
  };
}

/** Passes on to runs that are made later. */
function delegateRuns(find: () => Runs | undefined): RunToolsDeps['runs'] {
  const runs = (): Runs => {
    const made = find();
    if (made) return made;
    throw new RuntimeError('internal', 'a tool was called before the runtime was complete');
  };
  return {
    list: (filter) => runs().list(filter),
    get: (id) => runs().get(id),
    cancel: (request) => runs().cancel(request),
    trace: (id) => runs().trace(id),
  };
}
