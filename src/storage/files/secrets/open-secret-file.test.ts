import { createCipheriv, randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../../../../test/support/manual-clock.ts';
import { openTempRoot } from '../../../../test/support/temp-root.ts';
import { silentLogger } from '../../../core/log.ts';
import { tryFileLock } from '../../sqlite/file-lock.ts';
import { openSecretFile, type SecretFileOptions } from './test-secret-file.ts';

const NOW_MS = Date.parse('2026-02-15T09:30:00.000Z');

interface Place {
  readonly directory: string;
  readonly file: string;
  readonly keyFile: string;
  readonly warnings: string[];
  open(options?: Partial<SecretFileOptions>): ReturnType<typeof openSecretFile>;
  /** Everything that lies there, by name. */
  snapshot(): Promise<Record<string, string>>;
}

async function openPlace(): Promise<Place> {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  const directory = join(root.path, '.openclawssy');
  const file = join(directory, 'secrets.enc');
  const keyFile = join(directory, 'master.key');
  const warnings: string[] = [];
  return {
    ...{ directory, file, keyFile, warnings },
    open: (options = {}) =>
      openSecretFile({
        file,
        masterKeyFile: keyFile,
        tryLock: () => tryFileLock(join(directory, 'secrets.lock')),
        clock: new ManualClock(NOW_MS),
        logger: { ...silentLogger, warn: (_, message) => warnings.push(message) },
        ...options,
      }),
    async snapshot() {
      const names = await readdir(directory).catch(() => []);
      const contents = names.map(async (name) => [
        name,
        await readFile(join(directory, name), 'latin1'),
      ]);
      return Object.fromEntries(await Promise.all(contents));
    },
  };
}

const failure = (work: Promise<unknown>) => work.then(() => undefined).catch((error) => error);

test('reads nothing and creates nothing before the first secret', async () => {
  const place = await openPlace();
  const secrets = await place.open();

  expect(await secrets.list()).toEqual([]);
  expect(await secrets.find('a')).toBeUndefined();
  expect(await secrets.remove('a')).toBe(false);
  expect(await secrets.rotate()).toBe(0);
  expect(secrets.values()).toEqual([]);
  expect(await place.snapshot()).toEqual({});
});

test('keeps what was put for the next one who opens it, and lists names in order', async () => {
  const place = await openPlace();
  const secrets = await place.open();

  await secrets.put('provider/openai/api_key', 'sk-one');
  await secrets.put('b', 'two');
  await secrets.put('b', 'three');
  const again = await place.open();

  const updatedAtMs = NOW_MS;
  expect(await again.list()).toEqual([
    { name: 'b', updatedAtMs },
    { name: 'provider/openai/api_key', updatedAtMs },
  ]);
  expect(await again.find('b')).toBe('three');
  expect(await again.find('provider/openai/api_key')).toBe('sk-one');
  expect(again.values()).toEqual(
    expect.arrayContaining(['three', 'sk-one', (await readFile(place.keyFile, 'utf8')).trim()]),
  );
});

test('only this user may read the file and its key, and neither holds a value', async () => {
  const place = await openPlace();
  await (await place.open()).put('a', 'plainly visible');

  const modes = await Promise.all(
    [place.directory, place.file, place.keyFile].map(async (path) => (await stat(path)).mode),
  );

  expect(modes.map((mode) => mode & 0o777)).toEqual([0o700, 0o600, 0o600]);
  const { 'secrets.enc': text = '', ...others } = await place.snapshot();
  expect(Object.keys(others).sort()).toEqual(['master.key', 'secrets.lock']);
  expect(JSON.parse(text)).toEqual({
    version: 1,
    key_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    secrets: {
      a: {
        nonce: expect.stringMatching(/^[A-Za-z0-9+/]{16}$/),
        ciphertext: expect.any(String),
        updated_at: '2026-02-15T09:30:00.000Z',
      },
    },
  });
  expect(text).not.toContain('plainly');
});

test('any text comes back as it was, under any name', async () => {
  const place = await openPlace();
  const secrets = await place.open();
  const part = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/);
  const name = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
  const value = fc.string({ unit: 'binary', minLength: 1, maxLength: 300 });

  await fc.assert(
    fc.asyncProperty(name, value, async (one, text) => {
      await secrets.put(one, text);

      expect(await (await place.open()).find(one)).toBe(text);
      expect(await secrets.remove(one)).toBe(true);
      expect(await secrets.find(one)).toBeUndefined();
    }),
    { numRuns: 40 },
  );
});

test.each([
  ['', 'v', 'name'],
  ['../x', 'v', 'name'],
  ['a//b', 'v', 'name'],
  ['/a', 'v', 'name'],
  ['a b', 'v', 'name'],
  ['__proto__', 'v', 'name'],
  ['n'.repeat(129), 'v', 'name'],
  ['a', '', 'value'],
  ['a', 'v'.repeat(65_537), 'value'],
  ['a', 'v\ud800', 'value'],
])('refuses to put %j', async (name, value, field) => {
  const place = await openPlace();

  expect(await failure((await place.open()).put(name, value))).toMatchObject({
    code: 'invalid_input',
    details: { field },
  });
  expect(await place.snapshot()).toEqual({});
});

test('keeps no more than its bound, and still replaces what is there', async () => {
  const place = await openPlace();
  const key = randomBytes(32).toString('base64');
  const full = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`s${at}`, 'x']));
  await mkdir(place.directory);
  await writeFile(place.file, sealLegacy(key, full));
  const secrets = await place.open({ masterKey: key });

  await secrets.put('s7', 'y');

  expect(await failure(secrets.put('another', 'x'))).toMatchObject({
    code: 'conflict',
    message: 'the secret store is full: it holds at most 1000 secrets',
  });
  expect(await secrets.find('s7')).toBe('y');
  expect(await secrets.list()).toHaveLength(1_000);
});

test('a value under another name does not open', async () => {
  const place = await openPlace();
  const secrets = await place.open();
  await secrets.put('cheap', 'one');
  await secrets.put('dear', 'two');
  const document = JSON.parse(await readFile(place.file, 'utf8'));
  [document.secrets.cheap, document.secrets.dear] = [document.secrets.dear, document.secrets.cheap];
  await writeFile(place.file, JSON.stringify(document));

  expect(await failure(secrets.find('cheap'))).toMatchObject({
    code: 'storage_unavailable',
    retryable: false,
    message: expect.stringContaining('are damaged: they were cut off or altered'),
  });
});

test.each([
  ['cut off', (text: string) => text.slice(0, -20)],
  ['empty', () => ''],
  ['something else', () => '{"hello":1}'],
  [
    'altered in one character of a value',
    (text: string) =>
      text.replace(/("ciphertext": ".)(.)/, (_, head, one) => `${head}${one === 'A' ? 'B' : 'A'}`),
  ],
])('a file that is %s is told apart from a wrong key, and left alone', async (_, damage) => {
  const place = await openPlace();
  const secrets = await place.open();
  await secrets.put('a', 'value');
  await writeFile(place.file, damage(await readFile(place.file, 'utf8')));
  const before = await place.snapshot();

  const faults = await Promise.all([
    failure(place.open()),
    failure(secrets.find('a')),
    failure(secrets.put('b', 'x')),
    failure(secrets.rotate()),
  ]);

  const fix = 'restore it from a backup, or move it away and store the secrets again';
  for (const fault of faults) {
    expect(fault).toMatchObject({
      code: 'storage_unavailable',
      message: `the secrets in ${place.file} are damaged: they were cut off or altered; to fix: ${fix}`,
      details: { file: place.file, fix },
    });
  }
  expect(await place.snapshot()).toEqual(before);
  // What was known stays out of logs whatever became of the file.
  expect(secrets.values()).toContain('value');
});

test('a wrong key in the key file shows before anything is written', async () => {
  const place = await openPlace();
  const secrets = await place.open();
  await secrets.put('a', 'value');
  await writeFile(place.keyFile, randomBytes(32).toString('hex'));
  const before = await place.snapshot();

  const faults = [await failure(place.open()), await failure(secrets.put('b', 'x'))];

  for (const fault of faults) {
    expect(fault).toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining(
        `the master key in ${place.keyFile} is not the one that ${place.file} was written with`,
      ),
    });
  }
  expect(await place.snapshot()).toEqual(before);
});

test('a key in the environment wins, and is told when the key file is the right one', async () => {
  const place = await openPlace();
  await (await place.open()).put('a', 'value');
  const before = await place.snapshot();

  const fault = await failure(place.open({ masterKey: randomBytes(32).toString('base64') }));

  expect(fault).toMatchObject({
    code: 'config_invalid',
    details: { fix: 'unset OPENCLAWSSY_MASTER_KEY: the key file opens it' },
  });
  expect(await place.snapshot()).toEqual(before);
});

test('a missing key is never made anew while there are secrets', async () => {
  const place = await openPlace();
  const secrets = await place.open();
  await secrets.put('a', 'value');
  await rename(place.keyFile, `${place.keyFile}.away`);

  const faults = [await failure(place.open()), await failure(secrets.put('b', 'x'))];
  const names = await readdir(place.directory);
  await rename(`${place.keyFile}.away`, place.keyFile);

  for (const fault of faults) {
    expect(fault).toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining(`their master key ${place.keyFile} is missing`),
    });
  }
  expect(names.sort()).toEqual(['master.key.away', 'secrets.enc', 'secrets.lock']);
  expect(await (await place.open()).find('a')).toBe('value');
});

test.each([
  ['base64', (key: Buffer) => key.toString('base64')],
  ['hex', (key: Buffer) => key.toString('hex')],
  ['base64url', (key: Buffer) => `${key.toString('base64url')}\n`],
])('takes a key of the environment in %s, and makes no key file', async (_, format) => {
  const place = await openPlace();
  const key = randomBytes(32);
  await (await place.open({ masterKey: format(key) })).put('a', 'value');

  const again = await place.open({ masterKey: key.toString('base64') });

  expect(again.masterKeyFrom).toBe('environment');
  expect(await again.find('a')).toBe('value');
  expect(Object.keys(await place.snapshot()).sort()).toEqual(['secrets.enc', 'secrets.lock']);
});

test.each(['', 'short', 'z'.repeat(64), 'A'.repeat(42), 'A'.repeat(45), '0'.repeat(63)])(
  'refuses %j as a master key',
  async (masterKey) => {
    const place = await openPlace();

    expect(await failure(place.open({ masterKey }))).toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining('OPENCLAWSSY_MASTER_KEY is not a master key of exactly 32'),
    });
  },
);

test('warns once about a key file that others may read', async () => {
  const place = await openPlace();
  await (await place.open()).put('a', 'value');
  await chmod(place.keyFile, 0o644);

  const secrets = await place.open();
  await secrets.put('b', 'x');

  expect(place.warnings).toEqual([
    `${place.keyFile} is open to other users: chmod 600 ${place.keyFile}`,
  ]);
});

test('what was replaced or removed stays out of sight too', async () => {
  const place = await openPlace();
  const secrets = await place.open();
  await secrets.put('a', 'first');
  await secrets.put('a', 'second');
  await secrets.remove('a');

  expect(secrets.values()).toEqual(expect.arrayContaining(['first', 'second']));
  expect((await place.open()).values()).not.toContain('first');
});

test('another process that holds the lock is waited for, and not for ever', async () => {
  const place = await openPlace();
  const clock = new ManualClock(NOW_MS);
  const secrets = await place.open({ clock, tryLock: () => undefined });

  const fault = failure(secrets.put('a', 'x'));
  let isOver = false;
  void fault.then(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(1_000);
  }

  expect(await fault).toMatchObject({
    code: 'storage_unavailable',
    retryable: true,
    message: `another process is writing ${place.file}`,
  });
});

/** As the program before this one wrote it: everything in one ciphertext, nothing authenticated beside it. */
function sealLegacy(key: string, values: object): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'base64'), nonce);
  const body = Buffer.concat([cipher.update(JSON.stringify(values)), cipher.final()]);
  return JSON.stringify({
    nonce: nonce.toString('base64'),
    ciphertext: Buffer.concat([body, cipher.getAuthTag()]).toString('base64'),
    updated_at: '2025-12-01T08:00:00.123456789Z',
  });
}

test('reads a file of the shape of before, and rewrites it with the next change', async () => {
  const place = await openPlace();
  const key = randomBytes(32).toString('base64');
  await mkdir(place.directory);
  await writeFile(place.keyFile, `${key}\n`, { mode: 0o600 });
  const text = sealLegacy(key, { 'discord/bot_token': 'bot', 'odd name': 'kept' });
  await writeFile(place.file, text, { mode: 0o600 });

  const secrets = await place.open();
  const found = await secrets.find('discord/bot_token');
  const untouched = await readFile(place.file, 'utf8');
  await secrets.put('new', 'value');

  expect(found).toBe('bot');
  expect(untouched).toBe(text);
  expect(JSON.parse(await readFile(place.file, 'utf8'))).toMatchObject({ version: 1 });
  const again = await place.open();
  expect(await again.find('odd name')).toBe('kept');
  expect((await again.list()).map(({ name }) => name)).toEqual([
    'discord/bot_token',
    'new',
    'odd name',
  ]);
});

test('says that a file of the shape of before and its key do not belong together', async () => {
  const place = await openPlace();
  await mkdir(place.directory);
  const text = sealLegacy(randomBytes(32).toString('base64'), { a: 'x' });
  await writeFile(place.file, text);

  expect(await failure(place.open({ masterKey: '00'.repeat(32) }))).toMatchObject({
    code: 'config_invalid',
    message: expect.stringContaining('does not open'),
  });
  expect(await readFile(place.file, 'utf8')).toBe(text);
});
