import { mkdir } from 'node:fs/promises';
import { assembleSkills } from '../../../src/assembly/assemble-skills.ts';
import { assembleStandingAnswers } from '../../../src/assembly/assemble-standing-answers.ts';
import { assembleWorkers } from '../../../src/assembly/assemble-workers.ts';
import { createConfigEditor } from '../../../src/config/edit-config.ts';
import { createLiveConfig } from '../../../src/config/live-config.ts';
import { loadConfig } from '../../../src/config/load-config.ts';
import { toStatePaths } from '../../../src/config/state-root/state-paths.ts';
import { createAgents } from '../../../src/core/agents/create-agents.ts';
import type { Clock } from '../../../src/core/clock.ts';
import { createIds } from '../../../src/core/create-ids.ts';
import { createKillSwitch } from '../../../src/core/kill-switch/kill-switch.ts';
import { silentLogger } from '../../../src/core/log.ts';
import { BRIDGE_OFF } from '../../../src/core/openclaw/bridge.ts';
import { createAudit } from '../../../src/core/records/audit.ts';
import type { Redactor } from '../../../src/core/redact/redact.ts';
import { createRunReader } from '../../../src/core/runs/runs.ts';
import { createCalendar } from '../../../src/core/schedule/calendar.ts';
import { createJobs } from '../../../src/core/schedule/jobs.ts';
import { createSchedulerState } from '../../../src/core/schedule/scheduler-state.ts';
import { DEFAULT_CONTEXT_LIMITS } from '../../../src/core/sessions/context-limits.ts';
import { createSessions } from '../../../src/core/sessions/sessions.ts';
import { createSignIns } from '../../../src/core/sign-ins/sign-ins.ts';
import { createReadStatus } from '../../../src/core/status.ts';
import type { Storage } from '../../../src/core/storage.ts';
import type { ToolAdmin } from '../../../src/core/tools/tool-admin.ts';
import { createPreviewCall } from '../../../src/preview-call.ts';
import { createModelProviders } from '../../../src/providers/create-model-providers.ts';
import { parseModelReference } from '../../../src/providers/model-reference.ts';
import { openAgentFiles } from '../../../src/storage/agents/open-agent-files.ts';
import { createAuditReader } from '../../../src/storage/files/create-audit-reader.ts';
import { openSecretFile } from '../../../src/storage/files/secrets/test-secret-file.ts';
import type { AdminDeps } from '../../../src/surfaces/admin/create-admin-surface.ts';
import { openParcelRig } from '../../support/test-parcels.ts';
import { TOKEN } from '../v1/http-client.ts';

const DAY_MS = 86_400_000;

/** Redaction has tests of its own; here texts are pinned to the letter. */
export const plainRedactor: Redactor = {
  redact: (value) => ({ value, paths: [] }),
  redactText: (text) => text,
};

type Parts = Omit<
  AdminDeps,
  | 'effects'
  | 'approvals'
  | 'capabilities'
  | 'toolAdmin'
  | 'registry'
  | 'agents'
  | 'mcp'
  | 'authenticate'
>;

export interface Ground {
  readonly root: string;
  readonly storage: Storage;
  readonly clock: Clock;
  readonly toolAdmin: ToolAdmin;
}

/** No provider takes it, and none is asked with it. */
const KEYS = { anthropic: 'sk-ant-kept-inside' };

/** What the surface is laid over, all of it real except for the models. */
export async function openAdminParts({ root, storage, clock, toolAdmin }: Ground): Promise<Parts> {
  const ids = createIds(() => clock.nowMs());
  const jobs = createJobs({
    store: storage.jobs,
    agents: storage.agents,
    sessions: storage.sessions,
    ids,
    redactor: plainRedactor,
    clock,
    maxJobs: () => 3,
    maxJobsPerPrincipal: () => 3,
  });
  const readScheduler = createSchedulerState({ jobs, isEnabled: () => true });
  const models = { describe: describeModel };
  return {
    modelProviders: createModelProviders({ config: () => ({ keys: KEYS }), clock }),
    openclaw: { status: () => BRIDGE_OFF, connect: async () => BRIDGE_OFF },
    jobs,
    calendar: createCalendar({ store: storage.jobs, clock }),
    readScheduler,
    readStatus: createReadStatus({
      ...storage,
      toolAdmin,
      models,
      clock,
      version: '0.0.0-test',
      engine: storage.engine,
      startedAtMs: clock.nowMs(),
      scheduler: readScheduler,
      limits: () => ({ maxQueued: 100, maxConcurrent: 4 }),
      warnings: () => ['the token is short'],
    }),
    runs: createRunReader({ ...storage, clock }),
    watch: { runs: storage.runs, news: storage.news, wakeups: storage.wakeups, clock },
    sessions: createSessions({
      store: storage.sessions,
      agents: storage.agents,
      ids,
      redactor: plainRedactor,
      context: () => DEFAULT_CONTEXT_LIMITS,
    }),
    agentAdmin: createAgents({
      store: storage.agents,
      runs: storage.runs,
      models,
      redactor: plainRedactor,
      files: openAgentFiles({ root, logger: silentLogger }),
      approveMemory: () => {},
      onRemoved: [],
      logger: silentLogger,
    }),
    parcels: openParcelRig({ storage, clock }).parcels,
    mail: storage.mail,
    killSwitch: openKillSwitch({ storage, clock }),
    signIns: openSignIns({ storage, clock }),
    audit: createAudit({ ...storage, clock, files: createAuditReader({ root }) }),
    ...(await openFiles({ root, storage, clock })),
  };
}

function openKillSwitch({ storage, clock }: Pick<Ground, 'storage' | 'clock'>) {
  const store = storage.killSwitch;
  return createKillSwitch({ store, clock, logger: silentLogger, redactor: plainRedactor });
}

function openSignIns({ storage, clock }: Pick<Ground, 'storage' | 'clock'>) {
  return createSignIns({
    ...{ store: storage.signIns, clock, logger: silentLogger, token: TOKEN },
    ids: createIds(() => clock.nowMs()),
    lifetime: () => ({ idleMs: 30 * DAY_MS, maxMs: 90 * DAY_MS }),
  });
}

async function openFiles({ root, storage, clock }: Omit<Ground, 'toolAdmin'>) {
  const paths = toStatePaths(root);
  await mkdir(paths.stateDir, { mode: 0o700, recursive: true });
  const sources = { root, env: {} };
  const tryLock = () => ({ close() {} });
  const live = createLiveConfig(await loadConfig(sources));
  const config = createConfigEditor({ sources, live, tryLock, clock, logger: silentLogger });
  const ground = { live, storage, logger: silentLogger };
  const { skills } = assembleSkills(ground);
  const { oversight: workerOversight } = assembleWorkers({
    ...ground,
    ids: createIds(() => clock.nowMs()),
    redactor: plainRedactor,
    killSwitch: { assertOff: async () => {} },
  });
  return {
    config,
    skills,
    workerOversight,
    standing: assembleStandingAnswers(live, config),
    previewCall: createPreviewCall(live),
    redactor: plainRedactor,
    secrets: await openSecretFile({
      file: `${paths.stateDir}/secrets.enc`,
      masterKeyFile: `${paths.stateDir}/master.key`,
      tryLock,
      clock,
      logger: silentLogger,
    }),
  };
}

async function describeModel(reference: string | undefined) {
  return parseModelReference(reference ?? 'offline/rules');
}
