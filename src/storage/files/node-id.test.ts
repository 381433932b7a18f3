import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTempRoot } from '../../../test/support/temp-root.ts';
import { openNodeId, readNodeId } from './node-id.ts';

async function openRoot(): Promise<{ readonly root: string; readonly file: string }> {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  return { root: root.path, file: join(root.path, '.openclawssy', 'node-id') };
}

test('a node keeps its id, in a file of its own', async () => {
  const { root, file } = await openRoot();

  const ids = await Promise.all(Array.from({ length: 8 }, () => openNodeId(root)));

  expect(new Set(ids).size).toBe(1);
  expect(await readNodeId(root)).toBe(ids[0]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('looking for an id makes none', async () => {
  const { root } = await openRoot();

  expect(await readNodeId(root)).toBeUndefined();
});

test('a file that holds something else is refused, with what to do', async () => {
  const { root, file } = await openRoot();
  await mkdir(join(root, '.openclawssy'));
  await writeFile(file, 'server:\n');

  await expect(openNodeId(root)).rejects.toMatchObject({
    code: 'config_invalid',
    details: { fix: expect.stringContaining('delete it') },
  });
});
