import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { lstat, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bundleScript } from '../../../../test/support/bundle-script.ts';
import { openTempRoot } from '../../../../test/support/temp-root.ts';
import { systemClock } from '../../../core/clock.ts';
import { silentLogger } from '../../../core/log.ts';
import { tryFileLock } from '../../sqlite/file-lock.ts';
import { openSecretFile } from './test-secret-file.ts';

const SCRIPT = await bundleScript(new URL('test-secret-process.ts', import.meta.url));

async function openDirectory(): Promise<string> {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  return root.path;
}

function open(directory: string, masterKey?: string) {
  return openSecretFile({
    file: join(directory, 'secrets.enc'),
    masterKeyFile: join(directory, 'master.key'),
    masterKey,
    tryLock: () => tryFileLock(join(directory, 'secrets.lock')),
    clock: systemClock,
    logger: silentLogger,
  });
}

/** How the process ended: a signal or an exit code. */
async function run(...args: readonly string[]): Promise<unknown> {
  const child = spawn(process.execPath, [SCRIPT, ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code, signal] = await once(child, 'exit');
  return signal ?? code;
}

const readKey = (directory: string) => readFile(join(directory, 'master.key'), 'utf8');

test('moves everything to a new key, which only this user may read', async () => {
  const directory = await openDirectory();
  const secrets = await open(directory);
  await secrets.put('a', 'one');
  await secrets.put('b', 'two');
  const [oldKey, oldText] = [await readKey(directory), await readFile(`${directory}/secrets.enc`)];

  const moved = await secrets.rotate();

  expect(moved).toBe(2);
  expect(await readKey(directory)).not.toBe(oldKey);
  expect((await stat(join(directory, 'master.key'))).mode & 0o777).toBe(0o600);
  expect(await readFile(`${directory}/secrets.enc`)).not.toEqual(oldText);
  expect((await readdir(directory)).sort()).toEqual(['master.key', 'secrets.enc', 'secrets.lock']);
  const again = await open(directory);
  expect([await again.find('a'), await again.find('b')]).toEqual(['one', 'two']);
  await expect(open(directory, oldKey)).rejects.toMatchObject({ code: 'config_invalid' });
});

test.each(['key_staged', 'values_written', 'key_promoted'])(
  'killed at %s, it leaves everything readable, writable and rotatable',
  async (step) => {
    const directory = await openDirectory();
    const witness = await open(directory);
    await witness.put('a', 'one');

    expect(await run('rotate', directory, step)).toBe('SIGKILL');

    // One that was open all the time, and one that starts now.
    expect(await witness.find('a')).toBe('one');
    const after = await open(directory);
    expect(await after.find('a')).toBe('one');
    await after.put('b', 'two');
    expect(await (await open(directory)).find('b')).toBe('two');
    expect(await after.rotate()).toBe(2);
    expect((await readdir(directory)).sort()).toEqual([
      'master.key',
      'secrets.enc',
      'secrets.lock',
    ]);
    expect([await witness.find('a'), await witness.find('b')]).toEqual(['one', 'two']);
  },
);

test('killed at any moment of many rotations, it loses nothing', async () => {
  const directory = await openDirectory();
  await (await open(directory)).put('a', 'one');

  for (const delayMs of [0, 1, 2, 3, 5, 8]) {
    const child = spawn(process.execPath, [SCRIPT, 'spin', directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    const timer = setTimeout(() => child.kill('SIGKILL'), delayMs);
    await once(child, 'exit');
    clearTimeout(timer);

    expect(await (await open(directory)).find('a')).toBe('one');
  }
});

test('a reader never sees a key and a file that do not fit', async () => {
  const directory = await openDirectory();
  const writer = await open(directory);
  await writer.put('a', 'one');
  let isOver = false;
  const seen = new Set<string | undefined>();
  const read = async () => {
    // A new one each time, so that each look reads file and key.
    while (!isOver) seen.add(await (await open(directory)).find('a'));
  };

  const reading = Promise.all([read(), read(), read()]);
  for (let round = 0; round < 25; round += 1) await writer.rotate();
  isOver = true;
  await reading;

  expect([...seen]).toEqual(['one']);
});

test('two processes that store at once lose nothing, beside one that rotates', async () => {
  const directory = await openDirectory();
  const witness = await open(directory);

  const ends = await Promise.all([
    run('put', directory, 'left', '15'),
    run('put', directory, 'right', '15'),
    (async () => {
      for (let round = 0; round < 10; round += 1) {
        await witness.put(`own/${round}`, 'own');
        await witness.rotate();
      }
      return 0;
    })(),
  ]);

  expect(ends).toEqual([0, 0, 0]);
  const names = (await witness.list()).map(({ name }) => name);
  expect(names).toHaveLength(40);
  expect(await witness.find('left/14')).toBe('left value 14');
  expect(await (await open(directory)).find('right/14')).toBe('right value 14');
});

test('a key and a store behind links are replaced where they lie, and the links stay', async () => {
  const directory = await openDirectory();
  const vault = join(directory, 'vault');
  const secrets = await open(directory);
  await secrets.put('a', 'one');
  await mkdir(vault);
  for (const name of ['master.key', 'secrets.enc']) {
    await rename(join(directory, name), join(vault, name));
    await symlink(join('vault', name), join(directory, name));
  }
  const oldKey = await readFile(join(vault, 'master.key'), 'utf8');

  await secrets.rotate();
  await secrets.put('b', 'two');

  expect((await readdir(vault)).sort()).toEqual(['master.key', 'secrets.enc']);
  expect(await readFile(join(vault, 'master.key'), 'utf8')).not.toBe(oldKey);
  for (const name of ['master.key', 'secrets.enc']) {
    expect((await lstat(join(directory, name))).isSymbolicLink()).toBe(true);
  }
  const elsewhere = await open(vault);
  expect([await elsewhere.find('a'), await elsewhere.find('b')]).toEqual(['one', 'two']);
});

test('the first key is made behind a link that leads nowhere yet', async () => {
  const directory = await openDirectory();
  const vault = join(directory, 'vault');
  await symlink(join(vault, 'master.key'), join(directory, 'master.key'));
  const secrets = await open(directory);

  await secrets.put('a', 'one');

  expect(await readdir(vault)).toEqual(['master.key']);
  await rm(join(directory, 'master.key'));
  await symlink('master.key', join(directory, 'master.key'));
  await expect(secrets.rotate()).rejects.toMatchObject({ code: 'storage_unavailable' });
});

test('with a key from the environment, the new one is given', async () => {
  const directory = await openDirectory();
  const [first, second] = [randomBytes(32).toString('base64'), randomBytes(32).toString('hex')];
  const secrets = await open(directory, first);
  await secrets.put('a', 'one');

  await expect(secrets.rotate()).rejects.toMatchObject({
    code: 'invalid_input',
    message:
      'the new master key must be given, because the present one comes from OPENCLAWSSY_MASTER_KEY',
  });
  await expect(secrets.rotate({ newKey: 'short' })).rejects.toMatchObject({
    message: 'the new master key must be exactly 32 bytes in base64 or hex',
  });
  await expect(secrets.rotate({ newKey: first })).rejects.toMatchObject({
    message: 'the new master key is the one in use',
  });
  expect(await secrets.rotate({ newKey: second })).toBe(1);

  expect(await secrets.find('a')).toBe('one');
  expect(await (await open(directory, second)).find('a')).toBe('one');
  await expect(open(directory, first)).rejects.toMatchObject({ code: 'config_invalid' });
  expect(await readdir(directory)).not.toContain('master.key');
});
