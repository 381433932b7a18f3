import { assembleReliability, type ReliabilityGround } from './assemble-reliability.ts';
import { assembleToolbox, isSwitchedOn } from './assemble-toolbox.ts';
import { readProcessEnvironment } from './config/environment.ts';
import { systemClock } from './core/clock.ts';
import type { Ids } from './core/ids.ts';
import { createCapabilities } from './core/policy/capabilities.ts';
import { createPolicy } from './core/policy/create-policy.ts';
import { createReliabilityLayers } from './core/reliability/reliability-layers.ts';
import { createToolLayers } from './core/tools/layers.ts';
import { createToolPipeline } from './core/tools/pipeline.ts';
import { createToolRegistry, type ToolRegistry } from './core/tools/registry.ts';
import type { Tool } from './core/tools/tool.ts';
import { createToolAdmin } from './core/tools/tool-admin.ts';
import { createToolRunner } from './core/tools/tool-runner.ts';
import { createArtifactFiles } from './storage/files/create-artifact-files.ts';
import { createArtifactRead } from './toolbox/runs/artifact-read.ts';
import type { RunToolsDeps } from './toolbox/runs/run-tools.ts';
import { VERSION } from './version.ts';

export interface ToolGround extends ReliabilityGround {
  readonly ids: Ids;
  /** Beside the built-in ones. */
  readonly tools: readonly Tool[];
  readonly runs: RunToolsDeps;
}

/** How long runs wait for external servers after a start; a slow one brings its tools later. */
const MCP_PATIENCE_MS = 3_000;

/** Tools, who may use them, and the way every call of them goes. */
export async function assembleTools(ground: ToolGround) {
  const { loaded, storage, ids, redactor } = ground;
  const { config, paths } = loaded;
  const toolbox = await assembleToolbox(loaded, ground.runs);
  const artifacts = createArtifactFiles({ root: paths.root, ids, redactor });
  const registry = createToolRegistry([
    ...toolbox.tools,
    createArtifactRead(artifacts),
    ...ground.tools,
  ]);
  const capabilities = createCapabilities(storage.capabilities, config.tools.granted);
  await capabilities.refresh();
  const policy = createPolicy({
    capabilities,
    mode: config.policy.mode,
    rules: config.policy.rules,
    hasRuleOfTwo: config.policy.rule_of_two,
  });
  const guarded = await assembleReliability(ground);
  const { recall, ...reliabilityLayers } = createReliabilityLayers(guarded);
  const layers = {
    ...createToolLayers({
      policy,
      approvals: storage.approvals,
      artifacts,
      redactor,
      clock: systemClock,
      maxOutputBytes: config.tools.max_output_bytes,
    }),
    ...reliabilityLayers,
  };
  const tools = createToolRunner({
    tracer: ground.tracer,
    metrics: ground.metrics,
    registry,
    invoke: createToolPipeline(layers, { clock: systemClock, tracer: ground.tracer }),
    recall,
    ids,
    clock: systemClock,
    timeouts: { defaultMs: config.tools.default_timeout_ms, maxMs: config.tools.max_timeout_ms },
  });
  const mcp = await openMcp(ground, registry);
  return {
    registry,
    tools,
    capabilities,
    sandbox: toolbox.sandbox,
    mcp,
    isGranted: (agentId: Parameters<typeof policy.isGranted>[0], tool: Tool) =>
      isSwitchedOn(loaded, tool) && policy.isGranted(agentId, tool),
    toolAdmin: createToolAdmin({
      registry,
      reliability: guarded.reliability,
      shadow: guarded.shadow,
      mode: guarded.mode,
      settingsOf: guarded.settingsOf,
      ...(guarded.breakerStore === undefined ? {} : { breakerStore: guarded.breakerStore }),
    }),
    start: () => guarded.shadow.start(),
    /** Resolves when external servers have brought their tools, or have had their time. */
    async whenComplete(): Promise<void> {
      if (mcp) await Promise.race([mcp.tried(), systemClock.sleep(MCP_PATIENCE_MS)]);
    },
    async close(): Promise<void> {
      await mcp?.close();
      await guarded.close();
    },
  };
}

/** External servers are connected in the background; without any, their client is not even loaded. */
async function openMcp(ground: ToolGround, registry: ToolRegistry) {
  const { loaded, storage, logger, redactor } = ground;
  if (Object.keys(loaded.mcpServers).length === 0) return undefined;
  const { openMcpClients } = await import('./mcp/open-mcp-clients.ts');
  const clients = openMcpClients(loaded.mcpServers, {
    clock: systemClock,
    logger,
    registry,
    pins: storage.toolPins,
    version: VERSION,
    environment: readProcessEnvironment(),
    random: Math.random,
  });
  return {
    ...clients,
    // A fault quotes what a foreign program printed, which may be anything.
    status: () =>
      clients.status().map(({ lastError, ...server }) => ({
        ...server,
        lastError: lastError && { ...lastError, message: redactor.redactText(lastError.message) },
      })),
  };
}
