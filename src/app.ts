import { randomUUID } from 'node:crypto';
import { listSecretValues } from './config/credentials.ts';
import type { ConfigSources, LoadedConfig } from './config/load-config.ts';
import { prepareStateRoot } from './config/state-root.ts';
import { systemClock } from './core/clock.ts';
import { createSeal } from './core/events/seal.ts';
import { createIds, DEFAULT_AGENT_ID, type Ids } from './core/ids.ts';
import type { Logger } from './core/log.ts';
import type { Models } from './core/loop/model.ts';
import type { ModelTurnDeps } from './core/loop/model-turn.ts';
import { createPriceTable } from './core/loop/price.ts';
import { createPolicy } from './core/policy/create-policy.ts';
import { matchesName } from './core/policy/policy-rule.ts';
import { createExclusiveRecorder } from './core/records/exclusive-recorder.ts';
import { createRecorder } from './core/records/recorder.ts';
import { createRedactor } from './core/redact/create-redactor.ts';
import type { Redactor } from './core/redact/redact.ts';
import { executeRun } from './core/runs/execute-run.ts';
import { createRunner, type Runner } from './core/runs/runner.ts';
import { createRuns, type Runs } from './core/runs/runs.ts';
import type { Storage } from './core/storage.ts';
import { type Metrics, noMetrics, noTracer, type Tracer } from './core/telemetry.ts';
import { createToolLayers } from './core/tools/layers.ts';
import { createToolPipeline } from './core/tools/pipeline.ts';
import { createToolRegistry, type ToolRegistry } from './core/tools/registry.ts';
import type { Tool } from './core/tools/tool.ts';
import { createToolRunner } from './core/tools/tool-runner.ts';
import { openStorage, type Role } from './open-storage.ts';
import { createModels } from './providers/open-models.ts';
import { createArtifactFiles } from './storage/files/create-artifact-files.ts';
import { openRecordFiles } from './storage/files/open-record-files.ts';
import { tryFileLock } from './storage/sqlite/file-lock.ts';
import { createPathGuard } from './toolbox/files/path-guard.ts';
import { createToolbox } from './toolbox/toolbox.ts';

export interface RuntimeOptions extends ConfigSources {
  readonly role?: Role;
  /** Beside the built-in ones. Granting them is up to the configuration. */
  readonly tools?: readonly Tool[];
  /** Instead of the configured providers. */
  readonly models?: Models;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
  /** Opens what traces go to, once the configuration is known. */
  readonly openTracer?: (loaded: LoadedConfig, logger: Logger) => Promise<Tracer>;
}

/** Everything below the surfaces, put together and running. */
export interface Runtime {
  readonly loaded: LoadedConfig;
  readonly created: readonly string[];
  readonly warnings: readonly string[];
  readonly runs: Runs;
  readonly storage: Storage;
  readonly registry: ToolRegistry;
  readonly models: Models;
  readonly redactor: Redactor;
  readonly runner: Runner;
  readonly logger: Logger;
  readonly tracer: Tracer;
  readonly ids: Ids;
  /** Stops taking runs, lets those under way end, and writes what is still to be written. */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/** Opens a runtime on a state root, creating what is missing. The caller closes it. */
export async function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  const { loaded, created, warnings } = await prepareStateRoot(options);
  const secrets = listSecretValues(loaded.credentials);
  const redactor = createRedactor({ secrets: () => secrets });
  const logger = options.logger ?? (await openLogger(loaded, redactor));
  const tracer = (await options.openTracer?.(loaded, logger)) ?? noTracer;
  const role = options.role ?? 'local';
  const storage = await openStorage(loaded, role, logger);
  try {
    const parts = assemble(options, { loaded, storage, redactor, logger, tracer });
    await storage.agents.ensure(FIRST_AGENT);
    parts.runner.start();
    parts.records.start();
    return {
      loaded,
      created,
      warnings,
      storage,
      redactor,
      logger,
      tracer,
      ...parts,
      async close({ graceMs = loaded.config.engine.shutdown_grace_ms } = {}) {
        await parts.runner.stop(graceMs);
        await parts.records.stop();
        await storage.close();
      },
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

const FIRST_AGENT = {
  id: DEFAULT_AGENT_ID,
  name: 'Pincer',
  role: 'general assistant',
  model: undefined,
  instructions:
    'You are a careful assistant that does what was asked, says what it did, and never claims what it did not check.',
};

async function openLogger(loaded: LoadedConfig, redactor: Redactor): Promise<Logger> {
  const { createLogger } = await import('./telemetry/create-logger.ts');
  return createLogger({ ...loaded.config.logging, redactor, color: loaded.color });
}

interface Ground {
  readonly loaded: LoadedConfig;
  readonly storage: Storage;
  readonly redactor: Redactor;
  readonly logger: Logger;
  readonly tracer: Tracer;
}

function assemble(options: RuntimeOptions, ground: Ground) {
  const { loaded, storage, redactor, logger } = ground;
  const { config } = loaded;
  const role = options.role ?? 'local';
  const clock = systemClock;
  const ids = createIds(() => clock.nowMs());
  const seal = createSeal({ ids, redactor });
  const telemetry = { tracer: ground.tracer, metrics: options.metrics ?? noMetrics };
  const models = options.models ?? createModels(toModelsConfig(loaded), clock);
  const { registry, tools, policy } = assembleTools(options, { ...ground, ids, telemetry });
  const turnDeps: ModelTurnDeps = {
    ...telemetry,
    clock,
    registry,
    redactor,
    random: Math.random,
    isGranted: policy.isGranted,
    prices: createPriceTable(toPrices(loaded)),
    retry: { maxRetries: config.model.max_retries, initialDelayMs: 500, maxDelayMs: 8_000 },
    maxOutputTokens: config.model.max_output_tokens,
    deltaBatchMs: config.engine.delta_batch_ms,
  };
  const limits = {
    maxTurns: config.engine.max_turns,
    maxDurationMs: config.engine.default_run_timeout_ms,
    maxTokens: config.engine.max_run_tokens,
    maxCostUsd: config.engine.max_run_cost_usd,
  };
  const { runs: runStore, events, agents, wakeups } = storage;
  const executeDeps = {
    ...turnDeps,
    models,
    tools,
    limits,
    runs: runStore,
    events,
    agents,
    seal,
    ids,
    effects: storage.effects,
    approvalTtlMs: 3_600_000,
  };
  const runner = createRunner({
    ...telemetry,
    runs: runStore,
    wakeups,
    clock,
    seal,
    logger,
    execute: (claimed, control) => executeRun(executeDeps, claimed, control),
    owner: `${role}:${process.pid}:${randomUUID().slice(0, 8)}`,
    leaseMs: config.engine.lease_ms,
    maxConcurrent: config.engine.max_concurrent_runs,
    claimsQueue: role === 'server',
  });
  const maxQueued = config.engine.max_queued_runs;
  const runs = createRuns({
    runs: runStore,
    events,
    agents,
    wakeups,
    clock,
    ids,
    seal,
    redactor,
    slots: runner,
    maxQueued,
  });
  return { ids, models, registry, runner, runs, records: assembleRecords(ground) };
}

/** Audit files and bundles, kept behind the log by one process of the state root. */
function assembleRecords({ loaded, storage, logger }: Ground) {
  const clock = systemClock;
  const sink = openRecordFiles({ root: loaded.paths.root });
  const recorder = createRecorder({
    runs: storage.runs,
    events: storage.events,
    wakeups: storage.wakeups,
    sink,
    clock,
    logger,
    syncIntervalMs: loaded.config.records.audit_fsync_ms,
  });
  const records = createExclusiveRecorder({
    recorder,
    clock,
    tryLock: () => tryFileLock(loaded.paths.recordsLockFile),
  });
  return {
    start: () => records.start(),
    async stop(): Promise<void> {
      await records.stop();
      await sink.close();
    },
  };
}

function assembleTools(
  options: RuntimeOptions,
  parts: Ground & { readonly ids: Ids; readonly telemetry: { tracer: Tracer; metrics: Metrics } },
) {
  const { loaded, redactor, ids } = parts;
  const { config, paths } = loaded;
  const clock = systemClock;
  const guard = createPathGuard({ root: loaded.workspaceDir, reserved: [paths.stateDir] });
  const registry = createToolRegistry([
    ...createToolbox({ guard, clock }),
    ...(options.tools ?? []),
  ]);
  const policy = createPolicy({
    capabilities: {
      has: (_agentId, tool) => config.tools.granted.some((name) => matchesName(name, tool)),
    },
    mode: 'full',
    rules: [],
    hasRuleOfTwo: true,
  });
  const layers = createToolLayers({
    policy,
    artifacts: createArtifactFiles({ root: paths.root, ids, redactor }),
    redactor,
    clock,
    maxOutputBytes: config.tools.max_output_bytes,
  });
  const tools = createToolRunner({
    ...parts.telemetry,
    registry,
    invoke: createToolPipeline(
      {
        ...layers,
        deduplicate: (call, next) => next(call),
        breakCircuit: (call, next) => next(call),
        retry: (call, next) => next(call),
      },
      clock,
    ),
    ids,
    clock,
    timeouts: { defaultMs: config.tools.default_timeout_ms, maxMs: config.tools.max_timeout_ms },
  });
  return { registry, tools, policy };
}

export function toModelsConfig({ config, credentials, allowScriptedModel, paths }: LoadedConfig) {
  const { apiKeys } = credentials;
  const { providers } = config;
  return {
    default: config.model.default ?? undefined,
    keys: {
      openai: apiKeys.openai,
      anthropic: apiKeys.anthropic,
      openrouter: apiKeys.openrouter,
      openaiCompatible: apiKeys.openai_compatible,
    },
    baseUrls: {
      openai: providers.openai.base_url,
      anthropic: providers.anthropic.base_url,
      openrouter: providers.openrouter.base_url,
      ollama: providers.ollama.base_url,
      openaiCompatible: providers.openai_compatible.base_url,
    },
    requestTimeoutMs: config.model.request_timeout_ms,
    textToolCalls: config.model.text_tool_call_models,
    allowScripted: allowScriptedModel,
    rootDir: paths.root,
  };
}

function toPrices({ config }: LoadedConfig) {
  return Object.fromEntries(
    Object.entries(config.prices).map(([reference, price]) => [
      reference,
      {
        inputPerMillionUsd: price.input_per_million,
        outputPerMillionUsd: price.output_per_million,
        ...(price.cached_input_per_million === undefined
          ? {}
          : { cachedInputPerMillionUsd: price.cached_input_per_million }),
      },
    ]),
  );
}
