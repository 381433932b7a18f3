import { join } from 'node:path';
import pg from 'pg';
import {
  createEngineFolder,
  type EngineFolder,
  findFreePort,
  type GuardedProcess,
  startGuarded,
  waitUntilReady,
} from './guarded-process.ts';
import {
  findInDebianPostgres,
  findOnPath,
  findUser,
  installPackage,
  isRoot,
  runQuietly,
} from './system-packages.ts';

export interface PostgresServer {
  /** Superuser, database `postgres`. */
  readonly url: string;
  stop(): Promise<void>;
  /** Crash: SIGKILL to the postmaster. Call `start` to bring it back on the same port. */
  kill(): Promise<void>;
  /** Orderly stop that keeps the data. */
  pause(): Promise<void>;
  start(): Promise<void>;
}

/** A PostgreSQL of its own for the caller; throws with the reason when there is none to run. */
export async function startPostgresServer(overrides: Settings = {}): Promise<PostgresServer> {
  const binaries = await findBinaries();
  // The server refuses to run as root.
  const user = isRoot() ? findUser('postgres', 'nobody') : undefined;
  if (isRoot() && !user) throw new Error('PostgreSQL needs a user other than root to run as');
  const folder = createEngineFolder('pincer-postgres-', user);
  const data = join(folder.path, 'data');
  const initdb = await runQuietly(
    binaries.initdb,
    ['-D', data, '-U', 'pincer', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    user,
  );
  if (initdb.code !== 0) throw new Error(`initdb failed: ${initdb.output.trim()}`);

  const port = await findFreePort();
  const url = `postgres://pincer@127.0.0.1:${port}/postgres`;
  const binary = binaries.postgres;
  const launch = () => launchPostgres({ binary, folder, data, port, url, overrides });
  let engine = await launch();
  return {
    url,
    stop: () => engine.stop(),
    kill: () => engine.kill(),
    pause: () => engine.stop({ keep: true }),
    start: async () => {
      engine = await launch();
    },
  };
}

/** Of `postgresql.conf`. */
type Settings = Readonly<Record<string, string>>;

async function launchPostgres(options: {
  readonly binary: string;
  readonly folder: EngineFolder;
  readonly data: string;
  readonly port: number;
  readonly url: string;
  readonly overrides: Settings;
}): Promise<GuardedProcess> {
  const settings: Settings = {
    listen_addresses: '127.0.0.1',
    port: String(options.port),
    unix_socket_directories: options.folder.path,
    max_connections: '200',
    shared_buffers: '64MB',
    // Tests kill processes, never the machine: what PostgreSQL wrote stays in the page cache.
    fsync: process.env['PINCER_TEST_FSYNC'] === 'on' ? 'on' : 'off',
    full_page_writes: 'off',
    ...options.overrides,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const engine = await startGuarded([options.binary, '-D', options.data, ...flags], options.folder);
  await waitUntilReady(engine, options.folder, async () => {
    const client = new pg.Client({ connectionString: options.url });
    client.on('error', () => {});
    await client.connect();
    await client.end();
  });
  return engine;
}

async function findBinaries(): Promise<{ initdb: string; postgres: string }> {
  const found = lookUpBinaries();
  if (found) return found;
  const refusal = await installPackage('postgresql');
  if (refusal) throw new Error(refusal);
  const installed = lookUpBinaries();
  if (!installed) throw new Error('the postgresql package holds no initdb');
  return installed;
}

function lookUpBinaries(): { initdb: string; postgres: string } | undefined {
  for (const find of [findOnPath, findInDebianPostgres]) {
    const initdb = find('initdb');
    const postgres = find('postgres');
    if (initdb && postgres) return { initdb, postgres };
  }
  return undefined;
}
