import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { backUp } from '../../src/backup/back-up.ts';
import { systemClock } from '../../src/core/clock.ts';
import { silentLogger } from '../../src/core/log.ts';
import { unpackArchive } from '../../src/storage/archive/unpack-archive.ts';
import { openSecretFile } from '../../src/storage/files/secrets/test-secret-file.ts';
import { tryFileLock } from '../../src/storage/sqlite/file-lock.ts';
import type { BackupOptions } from '../../src/surfaces/cli/commands/backup/backup-access.ts';
import { putFreshState } from '../support/fresh-state.ts';
import { openTempRoot, type TempRoot } from '../support/temp-root.ts';

let temp: TempRoot;

beforeEach(async () => {
  temp = await openTempRoot();
  await mkdir(inTemp('old/souls'), { recursive: true });
  await putFreshState(inTemp('old'));
});

afterEach(() => temp.remove());

const inTemp = (name: string) => join(temp.path, name);
const NEVER = new AbortController().signal;

type Watching = Partial<Pick<BackupOptions, 'onStage' | 'onProgress'>>;

async function makeBackup(name: string, watching: Watching = {}): Promise<void> {
  const options = { withWorkspace: false, withSecrets: true, filesOnly: false, overwrite: false };
  const hooks = { onStage() {}, onProgress() {}, ...watching };
  await backUp(
    { ...options, ...hooks, root: inTemp('old'), file: inTemp(name), signal: NEVER },
    {},
  );
}

async function unpack(name: string): Promise<string> {
  const folder = inTemp(`${name}.unpacked`);
  await mkdir(folder);
  await unpackArchive({
    ...{ file: inTemp(name), folder, signal: NEVER, isDurable: false },
    onHeader: async () => {},
    toPlace: (path) => path,
    onProgress() {},
  });
  return folder;
}

function openSecrets(root: string) {
  const state = join(root, '.openclawssy');
  const file = join(state, 'secrets.enc');
  return openSecretFile({
    file,
    masterKeyFile: join(state, 'master.key'),
    tryLock: () => tryFileLock(`${file}.lock`),
    clock: systemClock,
    logger: silentLogger,
  });
}

const KEY = () => inTemp('old/.openclawssy/master.key');
const STORE = () => inTemp('old/.openclawssy/secrets.enc');

test('a key that is rotated between any two files of a backup opens the secrets beside it', async () => {
  const secrets = await openSecrets(inTemp('old'));
  await secrets.put('foo/bar', 'value');
  const read = () => [KEY(), STORE()].map((file) => readFileSync(file));
  const before = read();
  await secrets.rotate();
  const states = [read(), before];
  let rotations = 0;
  // Each time as a rotation leaves it.
  const rotate = () => {
    const [key = '', store = ''] = states[rotations % 2] ?? [];
    writeFileSync(`${KEY()}.next`, key);
    writeFileSync(`${STORE()}.new`, store);
    renameSync(`${STORE()}.new`, STORE());
    renameSync(`${KEY()}.next`, KEY());
    rotations += 1;
  };

  await makeBackup('x.backup', { onStage: rotate, onProgress: rotate });

  const restored = await openSecrets(await unpack('x.backup'));
  expect(rotations).toBeGreaterThan(2);
  expect(await restored.find('foo/bar')).toBe('value');
});

test('secrets that are rotated all the time are in every backup with their key', async () => {
  const secrets = await openSecrets(inTemp('old'));
  await secrets.put('foo/bar', 'value');
  const done = new AbortController();
  const rotating = (async () => {
    let rotations = 0;
    for (; !done.signal.aborted; rotations += 1) {
      await secrets.rotate();
      // Whoever waits for the lock looks every now and then.
      await pause(20);
    }
    return rotations;
  })();

  const found: unknown[] = [];
  try {
    for (const name of ['1.backup', '2.backup', '3.backup']) {
      await makeBackup(name);
      found.push(await (await openSecrets(await unpack(name))).find('foo/bar'));
    }
  } finally {
    done.abort();
  }

  expect(await rotating).toBeGreaterThan(0);
  expect(found).toEqual(['value', 'value', 'value']);
});

test.each([
  ['longer', 'a soul that has grown '.repeat(1_000)],
  ['shorter', 'a'],
])('a file that is replaced by a %s one after it was listed is whole', async (_, after) => {
  const soul = inTemp('old/souls/lince.md');
  await writeFile(soul, 'a soul');

  await makeBackup('x.backup', {
    onStage({ stage }) {
      if (stage !== 'writing') return;
      writeFileSync(`${soul}.new`, after);
      renameSync(`${soul}.new`, soul);
    },
  });

  expect(await readFile(join(await unpack('x.backup'), 'souls/lince.md'), 'utf8')).toBe(after);
});

test('lines that come after a file was listed are left out, whole as they are', async () => {
  const transcript = inTemp('old/.claw/sessions/one.jsonl');
  await mkdir(inTemp('old/.claw/sessions'), { recursive: true });
  await writeFile(transcript, '{"line":1}\n');

  await makeBackup('x.backup', {
    onStage({ stage }) {
      if (stage === 'writing') writeFileSync(transcript, '{"line":2}\n', { flag: 'a' });
    },
  });

  const copy = join(await unpack('x.backup'), '.claw/sessions/one.jsonl');
  expect(await readFile(copy, 'utf8')).toBe('{"line":1}\n');
});
