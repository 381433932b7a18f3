import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Environment, isDumbTerminal } from './config/environment.ts';
import { isStateRoot, toStatePaths } from './config/state-root/state-paths.ts';
import { systemClock } from './core/clock.ts';
import type { ConfigEditor } from './core/config-editor.ts';
import { toRuntimeError } from './core/errors.ts';
import { killAtFaultPoint } from './core/fault-point.ts';
import { type Logger, silentLogger } from './core/log.ts';
import type { ToolServers } from './mcp/open-tool-servers.ts';
import type { McpServers } from './operations/mcp/mcp-servers.ts';
import { findPackageRoot } from './platform/package-root.ts';
import { toOneLine } from './surfaces/cli/print/plain-text.ts';
import type {
  LocalOptions,
  McpSession,
  ProgramParts,
  RunningServer,
  ServeOptions,
} from './surfaces/cli/program/context.ts';
import { untilTried } from './surfaces/cli/until-tried.ts';
import { BUILD, VERSION } from './version.ts';

/** What commands may ask of the rest of the program. Nothing of it is loaded before it is asked for. */
export function createCliParts(env: Environment): ProgramParts {
  return {
    version: VERSION,
    isDumbTerminal: isDumbTerminal(),
    async findClosestName(name, known) {
      const { findClosestName } = await import('./core/find-closest-name.ts');
      return findClosestName(name, known);
    },
    async readSchemas() {
      // At once: promises of files take longer to load than this takes to read.
      return JSON.parse(readFileSync(join(findPackageRoot(), 'dist', 'schemas.json'), 'utf8'));
    },
    findExtensions,
    async readExtensionText(entry) {
      const { readExtensionText } = await import('./storage/extensions/extension-text.ts');
      return readExtensionText(entry);
    },
    async findServer(root) {
      const { findServer } = await import('./config/state-root/server-file.ts');
      const { readToken } = await import('./config/state-root/secret-file.ts');
      const server = await findServer(root);
      if (server === undefined) return undefined;
      const token = env.API_BEARER_TOKEN ?? (await readToken(root));
      return {
        url: server.url,
        token,
        isSameBuild: server.build !== undefined && server.build === BUILD,
      };
    },
    ...createStorageParts(env),
    async openTranscripts(root, directory) {
      const { createTranscriptFiles } = await import(
        './storage/transcripts/create-transcript-files.ts'
      );
      return createTranscriptFiles({ root, directory, clock: systemClock });
    },
    openConfig: (options) => openConfig(options, env),
    async checkConfig({ root, file }) {
      const { checkConfigFile } = await import('./config/check-config-file.ts');
      return checkConfigFile({ root, file, env });
    },
    hasState: (root) => isStateRoot(root) || existsSync(join(root, '.claw')),
    async prepareRoot(root, options = {}) {
      const { prepareStateRoot } = await import('./config/state-root/state-root.ts');
      const prepared = await prepareStateRoot({ root, env, ...options });
      const { created, existing, warnings, loaded } = prepared;
      return { created, existing, warnings, workspaceDir: loaded.workspaceDir };
    },
    serve: (options) => serve(options, env),
    openBrowser,
    async previewEdit(request) {
      const { previewEdit } = await import('./preview-edit.ts');
      return previewEdit(request);
    },
    async openAuditReader(root) {
      const { createAuditReader } = await import('./storage/files/create-audit-reader.ts');
      return createAuditReader({ root });
    },
    async noteAudit(root, mark) {
      if (!isStateRoot(root)) return;
      const { leaveAuditMark } = await import('./config/state-root/upkeep-marks.ts');
      await leaveAuditMark(toStatePaths(root), mark);
    },
    async verifyGivenFiles(request) {
      const { verifyGivenFiles } = await import('./storage/files/verify-given-files.ts');
      return verifyGivenFiles(request);
    },
    async openAuditKey(root) {
      const { createAuditKeyFile } = await import('./storage/files/audit-key-file.ts');
      return createAuditKeyFile(root);
    },
    async diagnose(root) {
      const { createDiagnosis } = await import('./diagnose.ts');
      return createDiagnosis(root, env);
    },
  };
}

async function openBrowser(url: string): Promise<boolean> {
  const browser = await import('./platform/open-browser.ts');
  return browser.openBrowser(url);
}

async function findExtensions(root: string) {
  const extensions = await import('./storage/extensions/find-extensions.ts');
  const { findWorkspaceDir } = await import('./config/state-root/find-workspace-dir.ts');
  const { findHomeDir } = await import('./config/state-root/find-home-dir.ts');
  const workspaceDir = await findWorkspaceDir(root);
  return extensions.findExtensions({ root, workspaceDir, homeDir: findHomeDir() });
}

type StorageParts = Pick<
  ProgramParts,
  | 'openLocal'
  | 'openStore'
  | 'openSecrets'
  | 'openSkills'
  | 'openProjection'
  | 'openComms'
  | 'openVoice'
  | 'recover'
  | 'backUp'
  | 'restore'
  | 'serveMcp'
>;

/** The parts that open storage by themselves. */
function createStorageParts(env: Environment): StorageParts {
  return {
    async openLocal(options) {
      await assertStorage(options.root, env);
      return openLocal(options, env);
    },
    async openStore(root) {
      await assertStorage(root, env);
      return openStore(root, env);
    },
    async openSecrets({ root, warn }) {
      await assertStorage(root, env);
      const { loadConfig } = await import('./config/load-config.ts');
      const { openOwnSecrets } = await import('./open-secrets.ts');
      return openOwnSecrets(await loadConfig({ root, env }), createWarner(warn));
    },
    async openSkills({ root, warn, access }) {
      await assertStorage(root, env);
      const { openSkills } = await import('./open-skills.ts');
      return openSkills({ root, env, access, logger: createWarner(warn) });
    },
    async openProjection({ root, warn }) {
      await assertStorage(root, env);
      const { openProjection } = await import('./assembly/assemble-projection.ts');
      return openProjection({ root, env, logger: createWarner(warn) });
    },
    async openComms({ root, warn }) {
      await assertStorage(root, env);
      const { openComms } = await import('./assembly/assemble-comms.ts');
      return openComms({ root, env, logger: createWarner(warn) });
    },
    async openVoice({ root, warn }) {
      await assertStorage(root, env);
      const { openVoice } = await import('./open-voice.ts');
      const logger = createWarner(warn);
      return openVoice({ root, env, logger, openStore: () => openStore(root, env) });
    },
    async recover({ root, way, warn }) {
      await assertStorage(root, env, { orRefusedMove: true });
      const { recover } = await import('./recover.ts');
      return recover({ root, env, way, logger: createWarner(warn) });
    },
    async backUp(options) {
      await assertStorage(options.root, env);
      listenToFaults(env);
      const { backUp } = await import('./backup/back-up.ts');
      return backUp(options, env);
    },
    async restore(options) {
      listenToFaults(env);
      const { restore } = await import('./backup/restore.ts');
      return restore(options);
    },
    async serveMcp(root) {
      await assertStorage(root, env);
      return serveMcp(root, env);
    },
  };
}

/** Every part that opens storage by itself begins with this. */
async function assertStorage(
  root: string,
  env: Environment,
  options: { readonly orRefusedMove?: boolean } = {},
): Promise<void> {
  const { assertServersStorage } = await import('./config/state-root/storage-mark.ts');
  await assertServersStorage(root, env.DATABASE_URL, options);
}

async function openLocal(options: LocalOptions, env: Environment) {
  if (options.isLooking && !isStateRoot(options.root)) {
    const { openPassingRoot } = await import('./open-passing-root.ts');
    const passing = await openPassingRoot(options.root, env);
    try {
      const opened = await openRuntime({ ...options, root: passing.path }, env);
      return { ...opened, close: () => opened.close().finally(passing.remove) };
    } catch (error) {
      await passing.remove();
      throw error;
    }
  }
  return openRuntime(options, env);
}

async function openRuntime(options: LocalOptions, env: Environment) {
  const { root, warn, takesQueue = false } = options;
  const { createRuntime } = await import('./app.ts');
  const { createToolGrants } = await import('./core/tools/tool-grants.ts');
  const runtime = await createRuntime({
    ...{ root, env, role: 'local', takesQueue },
    logger: createWarner(warn),
  });
  for (const warning of runtime.warnings) warn(warning);
  const { effects, approvals, standing, toolAdmin, storage } = runtime;
  const { runs, agents, sessions, chat, jobs, killSwitch, costs, memories } = runtime;
  const { handoffs, facts, knowledge, parcels, replays, forks, openclaw } = runtime;
  const grants = createToolGrants({ ...runtime, agents: storage.agents });
  const admin = { effects, approvals, standing, toolAdmin, grants };
  const mcp = createLocalMcp(runtime.mcp);
  return {
    ...{ runs, admin, mcp, agents, sessions, chat, jobs, killSwitch, costs, memories },
    ...{ handoffs, facts, knowledge, parcels, replays, forks, openclaw },
    async describeModel() {
      const { provider, name } = await runtime.models.describe(undefined);
      return `${provider}/${name}`;
    },
    takeQueue: () => runtime.runner.takeQueue(),
    close: () => runtime.close(),
  };
}

/** The file alone. Nobody runs with it, so what is in force is whatever it says. */
async function openConfig({ root, warn }: LocalOptions, env: Environment): Promise<ConfigEditor> {
  const { loadConfig } = await import('./config/load-config.ts');
  const { createLiveConfig } = await import('./config/live-config.ts');
  const { createConfigEditor } = await import('./config/edit-config.ts');
  const { tryFileLock } = await import('./storage/sqlite/file-lock.ts');
  const live = createLiveConfig(await loadConfig({ root, env }));
  return createConfigEditor({
    sources: { root, env },
    live,
    tryLock: () => tryFileLock(toStatePaths(root).configLockFile),
    clock: systemClock,
    logger: createWarner(warn),
  });
}

/** Servers are connected in the background; whoever asks about them wants to know what came of it. */
function createLocalMcp(servers: ToolServers): McpServers {
  const tried = () => untilTried(servers, systemClock);
  return {
    status: () => tried().then(() => servers.status()),
    getPin: (place) => tried().then(() => servers.getPin(place)),
    approve: (request) => tried().then(() => servers.approve(request)),
  };
}

/** A command's own log: only what a person at the prompt should hear. */
function createWarner(warn: (message: string) => void): Logger {
  const say: Logger['warn'] = ({ server }, message) =>
    warn(typeof server === 'string' ? `${message}: ${toOneLine(server, 100)}` : message);
  return { ...silentLogger, warn: say, error: say };
}

/** Without the configuration, which takes longer to load than a look into the database. */
async function openStore(root: string, env: Environment) {
  if (env.DATABASE_URL !== undefined) {
    const { openPostgresStorage } = await import('./storage/postgres/open-postgres-storage.ts');
    return openPostgresStorage({ url: env.DATABASE_URL, logger: silentLogger });
  }
  const file = toStatePaths(root).databaseFile;
  if (!existsSync(file)) return undefined;
  const { openSqliteStorage } = await import('./storage/sqlite/open-sqlite-storage.ts');
  return openSqliteStorage({ file, writer: 'inline', readOnly: true, logger: silentLogger });
}

/** Crash tests of the built program; two variables, so that no leftover of one of them can ever kill a real one. */
function listenToFaults(env: Environment): void {
  if (env.CLAW_FAULT_POINT === undefined || env.CLAW_ALLOW_SCRIPTED_MODEL !== '1') return;
  killAtFaultPoint(env.CLAW_FAULT_POINT, () => process.kill(process.pid, 'SIGKILL'));
}

async function serve(options: ServeOptions, env: Environment): Promise<RunningServer> {
  const { root, isSilent, ...flags } = options;
  listenToFaults(env);
  if (env.DATABASE_URL === undefined) {
    const { prepareWriterWorker } = await import('./storage/sqlite/writer-worker.ts');
    prepareWriterWorker();
  }
  const { startSmall } = await import('./platform/start-small.ts');
  const server = await startSmall(async () => {
    const { openServer } = await import('./server.ts');
    return openServer({ root, env, flags, ...(isSilent ? { logger: silentLogger } : {}) });
  });
  const { runtime } = server;
  const { credentials, paths } = runtime.loaded;
  const model = await runtime.models
    .describe(undefined)
    .then(({ provider, name }) => ({ reference: `${provider}/${name}`, warnings: [] }))
    .catch((thrown: unknown) => ({
      reference: 'none',
      warnings: [toRuntimeError(thrown).message],
    }));
  const { toSignInLink } = await import('./operations/sign-ins/sign-in-codec.ts');
  return {
    url: server.url,
    model: model.reference,
    engine: runtime.storage.engine,
    workspaceDir: runtime.loaded.workspaceDir,
    created: runtime.created,
    warnings: [...runtime.warnings, ...model.warnings],
    tokenIn:
      credentials.bearerTokenFrom === 'environment'
        ? { variable: 'API_BEARER_TOKEN' }
        : { file: paths.tokenFile },
    createDashboardLink: () => toSignInLink(server.url, server.signIns.mintCode().code),
    close: () => server.close({ noticeMs: runtime.loaded.config.server.shutdown_notice_ms }),
  };
}

async function serveMcp(root: string, env: Environment): Promise<McpSession> {
  const { createRuntime } = await import('./app.ts');
  const { openMcpServer } = await import('./assembly/mount-surfaces.ts');
  const { openInOrder } = await import('./closing-list.ts');
  return openInOrder(async (closing) => {
    const runtime = await createRuntime({ root, env, role: 'local', flags: { logLevel: 'warn' } });
    closing.add((graceMs) => runtime.close({ graceMs }));
    for (const warning of runtime.warnings) runtime.logger.warn({}, warning);
    const server = openMcpServer(runtime);
    closing.add(() => server.close());
    const { stdin: input, stdout: output } = process;
    const session = await server.serveStdio({ input, output });
    closing.add(() => session.close());
    const { shutdown_grace_ms: graceMs } = runtime.loaded.config.engine;
    return { ended: session.ended, close: () => closing.close(graceMs) };
  });
}
