import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toGivenKeys, toModelsConfig } from './assemble-models.ts';
import { type Environment, readProcessEnvironment } from './config/environment.ts';
import { type LoadedConfig, loadConfig } from './config/load-config.ts';
import { toStatePaths } from './config/state-paths.ts';
import { systemClock } from './core/clock.ts';
import { RuntimeError } from './core/errors.ts';
import { silentLogger } from './core/log.ts';
import type { Sandbox, SandboxProbe } from './core/sandbox/sandbox.ts';
import { fillSecretReferences } from './core/secrets/secret-references.ts';
import { openSecrets } from './open-secrets.ts';
import { resolveEndpoint } from './providers/endpoint.ts';
import { createModels } from './providers/open-models.ts';
import { createKeyFinder } from './providers/provider-key.ts';
import type { Diagnosis, ModelChoice, StoreState } from './surfaces/cli/diagnosis.ts';
import type { McpServerShape } from './surfaces/cli/mcp-access.ts';
import { untilTried } from './surfaces/cli/until-tried.ts';
import { VERSION } from './version.ts';

const REDIS_TIMEOUT_MS = 2_000;

/** The probes of `claw doctor`. They look at the state root and at what it is connected to, and change nothing. */
export function createDiagnosis(root: string, env: Environment): Diagnosis {
  const paths = toStatePaths(root);
  let loading: Promise<LoadedConfig> | undefined;
  const load = () => {
    loading ??= loadConfig({ root, env });
    return loading;
  };
  return {
    paths,
    async loadSettings() {
      const { config, credentials, mcpServers } = await load();
      const { active, provider } = config.sandbox;
      return {
        host: config.server.bind_address,
        port: config.server.port,
        hasRedis: credentials.redisUrl !== undefined,
        sandbox: active && provider !== 'none' ? provider : undefined,
        hasMcpServers: Object.keys(mcpServers).length > 0,
        tokenFrom: credentials.bearerTokenFrom,
      };
    },
    checkStore: async () => {
      const { databaseUrl } = (await load()).credentials;
      return databaseUrl === undefined
        ? checkEmbedded(paths.databaseFile)
        : checkPostgres(databaseUrl);
    },
    pingRedis: async () => pingRedis((await load()).credentials.redisUrl ?? ''),
    probeSandbox: async () => probeSandbox(await load()),
    tryMcpServers: async () => tryMcpServers(await load()),
    describeModel: async () => describeModel(await load()),
  };
}

async function checkEmbedded(file: string): Promise<StoreState> {
  if (!existsSync(file))
    return { state: 'absent', summary: 'no database yet: the first start creates it' };
  const { openDatabase } = await import('./storage/sqlite/open-database.ts');
  const { assertNotNewer, loadMigrations } = await import('./storage/sqlite/migrate.ts');
  const migrations = loadMigrations();
  assertNotNewer(file, migrations);
  const db = openDatabase({ file, readOnly: true });
  try {
    const problem = db.prepare('PRAGMA quick_check(1)').get()?.['quick_check'];
    if (problem !== 'ok') {
      throw new RuntimeError(
        'storage_unavailable',
        `the database ${file} is damaged: ${String(problem)}`,
        {
          details: { fix: 'stop the server and restore a backup' },
        },
      );
    }
    const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
    if (version === migrations.length) {
      return { state: 'ready', summary: `SQLite at ${file}, version ${version}, intact` };
    }
    return {
      state: 'old',
      summary: `SQLite at ${file} has version ${version} of ${migrations.length}`,
    };
  } finally {
    db.close();
  }
}

async function checkPostgres(url: string): Promise<StoreState> {
  const { openDatabase } = await import('./storage/postgres/database.ts');
  const database = await openDatabase({ url, logger: silentLogger });
  try {
    const text = `select to_regclass('schema_migrations') is not null as "isThere"`;
    const [row] = await database.read<{ isThere: boolean }>({ name: 'doctor', text, values: [] });
    return row?.isThere === true
      ? { state: 'ready', summary: 'PostgreSQL answers' }
      : {
          state: 'absent',
          summary: 'PostgreSQL answers and is empty yet: the first start fills it',
        };
  } finally {
    await database.close();
  }
}

async function pingRedis(url: string): Promise<void> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: REDIS_TIMEOUT_MS,
    commandTimeout: REDIS_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // Reported by the call below; without a listener it would be printed as well.
  redis.on('error', () => {});
  try {
    await redis.connect();
    await redis.ping();
  } catch (cause) {
    throw new RuntimeError('storage_unavailable', 'the server at REDIS_URL does not answer', {
      cause,
      details: { fix: 'start it, or unset REDIS_URL to do without' },
    });
  } finally {
    redis.disconnect();
  }
}

/** Around the workspace, or around an empty folder while there is none. */
async function probeSandbox(loaded: LoadedConfig): Promise<SandboxProbe> {
  const { openSandbox } = await import('./assemble-toolbox.ts');
  if (existsSync(loaded.workspaceDir)) return probe(await openSandbox(loaded));
  const workspaceDir = await realpath(await mkdtemp(join(tmpdir(), 'pincer-doctor-')));
  try {
    return await probe(await openSandbox({ ...loaded, workspaceDir }));
  } finally {
    await rm(workspaceDir, { recursive: true, force: true });
  }
}

async function probe(sandbox: Sandbox | undefined): Promise<SandboxProbe> {
  return (await sandbox?.probe()) ?? { available: false, reason: 'none is configured' };
}

async function tryMcpServers(loaded: LoadedConfig): Promise<readonly McpServerShape[]> {
  const { openMcpClients } = await import('./mcp/open-mcp-clients.ts');
  const { encodeServers } = await import('./surfaces/admin/codec.ts');
  const { createToolRegistry } = await import('./core/tools/registry.ts');
  const secrets = await openSecrets(loaded, silentLogger);
  const clients = openMcpClients(loaded.mcpServers, {
    clock: systemClock,
    logger: silentLogger,
    registry: createToolRegistry([]),
    pins: { find: async () => undefined, list: async () => [], put: async () => {} },
    version: VERSION,
    environment: readProcessEnvironment(),
    random: Math.random,
    resolveValue: (value) => fillSecretReferences(value, (name) => secrets.find(name)),
  });
  try {
    await untilTried(clients, systemClock);
    return encodeServers(clients.status()).servers;
  } finally {
    await clients.close();
  }
}

async function describeModel(loaded: LoadedConfig): Promise<ModelChoice> {
  const secrets = await openSecrets(loaded, silentLogger);
  const keys = createKeyFinder({ given: () => toGivenKeys(loaded), secrets });
  const config = { ...toModelsConfig(loaded), keys };
  const { provider, name } = await createModels(config).describe(undefined);
  const reference = `${provider}/${name}`;
  if (provider === 'offline') return { reference, isOffline: true };
  // Throws with the name of the variable when a key is missing.
  if (provider !== 'scripted') await resolveEndpoint(provider, config);
  return { reference, isOffline: false };
}
