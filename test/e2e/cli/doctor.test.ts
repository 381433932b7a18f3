import { once } from 'node:events';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ClawRoot, common, normalize, openClawRoot } from './claw.ts';

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
