// Starts a server that can't start, for each reason there is, and says what is left of it. Ends by itself if nothing is.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import * as z from 'zod';
import { type StatePaths, toStatePaths } from '../../src/config/state-root/state-paths.ts';
import { prepareStateRoot } from '../../src/config/state-root/state-root.ts';
import { systemClock } from '../../src/core/clock.ts';
import { toRuntimeError } from '../../src/core/errors.ts';
import { silentLogger } from '../../src/core/log.ts';
import { defineTool } from '../../src/core/tools/tool.ts';
import { findPackageRoot } from '../../src/platform/package-root.ts';
import { openServer, type ServerOptions } from '../../src/server.ts';
import { connect } from '../../src/storage/sqlite/driver.ts';
import { openServerLock } from '../../src/storage/sqlite/server-lock.ts';

interface Fault {
  readonly options?: Partial<ServerOptions>;
  mend(): unknown;
}

/** In the order in which a start meets them. */
const FAULTS: Record<string, (paths: StatePaths) => Fault | Promise<Fault>> = {
  'the configuration is no JSON': (paths) => putFile(paths.configFile, '{'),
  'another server has the state root'({ serverLockFile }) {
    const lock = openServerLock(serverLockFile);
    return { mend: () => lock.close() };
  },
  'the database is none': (paths) => putFile(paths.databaseFile, 'no database'.repeat(1_000)),
  'the secrets are damaged': (paths) =>
    putFile(join(paths.stateDir, 'secrets.enc'), 'no secrets at all'),
  'the lock of the records is a folder': (paths) => putFolder(paths.recordsLockFile),
  'two tools have one name': () => ({ options: { tools: [TWIN, TWIN] }, mend() {} }),
  'the shadow report is a folder': (paths) => putFolder(join(paths.stateDir, 'shadow-report.json')),
  // By then runs are executed, recorded and scheduled.
  async 'a worker of a crashed server is damaged'({ root, databaseFile }) {
    await (await start(root)).close();
    const change = (sql: string) => {
      const db = connect(databaseFile, { readOnly: false });
      db.exec(sql);
      db.close();
    };
    change(`
      INSERT INTO workers (id, owner, adapter, metadata, status, latest_seq, request_count, epoch, host,
        host_expires_at_ms, created_at_ms, updated_at_ms)
      VALUES ('worker_1', '"user_1"', 'process', 'no JSON', 'running', 0, 0, 1, 'gone', 1, 1, 1)`);
    return { mend: () => change('DELETE FROM workers') };
  },
  async 'the port is taken'() {
    const other = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => other.once('listening', resolve));
    const { port } = other.address() as { port: number };
    const flags = { port: String(port), logLevel: 'silent' };
    return { options: { flags }, mend: () => new Promise((resolve) => other.close(resolve)) };
  },
  'the address can not be published': (paths) => putFolder(paths.serverFile),
};

const TWIN = defineTool({
  name: 'test.twin',
  description: 'One of two.',
  input: z.object({}),
  effect: 'read',
  idempotent: true,
  execute: async () => ({}),
});

async function putFile(path: string, content: string): Promise<Fault> {
  await writeFile(path, content);
  return { mend: () => rm(path) };
}

async function putFolder(path: string): Promise<Fault> {
  await mkdir(join(path, 'in the way'), { recursive: true });
  return { mend: () => rm(path, { recursive: true }) };
}

const TOOL_SERVER = join(findPackageRoot(), 'src/mcp/test-stdio-server.mjs');

/** As much as a server can have open: a program of an external server, a sink, the scheduler. */
const CONFIG = {
  version: 1,
  mcpServers: { good: { command: process.execPath, args: [TOOL_SERVER, 'good'] } },
  projection: { sink: 'file' },
};

function start(root: string, options: Partial<ServerOptions> = {}) {
  const flags = { port: '0', logLevel: 'silent' };
  return openServer({ root, env: {}, flags, logger: silentLogger, ...options });
}

const PATIENCE_MS = 20_000;

/** What keeps the process alive beside what did so before; looked for as long as it takes to go. */
async function listLeft(before: readonly string[]): Promise<readonly string[]> {
  const untilMs = systemClock.nowMs() + PATIENCE_MS;
  for (;;) {
    const left = [...process.getActiveResourcesInfo()];
    for (const resource of before) {
      const place = left.indexOf(resource);
      if (place >= 0) left.splice(place, 1);
    }
    if (left.length === 0 || systemClock.nowMs() > untilMs) return left;
    await systemClock.sleep(20);
  }
}

const [folder = ''] = process.argv.slice(2);
for (const [name, cause] of Object.entries(FAULTS)) {
  const root = join(folder, name.replaceAll(' ', '-'));
  const paths = toStatePaths(root);
  await prepareStateRoot({ root, env: {} });
  await writeFile(paths.configFile, JSON.stringify(CONFIG));
  const { options, mend } = await cause(paths);
  const before = process.getActiveResourcesInfo();
  const code = await start(root, options).then(
    () => 'none',
    (error: unknown) => toRuntimeError(error).code,
  );
  const left = await listLeft(before);
  await mend();
  if (name === 'the configuration is no JSON') await writeFile(paths.configFile, '{}');
  const server = await start(root);
  await server.close();
  process.stdout.write(`${JSON.stringify({ name, code, left })}\n`);
}
