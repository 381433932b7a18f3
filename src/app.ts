import { assembleAgents } from './assembly/assemble-agents.ts';
import { assembleCompletions, type CompletionServices } from './assembly/assemble-completions.ts';
import { assembleControlPlane, type ControlServices } from './assembly/assemble-control-plane.ts';
import { assembleConversations } from './assembly/assemble-conversations.ts';
import { assembleKnowledge, type KnowledgeServices } from './assembly/assemble-knowledge.ts';
import { assembleMemory } from './assembly/assemble-memory.ts';
import { assembleOpenClaw } from './assembly/assemble-openclaw.ts';
import { assembleRuns } from './assembly/assemble-runs.ts';
import { assembleStandingAnswers } from './assembly/assemble-standing-answers.ts';
import { assembleVoice, type VoiceGround } from './assembly/assemble-voice.ts';
import { type ClosingList, openInOrder } from './closing-list.ts';
import { type ConfigEditorDeps, createConfigEditor } from './config/edit-config.ts';
import { readEnvironment } from './config/environment.ts';
import { createLiveConfig, type LiveConfig } from './config/live-config.ts';
import type { ConfigSources, LoadedConfig } from './config/load-config.ts';
import { prepareStateRoot } from './config/state-root/state-root.ts';
import type { Agents } from './core/agents/agents.ts';
import type { ReadSoul } from './core/agents/souls.ts';
import type { Approvals } from './core/approvals/approvals.ts';
import type { StandingAnswers } from './core/approvals/standing-answers.ts';
import type { Chat } from './core/chat/chat.ts';
import { systemClock } from './core/clock.ts';
import type { ConfigEditor } from './core/config-editor.ts';
import type { Costs } from './core/costs/costs.ts';
import { createIds } from './core/create-ids.ts';
import type { Effects } from './core/effects/effects.ts';
import { type AgentId, DEFAULT_AGENT_ID, type Ids } from './core/ids.ts';
import type { KillSwitch, SwitchWatch } from './core/kill-switch/kill-switch.ts';
import type { Logger } from './core/log.ts';
import type { Models } from './core/loop/model.ts';
import type { Mailbox } from './core/mail/mailbox.ts';
import type { Memories } from './core/memory/memories.ts';
import type { Bridge } from './core/openclaw/bridge.ts';
import type { Parcels } from './core/parcels/parcels.ts';
import type { Capabilities } from './core/policy/capabilities.ts';
import { createRedactor } from './core/redact/create-redactor.ts';
import type { Redactor } from './core/redact/redact.ts';
import type { Forks } from './core/replay/forks.ts';
import type { Replays } from './core/replay/replays.ts';
import type { Runner } from './core/runs/runner.ts';
import type { ServedRuns } from './core/runs/runs.ts';
import type { Sandbox } from './core/sandbox/sandbox.ts';
import type { Jobs } from './core/schedule/jobs.ts';
import type { SchedulerState } from './core/schedule/scheduler-state.ts';
import { followSecrets } from './core/secrets/follow-secrets.ts';
import type { Secrets } from './core/secrets/secrets.ts';
import type { Sessions } from './core/sessions/sessions.ts';
import type { Storage } from './core/storage.ts';
import { type Metrics, noMetrics, noTracer, type Tracer } from './core/telemetry.ts';
import type { Threads } from './core/threads/threads.ts';
import type { ToolRegistry } from './core/tools/registry.ts';
import type { Tool } from './core/tools/tool.ts';
import type { ToolAdmin } from './core/tools/tool-admin.ts';
import type { Voice } from './core/voice/voice.ts';
import type { ToolServers } from './mcp/open-tool-servers.ts';
import { openControls } from './open-controls.ts';
import { type Observability, openObservability } from './open-observability.ts';
import { openRecords } from './open-records.ts';
import { openSecrets } from './open-secrets.ts';
import { assertWhole, leaveMark, openStorage, type Role, type StorageUse } from './open-storage.ts';
import { startWork, type Work } from './start-work.ts';
import { tryFileLock } from './storage/sqlite/file-lock.ts';

export interface RuntimeOptions extends ConfigSources {
  readonly role?: Role;
  /** Whether to execute what waits in the queue; as `role` says when absent. */
  readonly takesQueue?: boolean;
  /** Where the embedded database commits: `inline` starts no thread. As `role` says when absent. */
  readonly writer?: StorageUse['writer'];
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
export interface Runtime
  extends CompletionServices,
    ControlServices,
    KnowledgeServices,
    Pick<Work, 'isStarted' | 'drain'> {
  /** As it was at the start. */
  readonly loaded: LoadedConfig;
  /** As it is now. */
  readonly live: LiveConfig;
  readonly configEditor: ConfigEditor;
  readonly created: readonly string[];
  readonly warnings: readonly string[];
  readonly runs: ServedRuns;
  /** Runs that a product drives with frames. */
  readonly threads: Threads;
  readonly agents: Agents;
  readonly readSoul: ReadSoul;
  readonly parcels: Parcels;
  readonly sessions: Sessions;
  readonly chat: Chat;
  readonly voice: Voice;
  readonly mailbox: Mailbox;
  readonly memories: Memories;
  readonly jobs: Jobs;
  readScheduler(): Promise<SchedulerState>;
  readonly secrets: Secrets;
  readonly storage: Storage;
  readonly approvals: Approvals;
  readonly standing: StandingAnswers;
  readonly effects: Effects;
  readonly replays: Replays;
  readonly forks: Forks;
  readonly capabilities: Capabilities;
  readonly toolAdmin: ToolAdmin;
  readonly killSwitch: KillSwitch & SwitchWatch;
  readonly costs: Costs;
  readonly registry: ToolRegistry;
  /** Whether the agent is offered the tool, in runs of the operator unless somebody else is named. */
  isGranted(agentId: AgentId, tool: Tool, principal?: string): boolean;
  /** External tool servers, as the configuration names them now. */
  readonly mcp: ToolServers;
  /** The way to agents that live in an OpenClaw gateway. */
  readonly openclaw: Bridge;
  /** Undefined when none is configured. */
  readonly sandbox: Sandbox | undefined;
  readonly models: Models;
  readonly redactor: Redactor;
  readonly runner: Runner;
  readonly logger: Logger;
  readonly tracer: Tracer;
  readonly observability: Observability;
  readonly ids: Ids;
  /** Stops taking runs, lets those under way end, and writes what is still to be written. */
  close(options?: { readonly graceMs?: number }): Promise<void>;
}

/** Opens a runtime on a state root, creating what is missing. The caller closes it. */
export function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  return openInOrder((closing) => openRuntime(options, closing));
}

/** Asked with every text that is written: put together when one of the two lists is another one. */
function createSecretList(live: LiveConfig, stored: { readonly secrets?: Secrets }) {
  let configured: readonly string[] = [];
  let kept: readonly string[] | undefined;
  let all: readonly string[] = [];
  return () => {
    const lists = { configured: live.listSecrets(), kept: stored.secrets?.values() };
    if (lists.configured !== configured || lists.kept !== kept) {
      ({ configured, kept } = lists);
      all = [...configured, ...(kept ?? [])];
    }
    return all;
  };
}

async function openRuntime(options: RuntimeOptions, closing: ClosingList): Promise<Runtime> {
  const { loaded, created, warnings } = await prepareStateRoot(options);
  const live = createLiveConfig(loaded);
  const stored: { secrets?: Secrets } = {};
  const redactor = createRedactor({ secrets: createSecretList(live, stored) });
  const logger = options.logger ?? (await openLogger(live, redactor));
  const tracer = (await options.openTracer?.(loaded, logger)) ?? noTracer;
  const role = options.role ?? 'local';
  const storage = await openStorage(loaded, { role, writer: options.writer }, logger);
  closing.add(() => storage.close());
  await assertWhole(loaded, storage, logger);
  const secrets = await openSecrets(loaded, logger, storage.secretPlace);
  stored.secrets = secrets;
  if (role === 'server') await leaveMark(loaded, logger);
  const ids = createIds(() => systemClock.nowMs());
  const observability = openObservability({ storage, logger, closing });
  const controls = openControls({ ...observability, live, storage, logger, redactor, closing });
  const ground = {
    ...{ loaded, live, storage, secrets, ids, redactor, logger, tracer, role, closing },
    ...{ securityEvents: observability.securityEvents, ...controls },
  };
  openRecords(ground);
  const conversations = assembleConversations(ground);
  const memory = assembleMemory(ground);
  const known = assembleKnowledge({ ...ground, ...conversations, ...memory });
  const agents = assembleAgents(ground);
  const control = assembleControlPlane(ground);
  const { bridge: openclaw, withRemoteAgents } = assembleOpenClaw(ground);
  const { toolParts, ...parts } = await assembleRuns({
    ...ground,
    metrics: options.metrics ?? noMetrics,
    takesQueue: options.takesQueue ?? role === 'server',
    tools: [conversations, memory, known, control, options].flatMap(({ tools = [] }) => tools),
    skills: control.skills.shelf,
    ...{ recall: memory.recall, leaveNote: memory.leaveNote },
    ...{ models: options.models, withRemoteAgents, readSoul: agents.readSoul },
  });
  await agents.begin(FIRST_AGENT, role);
  await toolParts.start();
  closing.add(() => parts.approvals.stop());
  parts.approvals.start();
  const work = await startWork({
    ...{ role, logger, closing, runner: parts.runner },
    whenComplete: (signal) => toolParts.whenComplete(signal),
    startScheduler: () => conversations.startScheduler(parts),
    startOthers: (busy) => known.begin(parts.runs, busy).then(() => control.start(busy)),
  });
  closing.add(followSecrets({ ...storage, secrets, clock: systemClock, logger }).stop);
  const { registry, isGranted, capabilities, toolAdmin, mcp, sandbox } = toolParts;
  const { sessions, mailbox, jobs, readScheduler } = conversations;
  const configEditor = openConfigEditor(options, ground, [work.wakeScheduler, mcp.follow]);
  return {
    ...{ loaded, live, created, warnings, storage, secrets, ids, redactor, logger, tracer },
    parcels: agents.createParcels({ ...parts, ...toolParts, ...memory, ...control }),
    ...{ observability, memories: memory.memories, ...parts, ...known.services },
    ...{ sessions, mailbox, jobs, readScheduler, ...assembleTalk(ground, conversations, parts) },
    agents: agents.createAgents(parts.models, [conversations, memory.memories, known]),
    ...{ configEditor, standing: assembleStandingAnswers(live, configEditor), ...controls },
    ...assembleCompletions({ ...ground, ...parts, ...memory, registry, sessions }),
    ...{ registry, isGranted, capabilities, toolAdmin, mcp, sandbox, openclaw },
    ...control.createServices({ ...parts, tools: toolParts.tools }),
    ...{ isStarted: work.isStarted, drain: work.drain, readSoul: agents.readSoul },
    close: ({ graceMs = loaded.config.engine.shutdown_grace_ms } = {}) => closing.close(graceMs),
  };
}

/** The ways in which people talk with agents. */
function assembleTalk(
  ground: VoiceGround & { readonly storage: Storage },
  { sessions, createChat }: ReturnType<typeof assembleConversations>,
  parts: Parameters<typeof createChat>[0],
): Pick<Runtime, 'chat' | 'voice'> {
  const { runs } = parts;
  const { agents } = ground.storage;
  return { chat: createChat(parts), voice: assembleVoice(ground, { runs, sessions, agents }) };
}

const FIRST_AGENT = {
  id: DEFAULT_AGENT_ID,
  name: 'Pincer',
  role: 'general assistant',
  model: undefined,
  instructions:
    'You are a careful assistant that does what was asked, says what it did, and never claims what it did not check.',
};

async function openLogger(live: LiveConfig, redactor: Redactor): Promise<Logger> {
  const { createLogger } = await import('./telemetry/create-logger.ts');
  const { config, color } = live.current();
  const level = () => live.current().config.logging.level;
  return createLogger({ level, format: config.logging.format, redactor, color });
}

function openConfigEditor(
  { env = readEnvironment(), flags = {} }: ConfigSources,
  deps: Pick<ConfigEditorDeps, 'live' | 'logger'>,
  listeners: readonly (() => void)[],
): ConfigEditor {
  const { paths } = deps.live.current();
  return createConfigEditor({
    ...deps,
    sources: { root: paths.root, env, flags },
    tryLock: () => tryFileLock(paths.configLockFile),
    clock: systemClock,
    onSaved() {
      for (const tell of listeners) tell();
    },
  });
}
