import { existsSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toGivenKeys, toModelsConfig } from './assembly/assemble-models.ts';
import { listOwnFiles } from './backup/own-files.ts';
import { type Environment, readProcessEnvironment } from './config/environment.ts';
import { type LoadedConfig, loadConfig } from './config/load-config.ts';
import { toStatePaths } from './config/state-root/state-paths.ts';
import { assertServersStorage } from './config/state-root/storage-mark.ts';
import { systemClock } from './core/clock.ts';
import { silentLogger } from './core/log.ts';
import { findRecentLosses } from './core/records/losses.ts';
import type { Sandbox, SandboxProbe } from './core/sandbox/sandbox.ts';
import type { SecretPlace } from './core/secrets/secret-place.ts';
import { fillSecretReferences, toProviderSecret } from './core/secrets/secret-references.ts';
import { findTokenWeakness } from './core/security/token-weakness.ts';
import type { Storage } from './core/storage.ts';
import { checkEmbedded, checkPostgres, pingRedis } from './diagnose-store.ts';
import { type OwnSecrets, openSealed, openSecrets } from './open-secrets.ts';
import type { McpServer } from './operations/mcp/mcp-servers.ts';
import { resolveEndpoint } from './providers/endpoint.ts';
import type { KeyedProvider } from './providers/models-config.ts';
import { createModels } from './providers/open-models.ts';
import { createKeyFinder, findProviderKey, KEY_VARIABLES } from './providers/provider-key.ts';
import { readSecurityFacts } from './read-security-facts.ts';
import { createAuditReader } from './storage/files/create-audit-reader.ts';
import { openSqliteStorage } from './storage/sqlite/open-sqlite-storage.ts';
import type {
  Diagnosis,
  ModelChoice,
  ProviderKeyPlace,
  SecretsState,
} from './surfaces/cli/commands/doctor/diagnosis.ts';
import { untilTried } from './surfaces/cli/until-tried.ts';
import { VERSION } from './version.ts';

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
      const loaded = await load();
      const { config, credentials, mcpServers, workspaceDir } = loaded;
      const { active, provider } = config.sandbox;
      const { bearerToken } = credentials;
      return {
        host: config.server.bind_address,
        port: config.server.port,
        workspaceDir,
        hasRedis: credentials.redisUrl !== undefined,
        sandbox: active && provider !== 'none' ? provider : undefined,
        hasMcpServers: Object.keys(mcpServers).length > 0,
        tokenFrom: credentials.bearerTokenFrom,
        tokenWeakness: bearerToken === undefined ? undefined : findTokenWeakness(bearerToken),
        files: listOwnFiles(loaded),
      };
    },
    checkStore: async () => {
      await assertServersStorage(root, env.DATABASE_URL);
      const { databaseUrl } = (await load()).credentials;
      return databaseUrl === undefined
        ? checkEmbedded(paths.databaseFile)
        : checkPostgres(databaseUrl);
    },
    countLosses: async (state) => countLosses(await load(), state),
    pingRedis: async () => pingRedis((await load()).credentials.redisUrl ?? ''),
    checkSecrets: async () => checkSecrets(await load()),
    listProviderKeys: async () => listProviderKeys(await load()),
    probeSandbox: async () => probeSandbox(await load()),
    async readSecurityFacts() {
      const loaded = await load();
      return readSecurityFacts({
        loaded,
        secrets: { find: (name) => withSecrets(loaded, (secrets) => secrets.find(name)) },
        probeSandbox: () => probeSandbox(loaded),
        hasStoredBudget: () => hasStoredBudget(loaded),
      });
    },
    async tryMcpServers() {
      const loaded = await load();
      return withSecrets(loaded, (secrets) => tryMcpServers(loaded, secrets));
    },
    async describeModel() {
      const loaded = await load();
      return withSecrets(loaded, (secrets) => describeModel(loaded, secrets));
    },
  };
}

async function countLosses(loaded: LoadedConfig, state: 'ready' | 'absent'): Promise<number> {
  const files = createAuditReader({ root: loaded.paths.root });
  const unknown = { findHead: async () => undefined };
  if (state === 'absent') return (await findRecentLosses({ records: unknown, files })).length;
  return withStore(loaded, async ({ records }) => {
    return (await findRecentLosses({ records, files })).length;
  });
}

/** Only to look: nothing is migrated. */
async function withStore<T>(
  { paths, credentials }: LoadedConfig,
  work: (storage: Storage) => Promise<T>,
): Promise<T> {
  const { databaseUrl: url } = credentials;
  const logger = silentLogger;
  const storage =
    url === undefined
      ? await openSqliteStorage({
          file: paths.databaseFile,
          writer: 'inline',
          readOnly: true,
          logger,
        })
      : await (await import('./storage/postgres/open-postgres-storage.ts')).openPostgresStorage({
          url,
          logger,
        });
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
}

/** A database that no server has filled yet holds no budgets. */
async function hasStoredBudget(loaded: LoadedConfig): Promise<boolean> {
  const { paths, credentials } = loaded;
  const isThere = credentials.databaseUrl !== undefined || existsSync(paths.databaseFile);
  if (!isThere) return false;
  return withStore(loaded, async ({ costs }) => (await costs.listBudgets()).length > 0);
}

function checkSecrets(loaded: LoadedConfig): Promise<SecretsState> {
  return withSecrets(loaded, async (secrets) => {
    const count = (await secrets.list()).length;
    const { masterKey } = loaded.secretFiles;
    if (secrets.masterKeyFrom === 'environment')
      return { count, keyPlace: 'OPENCLAWSSY_MASTER_KEY' };
    return { count, keyPlace: existsSync(masterKey) ? masterKey : undefined };
  });
}

/** Of a database that no server has filled yet. */
const NO_SECRETS_YET: SecretPlace = {
  name: 'the shared database',
  isShared: true,
  readMark: async () => '',
  read: async () => ({ mark: '', text: undefined }),
  replace: async () => undefined,
};

type ReadSecrets = Omit<OwnSecrets, 'close'>;

/** Only to look: a shared database is not migrated, and no file is taken over. */
async function withSecrets<T>(
  loaded: LoadedConfig,
  work: (secrets: ReadSecrets) => Promise<T>,
): Promise<T> {
  const { databaseUrl } = loaded.credentials;
  if (databaseUrl === undefined) return work(await openSecrets(loaded, silentLogger));
  const { openDatabase } = await import('./storage/postgres/database.ts');
  const { createSecretPlace } = await import('./storage/postgres/secret-place.ts');
  const database = await openDatabase({ url: databaseUrl, logger: silentLogger });
  try {
    const [there] = await database.read<{ isThere: boolean }>({
      name: 'doctor_secrets',
      text: `select to_regclass('secret_document') is not null as "isThere"`,
      values: [],
    });
    const place = there?.isThere ? createSecretPlace({ database }) : NO_SECRETS_YET;
    return await work(await openSealed(loaded, silentLogger, place));
  } finally {
    await database.close();
  }
}

function listProviderKeys(loaded: LoadedConfig): Promise<ProviderKeyPlace[]> {
  return withSecrets(loaded, (secrets) => findProviderKeys(loaded, secrets));
}

async function findProviderKeys(
  loaded: LoadedConfig,
  secrets: ReadSecrets,
): Promise<ProviderKeyPlace[]> {
  const keys = createKeyFinder({ given: () => toGivenKeys(loaded), secrets });
  const found: ProviderKeyPlace[] = [];
  for (const provider of Object.keys(KEY_VARIABLES) as KeyedProvider[]) {
    const key = await findProviderKey(provider, { keys });
    if (key === undefined) continue;
    const { place } = key;
    const betterPlace = place.startsWith('providers.') ? toProviderSecret(provider) : undefined;
    found.push({ provider, place, betterPlace });
  }
  return found;
}

/** Around the workspace, or around an empty folder while there is none. */
async function probeSandbox(loaded: LoadedConfig): Promise<SandboxProbe> {
  const { openSandbox } = await import('./assembly/assemble-toolbox.ts');
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

async function tryMcpServers(
  loaded: LoadedConfig,
  secrets: ReadSecrets,
): Promise<readonly McpServer[]> {
  const { openMcpClients } = await import('./mcp/open-mcp-clients.ts');
  const { createToolRegistry } = await import('./core/tools/registry.ts');
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
    return clients.status();
  } finally {
    await clients.close();
  }
}

async function describeModel(loaded: LoadedConfig, secrets: ReadSecrets): Promise<ModelChoice> {
  const keys = createKeyFinder({ given: () => toGivenKeys(loaded), secrets });
  const config = { ...toModelsConfig(loaded), keys };
  const models = createModels(config);
  const { provider, name } = await models.describe(undefined);
  // Both throw what a run would fail with: a model that is not there, a key that is missing.
  if (provider === 'offline' || provider === 'scripted') await models.get(undefined);
  else await resolveEndpoint(provider, config);
  return { reference: `${provider}/${name}`, isOffline: provider === 'offline' };
}
