import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTempRoot } from '../../test/support/temp-root.ts';
import { openDeviceIdentity } from './device-identity.ts';

async function makePath(): Promise<string> {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  return join(root.path, 'openclaw-device.json');
}

test('an installation is the same device for good, and nobody else can read its key', async () => {
  const path = await makePath();

  const [first, racing] = await Promise.all([openDeviceIdentity(path), openDeviceIdentity(path)]);
  await chmod(path, 0o644);
  const later = await openDeviceIdentity(path);

  expect(first?.id).toMatch(/^[0-9a-f]{64}$/);
  expect([racing?.id, later.id]).toEqual([first?.id, first?.id]);
  expect(first?.publicKey).toBe(later.publicKey);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('a token that a gateway gave is kept for that gateway', async () => {
  const path = await makePath();
  const identity = await openDeviceIdentity(path);

  await identity.rememberToken('ws://a', 'token-a');
  await identity.rememberToken('ws://a', 'token-b');
  const later = await openDeviceIdentity(path);

  expect([later.findToken('ws://a'), later.findToken('ws://b')]).toEqual(['token-b', undefined]);
  expect(later.id).toBe(identity.id);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test('a file that holds no key is not replaced by another identity', async () => {
  const path = await makePath();
  await writeFile(path, '{"version":1,"private_key":"AAAA"}');

  await expect(openDeviceIdentity(path)).rejects.toMatchObject({ code: 'config_invalid' });

  expect(await readFile(path, 'utf8')).toBe('{"version":1,"private_key":"AAAA"}');
});
