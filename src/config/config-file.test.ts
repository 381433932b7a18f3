import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfigFile, writeConfigFile } from './config-file.ts';
import { readEnvironment } from './environment.ts';
import { type StatePaths, toStatePaths } from './state-root/state-paths.ts';
import { prepareStateRoot } from './state-root/state-root.ts';

let root: string;
let paths: StatePaths;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pincer-config-file-'));
  paths = toStatePaths(root);
  await prepareStateRoot({ root, env: readEnvironment({}) });
});
afterEach(() => rm(root, { recursive: true, force: true }));

test('writes what it is given, without defaults, and keeps the previous version', async () => {
  const before = await readFile(paths.configFile, 'utf8');

  await writeConfigFile(root, { server: { port: 4000 } });

  expect(await readConfigFile(paths.configFile)).toEqual({ server: { port: 4000 } });
  expect(await readFile(paths.configBackupFile, 'utf8')).toBe(before);
  expect((await stat(paths.configFile)).mode & 0o777).toBe(0o600);
  expect((await stat(paths.configBackupFile)).mode & 0o777).toBe(0o600);
});

test('refuses an invalid config and leaves the file and its backup alone', async () => {
  const before = await readFile(paths.configFile, 'utf8');

  await expect(writeConfigFile(root, { server: { port: 'x' } })).rejects.toMatchObject({
    code: 'config_invalid',
    details: { file: paths.configFile, field: 'server.port' },
  });

  expect(await readFile(paths.configFile, 'utf8')).toBe(before);
  expect(await readdir(paths.stateDir)).not.toContain('config.json.bak');
});

test('a reader sees a whole config while it is being replaced', async () => {
  const long = {
    server: { allowed_hosts: Array.from({ length: 100 }, (_, n) => `host-${n}.example`) },
  };
  let writing = true;
  const writes = (async () => {
    for (let n = 0; n < 50; n += 1) await writeConfigFile(root, n % 2 ? long : { version: 1 });
    writing = false;
  })();

  let reads = 0;
  while (writing) {
    await readConfigFile(paths.configFile);
    reads += 1;
  }

  await writes;
  expect(reads).toBeGreaterThan(0);
  expect((await readdir(paths.stateDir)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});
