import { once } from 'node:events';
import { chmod, mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBwrapSandbox } from '../../../src/sandbox/create-bwrap-sandbox.ts';
import { findRedis } from '../../support/redis.ts';
import { type ClawRoot, common, normalize, openClawRoot } from './claw.ts';

const MCP_SERVER = join(import.meta.dirname, '../../../src/mcp/test-stdio-server.mjs');
const redis = await findRedis();

let root: ClawRoot;

beforeEach(async () => {
  root = await openClawRoot();
});

afterEach(() => root.dispose());

interface Check {
  readonly name: string;
  readonly status: string;
  readonly summary: string;
  readonly fix?: string;
}

async function examine(env: Readonly<Record<string, string>> = {}) {
  const ended = await root.inline(['doctor', '--output-format', 'json'], {
    env: { CLAW_PORT: '0', ...env },
  });
  const document = normalize(ended.stdout, root.path);
  const checks = document['checks'] as Check[];
  const statuses = Object.fromEntries(checks.map(({ name, status }) => [name, status]));
  const find = (name: string) => checks.find((check) => check.name === name);
  expect(ended.stderr).toBe('');
  expect(ended.code).toBe(document['exit_code']);
  // Nobody is told that something is wrong without being told what to do about it.
  expect(checks.filter(({ status, fix }) => (status === 'ok') !== (fix === undefined))).toEqual([]);
  return { document, statuses, find };
}

const HEALTHY = {
  node: 'ok',
  state_root: 'ok',
  disk: 'ok',
  config: 'ok',
  workspace: 'ok',
  permissions: 'ok',
  token: 'ok',
  server: 'ok',
  port: 'ok',
  database: 'ok',
  records: 'ok',
  clock: 'ok',
  secrets: 'ok',
  keys: 'ok',
  model: 'warn',
};

/** Its records are then not compared with the audit files. */
const { records: _, ...OTHERS } = HEALTHY;
const WITHOUT_DATABASE = { ...OTHERS, database: 'fail' };

/** As in the configuration of a server that somebody else has the port of. */
async function takePort(): Promise<{ readonly port: number; free(): void }> {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = taken.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { port, free: () => taken.close() };
}

test('an empty directory is fine, and stays empty', async () => {
  const { document, statuses, find } = await examine();

  expect(statuses).toEqual(HEALTHY);
  expect(document).toEqual({
    ...common('doctor', 0),
    root: '<root>',
    has_failures: false,
    summary: { total: 15, ok: 14, warnings: 1, failures: 0 },
    checks: expect.any(Array),
  });
  expect(find('model')).toEqual({
    name: 'model',
    status: 'warn',
    summary: 'offline/rules: no real model is configured',
    fix: expect.stringContaining('CLAW_MODEL'),
  });
  expect(await readdir(root.path)).toEqual([]);
});

test('a used root with its server is fine', async () => {
  const server = await root.serveInline();

  const { statuses, find } = await examine();
  const { stdout } = await root.claw(['doctor']);

  expect(statuses).toEqual(HEALTHY);
  expect(find('server')?.summary).toBe(`a server answers at ${server.url}`);
  expect(find('database')?.summary).toMatch(
    /^SQLite at <root>\/\.openclawssy\/pincer\.db, version \d+, \d+\.\d MiB, intact$/,
  );
  expect(find('port')?.summary).toBe(`our server has ${new URL(server.url).host}`);
  expect(stdout).toMatch(/^ok {4}node {9}Node /);
  expect(stdout).toMatch(/\n\n15 checks: 14 ok, 1 warning, 0 failures\n$/);
});

test('each failure names its fix, and makes the exit code 1', async () => {
  const { port, free } = await takePort();
  await root.inline(['init']);
  await writeFile(join(root.path, '.openclawssy/pincer.db'), 'this is no database, '.repeat(200), {
    mode: 0o600,
  });

  const { document, statuses, find } = await examine({
    CLAW_PORT: String(port),
    CLAW_MODEL: 'openai/gpt-5-mini',
  });
  free();

  expect(statuses).toEqual({ ...WITHOUT_DATABASE, port: 'fail', model: 'fail' });
  expect(find('port')?.summary).toBe(`127.0.0.1:${port} can't be listened on (EADDRINUSE)`);
  expect(find('database')).toEqual({
    name: 'database',
    status: 'fail',
    summary: 'storage is unavailable: the file is not a SQLite database',
    fix: expect.stringContaining('restore a backup'),
  });
  expect(find('model')).toEqual({
    name: 'model',
    status: 'fail',
    summary: 'openai needs a key',
    fix: 'set OPENAI_API_KEY, or store it with claw secrets set provider/openai/api_key',
  });
  expect(document).toMatchObject({
    exit_code: 1,
    has_failures: true,
    error: {
      kind: 'runtime',
      operation: 'doctor',
      target: '<root>',
      retryable: false,
      message: '3 of 14 checks failed: port, database, model',
      hint: find('port')?.fix,
    },
  });
});

test('files that others may read are a warning with the commands that close them', async () => {
  await root.inline(['init']);
  await root.inline(['secrets', 'set', 'a/b'], { input: 'a value' });
  const state = join(root.path, '.openclawssy');
  for (const name of ['token', 'master.key']) await chmod(join(state, name), 0o640);
  await chmod(state, 0o755);

  const { document, statuses, find } = await examine();

  expect(statuses).toEqual({ ...HEALTHY, permissions: 'warn' });
  expect(document['exit_code']).toBe(0);
  expect(find('permissions')).toEqual({
    name: 'permissions',
    status: 'warn',
    summary:
      'others may use <root>/.openclawssy (mode 755), <root>/.openclawssy/token (mode 640), <root>/.openclawssy/master.key (mode 640)',
    fix: 'chmod 700 <root>/.openclawssy; chmod 600 <root>/.openclawssy/token; chmod 600 <root>/.openclawssy/master.key',
  });
  expect(find('secrets')?.summary).toBe(
    '1 secret, readable with the master key in <root>/.openclawssy/master.key',
  );
});

test('a token that everybody knows is a warning, and a failure beyond this machine', async () => {
  const weak = { API_BEARER_TOKEN: 'dev-token' };

  const alone = await examine(weak);
  const exposed = await examine({ ...weak, CLAW_HOST: '0.0.0.0' });
  const strong = await examine({ API_BEARER_TOKEN: 'k3J9-vQ2x7Lm0pTz', CLAW_HOST: '0.0.0.0' });

  expect(alone.statuses).toEqual({ ...HEALTHY, token: 'warn' });
  expect(alone.find('token')?.summary).toBe(
    'the bearer token in API_BEARER_TOKEN is one that everybody knows',
  );
  expect(exposed.statuses).toEqual({ ...HEALTHY, token: 'fail', port: 'warn' });
  expect(strong.statuses).toEqual({ ...HEALTHY, port: 'warn' });
  expect(strong.find('port')?.fix).toContain('TLS');
});

test('a server with another token, and the port of another state root, are told', async () => {
  const server = await root.serveInline();
  const elsewhere = await openClawRoot();

  const refused = await examine({ API_BEARER_TOKEN: 'k3J9-vQ2x7Lm0pTz' });
  const { stdout } = await elsewhere.inline(['doctor', '--output-format', 'json'], {
    env: { CLAW_PORT: new URL(server.url).port },
  });
  await elsewhere.dispose();

  expect(refused.statuses).toEqual({ ...HEALTHY, server: 'fail' });
  expect(refused.find('server')?.summary).toBe(
    `the server at ${server.url} was started with another token than ours`,
  );
  const port = (JSON.parse(stdout) as { checks: Check[] }).checks.find(
    ({ name }) => name === 'port',
  );
  expect(port?.summary).toBe(
    `${new URL(server.url).host} belongs to the server of another state root`,
  );
});

test('secrets that can not be read are one failure; what needs them is left out', async () => {
  await root.inline(['secrets', 'set', 'provider/openai/api_key'], { input: 'sk-stored-0001' });
  const readable = await examine();
  await rm(join(root.path, '.openclawssy/master.key'));

  const { statuses, find, document } = await examine();

  expect(readable.find('keys')?.summary).toBe('openai: secret provider/openai/api_key');
  const { keys: _keys, model: _model, ...rest } = HEALTHY;
  expect(statuses).toEqual({ ...rest, secrets: 'fail' });
  expect(find('secrets')?.fix).toContain('restore <root>/.openclawssy/master.key');
  expect(JSON.stringify(document)).not.toContain('sk-stored');
});

test('a key in the configuration file is a warning that says where it should be', async () => {
  await configure({ providers: { openai: { api_key: 'sk-in-the-file-0001' } } });

  const { statuses, find, document } = await examine();

  expect(statuses).toEqual({ ...HEALTHY, keys: 'warn' });
  expect(find('keys')?.fix).toBe(
    'claw secrets set provider/openai/api_key and claw config unset providers.openai.api_key',
  );
  expect(JSON.stringify(document)).not.toContain('sk-in-the-file');
});

test('a file in the place of a folder is named, and so is a clock that was set back', async () => {
  await root.inline(['init']);
  await rm(join(root.path, 'workspace'), { recursive: true });
  await writeFile(join(root.path, 'workspace'), '');
  const inAnHour = new Date(Date.now() + 3_600_000);
  await utimes(join(root.path, '.openclawssy/token'), inAnHour, inAnHour);

  const { statuses, find } = await examine();

  expect(statuses).toEqual({ ...HEALTHY, workspace: 'fail', clock: 'warn' });
  expect(find('workspace')).toMatchObject({
    summary: '<root>/workspace is a file where a folder should be',
    fix: 'move <root>/workspace away',
  });
  expect(find('clock')?.summary).toMatch(/: it is \d+ .* behind what was written here last$/);
});

test('models that can not answer are failures, also those without a key', async () => {
  const absent = await examine({ CLAW_MODEL: 'offline/nothing' });
  const forbidden = await examine({ CLAW_MODEL: 'scripted/steps.json' });

  expect(absent.statuses).toEqual({ ...HEALTHY, model: 'fail' });
  expect(forbidden.find('model')).toEqual({
    name: 'model',
    status: 'fail',
    summary: 'scripted models are for tests',
    fix: 'set CLAW_MODEL to a real one',
  });
});

test('a config that can not be read is a finding; what depends on it is left out', async () => {
  await mkdir(join(root.path, '.openclawssy'));
  await writeFile(join(root.path, '.openclawssy/config.json'), '{ "server": ');

  const { statuses, find } = await examine();

  expect(statuses).toEqual({ node: 'ok', state_root: 'ok', disk: 'ok', config: 'fail' });
  expect(find('config')?.summary).toContain('<root>/.openclawssy/config.json');
});

test('an unreachable PostgreSQL and Redis are failures', async () => {
  const { statuses, find } = await examine({
    DATABASE_URL: 'postgres://nobody:secret-word@127.0.0.1:1/none',
    REDIS_URL: 'redis://127.0.0.1:1',
  });

  // The secrets are in that database, and what they are needed for is not asked.
  const { keys: _keys, model: _model, ...asked } = WITHOUT_DATABASE;
  expect(statuses).toEqual({ ...asked, secrets: 'fail', redis: 'fail' });
  expect(find('database')?.summary).not.toContain('secret-word');
  expect(find('redis')?.summary).toBe('the server at REDIS_URL does not answer');
});

test.skipIf(!redis.available)(
  `a Redis that answers is fine${redis.available ? '' : ` (skipped: ${redis.reason})`}`,
  async () => {
    const { statuses, find } = await examine({ REDIS_URL: redis.available ? redis.url : '' });

    expect(statuses).toEqual({ ...HEALTHY, redis: 'ok' });
    expect(find('redis')?.summary).toBe('REDIS_URL answers');
  },
);

test('the sandbox that is configured is really run, also before there is a workspace', async () => {
  await configure({ sandbox: { active: true, provider: 'bwrap' } });
  const probe = await createBwrapSandbox({ workspace: root.path }).probe();

  const { statuses, find } = await examine();

  const expected = !probe.available ? 'fail' : probe.weaknesses.length > 0 ? 'warn' : 'ok';
  expect(statuses).toEqual({ ...HEALTHY, sandbox: expected });
  expect(find('sandbox')?.fix === undefined).toBe(expected === 'ok');
  expect(await readdir(root.path)).toEqual(['.openclawssy']);
  expect(await readdir(join(root.path, '.openclawssy'))).toEqual(['config.json']);
});

test('each external tool server is a finding; a broken one is a warning with its reason', async () => {
  const run = (mode: string, rest: object = {}) => ({
    command: process.execPath,
    args: [MCP_SERVER, mode],
    ...rest,
  });
  await configure({
    mcpServers: {
      broken: run('broken'),
      good: run('good'),
      off: run('good', { disabled: true }),
      shy: run('good', { approve_new_tools: false }),
      wrong: { comand: 'x' },
    },
  });

  const alone = await examine();
  const made = await readdir(join(root.path, '.openclawssy'));
  const server = await root.serveInline();
  const beside = await examineOnceConnected();
  await server.close();

  const statuses = {
    ...HEALTHY,
    'mcp:broken': 'warn',
    'mcp:good': 'ok',
    'mcp:off': 'ok',
    'mcp:shy': 'ok',
    'mcp:wrong': 'warn',
  };
  expect(alone.statuses).toEqual(statuses);
  expect(alone.document['exit_code']).toBe(0);
  expect(alone.find('mcp:broken')?.summary).toMatch(
    /^not connected: initialize_handshake: .* \(it said: cannot find module weather\)$/,
  );
  expect(alone.find('mcp:good')?.summary).toBe('ready with 16 tools');
  expect(made).toEqual(['config.json']);
  expect(beside.statuses).toEqual({ ...statuses, 'mcp:shy': 'warn' });
  expect(beside.find('mcp:shy')?.summary).toBe('ready with 16 tools, 16 of them not approved');
});

/** A running server connects in the background. */
async function examineOnceConnected() {
  const deadline = Date.now() + 15_000;
  while (Date.now() < deadline) {
    const found = await examine();
    if (['mcp:good', 'mcp:shy'].every((name) => found.find(name)?.summary.startsWith('ready')))
      return found;
  }
  throw new Error('the servers did not connect');
}

async function configure(config: object): Promise<void> {
  await mkdir(join(root.path, '.openclawssy'), { mode: 0o700 });
  await writeFile(join(root.path, '.openclawssy/config.json'), JSON.stringify(config), {
    mode: 0o600,
  });
}
