import type { Closing } from '../closing-list.ts';
import type { LiveConfig } from '../config/live-config.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import type { SkilledCapabilities } from '../core/agents/limit-by-skills.ts';
import { createApprovals } from '../core/approvals/approvals.ts';
import { systemClock } from '../core/clock.ts';
import { createEffects } from '../core/effects/effects.ts';
import { RuntimeError } from '../core/errors.ts';
import { createSeal } from '../core/events/seal.ts';
import type { Ids } from '../core/ids.ts';
import type { Logger } from '../core/log.ts';
import { createPriceTable } from '../core/loop/answers/price.ts';
import { type BriefDeps, createBrief } from '../core/loop/briefing.ts';
import type { Models } from '../core/loop/model.ts';
import type { Reached } from '../core/loop/run-loop.ts';
import type { Recall } from '../core/memory/recall-memories.ts';
import type { LeaveNote } from '../core/memory/run-notes.ts';
import type { Redactor } from '../core/redact/redact.ts';
import { createForks } from '../core/replay/forks.ts';
import { createReplays } from '../core/replay/replays.ts';
import { type ExecuteDeps, executeRun } from '../core/runs/execute-run.ts';
import { guardSteps } from '../core/runs/guard-steps.ts';
import { createJournal } from '../core/runs/journal.ts';
import type { Run } from '../core/runs/run.ts';
import { createRunner } from '../core/runs/runner.ts';
import { createRuns, type Runs } from '../core/runs/runs.ts';
import type { Secrets } from '../core/secrets/secrets.ts';
import type { Metrics, Tracer } from '../core/telemetry.ts';
import { createThreads } from '../core/threads/create-threads.ts';
import type { Tool } from '../core/tools/tool.ts';
import { toContextLimits } from '../live-settings.ts';
import type { Controls } from '../open-controls.ts';
import type { OpenedStorage, Role } from '../open-storage.ts';
import type { RunToolsDeps } from '../toolbox/runs/run-tools.ts';
import { createLiveModels, toPrices } from './assemble-models.ts';
import { assembleTools } from './assemble-tools.ts';

export interface RunGround extends Pick<Controls, 'killSwitch' | 'spending' | 'assertMaySubmit'> {
  readonly closing: Closing;
  readonly live: LiveConfig;
  readonly storage: OpenedStorage;
  readonly ids: Ids;
  readonly redactor: Redactor;
  readonly logger: Logger;
  readonly tracer: Tracer;
  readonly metrics: Metrics;
  readonly role: Role;
  /** False for a process that executes only what it submits itself. */
  readonly takesQueue: boolean;
  readonly tools: readonly Tool[];
  /** What agents are told of skills. */
  readonly skills: BriefDeps['skills'];
  /** What runs begin with of what is remembered. */
  readonly recall: Recall;
  /** What is remembered of those that were completed. */
  readonly leaveNote: LeaveNote;
  readonly readSoul: ExecuteDeps['readSoul'];
  /** Instead of the configured providers. */
  readonly models: Models | undefined;
  /** Adds agents that live elsewhere, which are asked as models are. */
  readonly withRemoteAgents: (models: Models) => Models;
  /** Where keys and references to secrets are looked up. */
  readonly secrets?: Pick<Secrets, 'find' | 'refresh'> | undefined;
}

/** Runs, what executes them, and what they may use. */
export async function assembleRuns(ground: RunGround) {
  const { live, storage, secrets, ids, redactor, logger, killSwitch } = ground;
  const engine = () => live.current().config.engine;
  const clock = systemClock;
  const seal = createSeal({ ids, redactor });
  const models = assembleModels(ground);
  // The tools that look at runs are made before the runs are; they are called after.
  const later: { runs?: Runs } = {};
  const toolParts = await assembleTools({
    ...ground,
    runs: { runs: delegateRuns(() => later.runs), agents: storage.agents },
  });
  const telemetry = { tracer: ground.tracer, metrics: ground.metrics };
  const openJournal: ExecuteDeps['openJournal'] = (parts) =>
    createJournal({ ...parts, seal, clock, runs: storage.runs });
  const common = { ...storage, clock, ids, seal, redactor, logger, openJournal };
  const parts = { ...common, ...toExecuteParts(ground, toolParts), ...telemetry, models };
  const findDeps = createExecuteDeps(live, parts);
  const runner = createRunner({
    ...common,
    ...telemetry,
    // A run keeps the settings it began with; the next one has those of its time.
    execute(claimed, control) {
      control.guard = guardSteps({ killSwitch, secrets }, control);
      return noting(ground, claimed.run, executeRun(findDeps(), claimed, control));
    },
    mayClaim: async () => !(await killSwitch.isOn()),
    assertReady: async () => secrets?.refresh(),
    owner: storage.leaseOwner,
    leaseMs: engine().lease_ms,
    maxConcurrent: () => engine().max_concurrent_runs,
    claimsQueue: ground.takesQueue,
  });
  const runs = createRuns({
    ...common,
    tools: toolParts.tools,
    tracer: ground.tracer,
    slots: runner,
    assertMaySubmit: ground.assertMaySubmit,
    // Looked at with every submission.
    get maxQueued() {
      return engine().max_queued_runs;
    },
    get maxWaitingInSession() {
      return live.current().config.sessions.max_waiting_messages;
    },
  });
  later.runs = runs;
  const threads = createThreads({
    ...common,
    registry: toolParts.registry,
    assertMaySubmit: ground.assertMaySubmit,
    cancelRun: (request) => runs.cancel(request),
    get maxQueued() {
      return engine().max_queued_runs;
    },
  });
  return {
    seal,
    models,
    runner,
    runs,
    threads,
    approvals: createApprovals({ store: storage.approvals, seal, clock, logger }),
    effects: createEffects(storage.effects),
    replays: createReplays({ ...storage, registry: toolParts.registry }),
    forks: createForks({ ...storage, submit: runs.submit }),
    toolParts,
  };
}

/** What a run needs beyond its stores. */
function toExecuteParts(
  { redactor, skills, recall, spending, readSoul }: RunGround,
  toolParts: Awaited<ReturnType<typeof assembleTools>>,
) {
  return {
    ...toolParts,
    brief: createBrief({ ...toolParts, redactor, skills }),
    recall,
    spending,
    readSoul: notingSkills(toolParts.capabilities, readSoul),
    random: Math.random,
  };
}

function assembleModels({ models, withRemoteAgents, live, secrets }: RunGround): Models {
  return withRemoteAgents(models ?? createLiveModels({ live, clock: systemClock, secrets }));
}

async function noting(
  { leaveNote }: Pick<RunGround, 'leaveNote'>,
  run: Run,
  execution: Promise<Reached>,
): Promise<Reached> {
  const reached = await execution;
  if (reached !== 'resting' && reached.status === 'completed')
    leaveNote({ ...run, output: reached.output });
  return reached;
}

type ExecuteSettings = Pick<
  ExecuteDeps,
  'prices' | 'retry' | 'maxOutputTokens' | 'deltaBatchMs' | 'limits' | 'approvalTtlMs' | 'context'
>;

/** Made again when the configuration changed, not for every run. */
function createExecuteDeps<T extends object>(
  live: LiveConfig,
  parts: T,
): () => T & ExecuteSettings {
  let source = live.current();
  let deps = { ...parts, ...toExecuteSettings(source) };
  return () => {
    if (source !== live.current()) {
      source = live.current();
      deps = { ...parts, ...toExecuteSettings(source) };
    }
    return deps;
  };
}

function toExecuteSettings(loaded: LoadedConfig): ExecuteSettings {
  const { model, engine, policy } = loaded.config;
  return {
    prices: createPriceTable(toPrices(loaded)),
    retry: { maxRetries: model.max_retries, initialDelayMs: 500, maxDelayMs: 8_000 },
    maxOutputTokens: model.max_output_tokens,
    deltaBatchMs: engine.delta_batch_ms,
    approvalTtlMs: policy.approval_ttl_ms,
    context: () => toContextLimits(loaded.config),
    limits: {
      maxTurns: engine.max_turns,
      maxDurationMs: engine.default_run_timeout_ms,
      maxTokens: engine.max_run_tokens,
      maxCostUsd: engine.max_run_cost_usd,
      maxRecoveries: engine.max_recoveries,
    },
  };
}

/** What a run begins with counts for its calls too. */
function notingSkills(
  capabilities: Pick<SkilledCapabilities, 'note'>,
  readSoul: ExecuteDeps['readSoul'],
): ExecuteDeps['readSoul'] {
  return (agent) => {
    capabilities.note(agent);
    return readSoul(agent);
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
