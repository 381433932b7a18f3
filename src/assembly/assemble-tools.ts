import { readProcessEnvironment } from '../config/environment.ts';
import type { LiveConfig } from '../config/live-config.ts';
import type { Config } from '../config/load-config.ts';
import { limitBySkills } from '../core/agents/limit-by-skills.ts';
import { systemClock } from '../core/clock.ts';
import type { AgentId, Ids } from '../core/ids.ts';
import { admitIntegrations, isIntegrationCall } from '../core/integrations/integration-caller.ts';
import type { SwitchWatch } from '../core/kill-switch/kill-switch.ts';
import { type Capabilities, createCapabilities } from '../core/policy/capabilities.ts';
import { createPolicy } from '../core/policy/create-policy.ts';
import type { Policy } from '../core/policy/policy.ts';
import { matchesName } from '../core/policy/policy-rule.ts';
import { OPERATOR } from '../core/principal.ts';
import { createReliabilityLayers } from '../core/reliability/reliability-layers.ts';
import { fillSecretReferences } from '../core/secrets/secret-references.ts';
import type { Secrets } from '../core/secrets/secrets.ts';
import { createGrantedTools } from '../core/tools/granted-tools.ts';
import { createToolLayers } from '../core/tools/layers.ts';
import { createToolPipeline } from '../core/tools/pipeline.ts';
import { createToolRegistry, type ToolRegistry } from '../core/tools/registry.ts';
import type { Tool } from '../core/tools/tool.ts';
import { createToolAdmin } from '../core/tools/tool-admin.ts';
import { createToolRunner } from '../core/tools/tool-runner.ts';
import { openToolServers, type ToolServers } from '../mcp/open-tool-servers.ts';
import { createArtifactFiles } from '../storage/files/create-artifact-files.ts';
import { createArtifactRead } from '../toolbox/runs/artifact-read.ts';
import type { RunToolsDeps } from '../toolbox/runs/run-tools.ts';
import { VERSION } from '../version.ts';
import { assembleReliability, type ReliabilityGround } from './assemble-reliability.ts';
import { assembleToolbox, findSwitchedOff } from './assemble-toolbox.ts';

export interface ToolGround extends ReliabilityGround {
  readonly ids: Ids;
  /** Beside the built-in ones. */
  readonly tools: readonly Tool[];
  readonly runs: RunToolsDeps;
  readonly killSwitch: Pick<SwitchWatch, 'assertOff'>;
  readonly secrets?: Pick<Secrets, 'find'> | undefined;
}

/** How long runs wait for external servers after a start; a slow one brings its tools later. */
const MCP_PATIENCE_MS = 3_000;

/** Tools, who may use them, and the way every call of them goes. */
export async function assembleTools(ground: ToolGround) {
  const { live, storage, ids, redactor } = ground;
  const settings = () => live.current().config;
  const toolbox = await assembleToolbox(ground);
  const artifacts = createArtifactFiles({ root: live.current().paths.root, ids, redactor });
  const registry = createToolRegistry([
    ...toolbox.tools,
    createArtifactRead(artifacts),
    ...ground.tools,
  ]);
  const granted = createCapabilities(storage.capabilities, () => settings().tools.granted);
  const capabilities = limitBySkills(granted, storage.agents);
  await capabilities.refresh();
  const policy = assemblePolicy(settings, capabilities);
  const guarded = await assembleReliability(ground);
  const { recall, ...reliabilityLayers } = createReliabilityLayers(guarded);
  const layers = {
    ...createToolLayers({
      policy,
      approvals: storage.approvals,
      artifacts,
      redactor,
      clock: systemClock,
      maxOutputBytes: () => settings().tools.max_output_bytes,
    }),
    ...reliabilityLayers,
  };
  const tools = createToolRunner({
    tracer: ground.tracer,
    metrics: ground.metrics,
    registry,
    invoke: createToolPipeline(layers, {
      clock: systemClock,
      tracer: ground.tracer,
      assertMayCall: () => ground.killSwitch.assertOff(),
    }),
    recall,
    ids,
    clock: systemClock,
    timeouts() {
      const { default_timeout_ms: defaultMs, max_timeout_ms: maxMs } = settings().tools;
      return { defaultMs, maxMs };
    },
  });
  const mcp = await openMcp(ground, registry);
  const grounds = () => readGrounds(live, capabilities);
  const isGranted = (agentId: AgentId, tool: Tool, principal: string = OPERATOR) =>
    findSwitchedOff(settings(), tool) === undefined && policy.isGranted(agentId, tool, principal);
  return {
    registry,
    tools,
    capabilities,
    sandbox: toolbox.sandbox,
    mcp,
    isGranted,
    describeGranted: createGrantedTools({ registry, isGranted, grounds }),
    toolAdmin: createToolAdmin({
      ...guarded,
      registry,
      findSwitchedOff: (tool) => findSwitchedOff(settings(), tool),
    }),
    start: () => guarded.shadow.start(),
    /** Resolves when external servers have brought their tools, or have had their time, or nobody waits any more. */
    async whenComplete(signal: AbortSignal): Promise<void> {
      const tried = new AbortController();
      void mcp.tried().then(() => tried.abort());
      await systemClock.sleep(MCP_PATIENCE_MS, AbortSignal.any([signal, tried.signal]));
    },
  };
}

/** All that grants hang on. What another process grants or takes shows with the next turn. */
function readGrounds(live: LiveConfig, capabilities: Capabilities): readonly unknown[] {
  void capabilities.freshen();
  return [live.current(), capabilities.version()];
}

function assemblePolicy(settings: () => Config, capabilities: Capabilities): Policy {
  return createPolicy({
    capabilities: admitIntegrations(capabilities),
    isOpened: (agentId, { name }) =>
      isIntegrationCall(agentId, name) ||
      settings().tools.granted_to_principals.some((pattern) => matchesName(pattern, name)),
    settings() {
      const { mode, rules, rule_of_two: hasRuleOfTwo } = settings().policy;
      return { mode, rules, hasRuleOfTwo };
    },
  });
}

async function openMcp(ground: ToolGround, registry: ToolRegistry): Promise<ToolServers> {
  const { live, storage, logger, redactor, secrets, closing } = ground;
  const servers = await openToolServers({
    configured: () => live.current().mcpServers,
    clock: systemClock,
    logger,
    redactor,
    registry,
    pins: storage.toolPins,
    version: VERSION,
    environment: readProcessEnvironment(),
    random: Math.random,
    ...(secrets && {
      resolveValue: (value) => fillSecretReferences(value, (name) => secrets.find(name)),
    }),
  });
  // Its programs run from now on, and must not outlive us.
  closing.add(() => servers.close());
  return servers;
}
