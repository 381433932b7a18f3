import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ClawRoot, common, type InlineOptions, normalize, openClawRoot } from '../cli/claw.ts';

let root: ClawRoot;

beforeEach(async () => {
  root = await openClawRoot();
});

afterEach(() => root.dispose());

async function document(args: readonly string[], options: InlineOptions = {}) {
  const ended = await root.inline(['--output-format', 'json', ...args], options);
  const value = normalize(ended.stdout, root.path);
  expect(ended.stderr).toBe('');
  expect(value['exit_code']).toBe(ended.code);
  return value;
}

const stateFile = (name: string) => join(root.path, '.openclawssy', name);

test('stores, lists, deletes and rotates without a server', async () => {
  const empty = await document(['secrets', 'list']);
  const before = await readdir(root.path);
  const stored = await document(['secrets', 'set', 'github/token'], { input: 'tok-1\n' });
  const text = await root.claw(['secrets', 'set', 'b'], { input: 'two' });
  const oldKey = await readFile(stateFile('master.key'), 'utf8');
  const rotated = await document(['secrets', 'rotate']);
  const listed = await document(['secrets', 'list']);
  const shown = await root.claw(['secrets', 'list']);
  const deleted = await document(['secrets', 'delete', 'b']);
  const again = await document(['secrets', 'delete', 'b']);

  const via = 'local';
  expect(empty).toEqual({ ...common('secrets list', 0), keys_count: 0, keys: [], via });
  expect(before).toEqual([]);
  expect(stored).toEqual({
    ...common('secrets set', 0),
    name: 'github/token',
    stored: true,
    via,
  });
  expect(text).toMatchObject({ code: 0, stdout: 'secret b is stored\n', stderr: '' });
  expect(rotated).toEqual({
    ...common('secrets rotate', 0),
    rotated: 2,
    master_key_from: 'file',
    next_steps: [],
    via,
  });
  expect(await readFile(stateFile('master.key'), 'utf8')).not.toBe(oldKey);
  expect(listed).toMatchObject({ keys_count: 2, keys: ['b', 'github/token'] });
  expect(shown.stdout).toBe('b\ngithub/token\n');
  expect(deleted).toEqual({ ...common('secrets delete', 0), name: 'b', deleted: true, via });
  expect(again).toEqual({
    ...common('secrets delete', 1),
    name: 'b',
    found: false,
    error: {
      kind: 'secret_not_found',
      operation: 'find_secret',
      target: 'b',
      retryable: false,
      message: 'secret b does not exist',
      hint: 'claw secrets list shows the names there are',
    },
  });
});

test('goes through a running server, which notices a rotation beside it', async () => {
  const server = await root.serve();

  const stored = await document(['secrets', 'set', 'github/token'], { input: 'tok-1' });
  const rotated = await document(['secrets', 'rotate']);
  const listed = await document(['secrets', 'list']);
  const more = await document(['secrets', 'set', 'b'], { input: 'two' });
  const deleted = await document(['secrets', 'delete', 'github/token']);
  const again = await document(['secrets', 'delete', 'github/token']);
  server.child.kill('SIGTERM');
  await server.ended;
  const after = await document(['secrets', 'list']);

  expect(stored).toMatchObject({ exit_code: 0, via: 'server' });
  expect(rotated).toMatchObject({ rotated: 1, via: 'local' });
  expect(listed).toMatchObject({ keys: ['github/token'], via: 'server' });
  expect(more).toMatchObject({ stored: true, via: 'server' });
  expect(deleted).toMatchObject({ deleted: true, via: 'server' });
  expect(again).toMatchObject({ exit_code: 1, error: { kind: 'secret_not_found' } });
  expect(after).toMatchObject({ keys: ['b'], via: 'local' });
});

test('rotates a key from the environment to the one it is given', async () => {
  const [first, second] = [randomBytes(32).toString('base64'), randomBytes(32).toString('hex')];
  const env = { OPENCLAWSSY_MASTER_KEY: first };
  await document(['secrets', 'set', 'a'], { env, input: 'one' });

  const nothing = await document(['secrets', 'rotate'], { env });
  const rotated = await document(['secrets', 'rotate'], { env, input: `${second}\n` });
  const stale = await document(['secrets', 'list'], { env });
  const fresh = await document(['secrets', 'list'], { env: { OPENCLAWSSY_MASTER_KEY: second } });

  expect(nothing).toMatchObject({ exit_code: 1, error: { message: 'there is no new master key' } });
  expect(rotated).toMatchObject({
    exit_code: 0,
    rotated: 1,
    master_key_from: 'environment',
    next_steps: ['set OPENCLAWSSY_MASTER_KEY to the new key, and restart the server if one runs'],
  });
  expect(stale).toMatchObject({
    exit_code: 1,
    error: {
      kind: 'usage',
      target: '<root>/.openclawssy/secrets.enc',
      message:
        'the master key in OPENCLAWSSY_MASTER_KEY is not the one that <root>/.openclawssy/secrets.enc was written with',
    },
  });
  expect(fresh).toMatchObject({ keys: ['a'] });
});

test('a damaged store stops commands and the server with the way out, and stays as it is', async () => {
  await document(['secrets', 'set', 'a'], { input: 'one' });
  await writeFile(stateFile('secrets.enc'), '{"version":1,');

  const set = await document(['secrets', 'set', 'b'], { input: 'two' });
  const served = await root.claw(['serve', '--port', '0']);

  expect(set).toMatchObject({
    exit_code: 1,
    error: {
      kind: 'filesystem',
      hint: 'restore it from a backup, or move it away and store the secrets again',
    },
  });
  expect(served.code).toBe(1);
  expect(served.stderr).toContain('are damaged');
  expect(await readFile(stateFile('secrets.enc'), 'utf8')).toBe('{"version":1,');
});

test.each([
  [['secrets', 'set', '../x'], 'v', `"../x" is not a secret's name`],
  [
    ['secrets', 'set', 'a', 'value-on-the-command-line'],
    'v',
    'the value of a secret is not taken from',
  ],
  [['secrets', 'set', 'a'], '', 'there is no value of a'],
  [['secrets', 'set', 'a'], '\n', 'there is no value of a'],
  [['secrets', 'set', 'a'], 'x'.repeat(65_537), 'has more than 65536 characters'],
  [['secrets', 'delete', ''], '', `"" is not a secret's name`],
])('refuses %j', async (args, input, message) => {
  const refused = await document(args, { input });

  expect(refused).toMatchObject({
    exit_code: 1,
    error: { kind: 'parse', message: expect.stringContaining(message) },
  });
  expect(JSON.stringify(refused)).not.toContain('value-on-the-command-line');
  expect(await readdir(root.path)).toEqual([]);
});
