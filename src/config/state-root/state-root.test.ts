import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bundleScript } from '../../../test/support/bundle-script.ts';
import { readEnvironment } from '../environment.ts';
import { loadConfig } from '../load-config.ts';
import { readToken } from './secret-file.ts';
import { prepareStateRoot } from './state-root.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pincer-root-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const NO_ENV = readEnvironment({});

async function modeOf(...path: string[]): Promise<number> {
  return (await stat(join(root, ...path))).mode & 0o777;
}

test('the first start creates everything, private where it must be', async () => {
  const fresh = join(root, 'deep', 'er');

  const { created, warnings, loaded } = await prepareStateRoot({ root: fresh, env: NO_ENV });

  expect(created).toEqual(
    [
      '',
      '.openclawssy',
      '.openclawssy/config.json',
      '.openclawssy/token',
      '.openclawssy/runtime-signature.secret',
      'workspace',
    ].map((path) => join(fresh, path)),
  );
  expect(warnings).toEqual([]);
  expect(await modeOf('deep/er/.openclawssy')).toBe(0o700);
  for (const file of ['config.json', 'token', 'runtime-signature.secret']) {
    expect(await modeOf('deep/er/.openclawssy', file)).toBe(0o600);
  }
  expect(await readToken(fresh)).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(loaded.credentials.bearerToken).toBe(await readToken(fresh));
  expect(loaded.credentials.bearerTokenFrom).toBe('file');
  expect(loaded.credentials.signatureSecret).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(await readdir(join(fresh, '.openclawssy'))).toEqual([
    '.gitignore',
    'config.json',
    'config.schema.json',
    'runtime-signature.secret',
    'token',
  ]);
});

test('the first config is valid, points at its schema and changes no default but one', async () => {
  const defaults = (await loadConfig({ root, env: NO_ENV })).config;

  const { loaded } = await prepareStateRoot({ root, env: NO_ENV });

  // The contract of the reliability layer has it off by default; a new root is to have it on.
  expect(loaded.config).toEqual({
    ...defaults,
    tool_reliability: { ...defaults.tool_reliability, mode: 'all' },
  });
  expect(defaults.tool_reliability.mode).toBe('off');
  const { $schema } = JSON.parse(await readFile(loaded.paths.configFile, 'utf8'));
  const schema = JSON.parse(await readFile(join(loaded.paths.stateDir, $schema), 'utf8'));
  expect(schema.properties.server.properties.port).toEqual({
    default: 3000,
    description: 'Port to listen on; 0 picks a free one and prints it.',
    type: 'integer',
    minimum: 0,
    maximum: 65_535,
  });
});

test('a schema file of another version is replaced', async () => {
  const { loaded } = await prepareStateRoot({ root, env: NO_ENV });
  const current = await readFile(loaded.paths.configSchemaFile, 'utf8');
  await writeFile(loaded.paths.configSchemaFile, '{"$comment":"fields of old"}');

  await prepareStateRoot({ root, env: NO_ENV });

  expect(await readFile(loaded.paths.configSchemaFile, 'utf8')).toBe(current);
});

test('a second start changes nothing', async () => {
  await prepareStateRoot({ root, env: NO_ENV });
  const token = await readToken(root);
  await writeFile(join(root, '.openclawssy/config.json'), '{"server":{"port":4321}}');

  const { created, loaded } = await prepareStateRoot({ root, env: NO_ENV });

  expect(created).toEqual([]);
  expect(await readToken(root)).toBe(token);
  expect(loaded.config.server.port).toBe(4321);
});

test('secrets from the environment are not written', async () => {
  const env = readEnvironment({ API_BEARER_TOKEN: 'given', RUNTIME_SIGNATURE_SECRET: 'given-too' });

  const { loaded } = await prepareStateRoot({ root, env });

  expect(loaded.credentials).toMatchObject({ bearerToken: 'given', signatureSecret: 'given-too' });
  expect(await readdir(join(root, '.openclawssy'))).toEqual([
    '.gitignore',
    'config.json',
    'config.schema.json',
  ]);
});

test('creates the workspace that the config names', async () => {
  await prepareStateRoot({ root, env: NO_ENV });
  await writeFile(join(root, '.openclawssy/config.json'), '{"workspace":{"root":"projects/one"}}');

  const { created } = await prepareStateRoot({ root, env: NO_ENV });

  expect(created).toEqual([join(root, 'projects/one')]);
});

test('a token that others can read is reported', async () => {
  await prepareStateRoot({ root, env: NO_ENV });
  const path = join(root, '.openclawssy/token');
  await chmod(path, 0o644);

  const { warnings } = await prepareStateRoot({ root, env: NO_ENV });

  expect(warnings).toEqual([`${path} is open to other users: chmod o-rwx ${path}`]);
});

test('an emptied token file is refused with the fix', async () => {
  await prepareStateRoot({ root, env: NO_ENV });
  const path = join(root, '.openclawssy/token');
  await writeFile(path, '\n');

  await expect(prepareStateRoot({ root, env: NO_ENV })).rejects.toMatchObject({
    code: 'config_invalid',
    details: { file: path, fix: 'delete it, and the next start makes a new one' },
  });
});

test('a root below a file is a clear error that names the path', async () => {
  await writeFile(join(root, 'file'), '');
  const below = join(root, 'file', 'state');

  await expect(prepareStateRoot({ root: below, env: NO_ENV })).rejects.toMatchObject({
    code: 'storage_unavailable',
    message: `cannot create ${below}: part of the path is a file, not a folder (ENOTDIR); to fix: make the path writable for this user, or choose another state root with CLAW_ROOT`,
  });
});

test('a file in place of the state folder is a clear error that names the path', async () => {
  await writeFile(join(root, '.openclawssy'), '');

  await expect(prepareStateRoot({ root, env: NO_ENV })).rejects.toMatchObject({
    code: 'storage_unavailable',
    details: { path: join(root, '.openclawssy'), code: 'EEXIST' },
  });
});

// Another user is the only way to be refused by modes when the tests run as root.
const asNobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

test('an unwritable root is a clear error that names the path', async () => {
  const locked = join(root, 'locked');
  await mkdir(locked, { mode: 0o500 });
  await chmod(root, 0o755);

  const attempt = await runScript(
    `await prepareStateRoot({ root: ${JSON.stringify(locked)} }).catch((error) => console.log(error.code, error.message));`,
    asNobody,
  );

  expect(attempt.stdout).toMatch(
    `storage_unavailable cannot create ${locked}/.openclawssy: permission denied (EACCES); to fix: `,
  );
});

test('processes that start at once see the same token and secret', async () => {
  const script = `
    const { loaded } = await prepareStateRoot({ root: ${JSON.stringify(root)} });
    console.log(loaded.credentials.bearerToken, loaded.credentials.signatureSecret);
  `;

  const outputs = await Promise.all([1, 2, 3, 4].map(() => runScript(script, {})));

  const expected = `${await readToken(root)} `;
  expect(new Set(outputs.map((output) => output.stdout)).size).toBe(1);
  expect(outputs[0]?.stdout.startsWith(expected)).toBe(true);
  expect(
    (await readdir(join(root, '.openclawssy'))).filter((name) => name.endsWith('.tmp')),
  ).toEqual([]);
});

test('callers in one process that start at once see the same token', async () => {
  const prepared = await Promise.all(
    Array.from({ length: 20 }, () => prepareStateRoot({ root, env: NO_ENV })),
  );

  expect(new Set(prepared.map(({ loaded }) => loaded.credentials.bearerToken)).size).toBe(1);
  expect(
    prepared.flatMap(({ created }) => created).filter((path) => path.endsWith('token')),
  ).toHaveLength(1);
});

/** Made once: compiling the sources takes longer than all else that these processes do. */
let bundle: Promise<string> | undefined;

async function runScript(
  script: string,
  user: { uid?: number; gid?: number },
): Promise<{ stdout: string; stderr: string }> {
  bundle ??= bundleScript(new URL('./state-root.ts', import.meta.url));
  const module = await bundle;
  const code = `const { prepareStateRoot } = await import(${JSON.stringify(module)});\n${script}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    env: { PATH: process.env.PATH, TMPDIR: tmpdir() },
    ...user,
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const exitCode = await new Promise((resolve) => child.on('close', resolve));
  if (exitCode !== 0) throw new Error(`script failed with ${exitCode}: ${stderr}`);
  return { stdout, stderr };
}
