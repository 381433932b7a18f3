import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTempRoot, type TempRoot } from '../../../test/support/temp-root.ts';
import { createSigningKeyFile } from './signing-key-file.ts';

let root: TempRoot;
let file: string;

beforeEach(async () => {
  root = await openTempRoot();
  file = join(root.path, '.openclawssy', 'skill-signing.key');
});

afterEach(() => root.remove());

function keyFile() {
  return createSigningKeyFile({ file, need: 'tests need it' });
}

test('makes a key for its owner alone when one is needed, and not before', async () => {
  const key = keyFile();

  const before = await key.find();
  const made = await key.get();

  expect(before).toBeUndefined();
  expect(Buffer.from(made.publicKey, 'base64')).toHaveLength(32);
  expect(Buffer.from(made.sign('text'), 'base64')).toHaveLength(64);
  expect(await readFile(file, 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await keyFile().find())?.publicKey).toBe(made.publicKey);
});

test('gives the same key to all who need the first one at the same moment', async () => {
  const keys = await Promise.all(Array.from({ length: 6 }, () => keyFile().get()));

  expect(new Set(keys.map(({ publicKey }) => publicKey)).size).toBe(1);
  expect(await readdir(join(root.path, '.openclawssy'))).toEqual(['skill-signing.key']);
});

test('refuses a file that is no key, and does not replace it', async () => {
  await keyFile().get();
  await writeFile(file, 'not a key');

  await expect(keyFile().get()).rejects.toMatchObject({
    code: 'config_invalid',
    message: `${file} is not a private ed25519 key in PEM; to fix: restore it from a backup; tests need it`,
  });
  expect(await readFile(file, 'utf8')).toBe('not a key');
});
