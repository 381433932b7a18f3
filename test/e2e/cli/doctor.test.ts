import { once } from 'node:events';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
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
  const ended = await root.claw(['doctor', '--output-format', 'json'], {
    env: { CLAW_PORT: '0', ...env },
  });
  const document = normalize(ended.stdout, root.path);
  const checks = document['checks'] as Check[];
  const statuses = Object.fromEntries(checks.map(({ name, status }) => [name, status]));
  const find = (name: string) => checks.find((check) => check.name === name);
  expect(ended.stderr).toBe('');
  expect(ended.code).toBe(document['exit_code']);
  return { document, statuses, find };
}

const HEALTHY = {
  node: 'ok',
  state_root: 'ok',
  disk: 'ok',
  config: 'ok',
  token: 'ok',
  server: 'ok',
  port: 'ok',
  database: 'ok',
  model: 'warn',
};

test('an empty directory is fine, and stays empty', async () => {
  const { document, statuses, find } = await examine();

  expect(statuses).toEqual(HEALTHY);
  expect(document).toEqual({
    ...common('doctor', 0),
    root: '<root>',
    has_failures: false,
    summary: { total: 9, ok: 8, warnings: 1, failures: 0 },
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
  const server = await root.serve();

  const { statuses, find } = await examine();
  const { stdout } = await root.claw(['doctor']);

  expect(statuses).toEqual(HEALTHY);
  expect(find('server')?.summary).toBe(`a server answers at ${server.url}`);
  expect(find('database')?.summary).toMatch(
    /^SQLite at <root>\/\.openclawssy\/pincer\.db, version \d+, intact$/,
  );
  expect(stdout).toMatch(/^ok {4}node {8}Node /);
});

test('each failure names its fix, and makes the exit code 1', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const address = taken.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  await root.claw(['init']);
  await chmod(join(root.path, '.openclawssy/token'), 0o644);
  await writeFile(join(root.path, '.openclawssy/pincer.db'), 'this is no database, '.repeat(200));

  const { document, statuses, find } = await examine({
    CLAW_PORT: String(port),
    CLAW_MODEL: 'openai/gpt-5-mini',
  });
  taken.close();

  expect(statuses).toEqual({
    ...HEALTHY,
    token: 'warn',
    port: 'fail',
    database: 'fail',
    model: 'fail',
  });
  expect(find('token')?.fix).toBe('chmod 600 <root>/.openclawssy/token');
  expect(find('port')?.summary).toBe(`127.0.0.1:${port} can't be listened on (EADDRINUSE)`);
  expect(find('database')?.summary).toBe(
    'storage is unavailable: the file is not a SQLite database',
  );
  expect(find('model')?.summary).toContain('OPENAI_API_KEY');
  expect(document).toMatchObject({
    exit_code: 1,
    has_failures: true,
    error: {
      kind: 'runtime',
      operation: 'doctor',
      target: '<root>',
      retryable: false,
      message: '3 of 9 checks failed: port, database, model',
    },
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

  expect(statuses).toEqual({ ...HEALTHY, database: 'fail', redis: 'fail' });
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
  const server = await root.serve();
  const beside = await examineOnceConnected();
  server.child.kill('SIGTERM');
  await server.ended;

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
  expect(alone.find('mcp:good')?.summary).toBe('ready with 12 tools');
  expect(made).toEqual(['config.json']);
  expect(beside.statuses).toEqual({ ...statuses, 'mcp:shy': 'warn' });
  expect(beside.find('mcp:shy')?.summary).toBe('ready with 12 tools, 12 of them not approved');
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
