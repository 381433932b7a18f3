import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openTempRoot } from '../../test/support/temp-root.ts';
import { openNodeId } from './node-file.ts';

test('a node keeps its id, in a file of its own', async () => {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  const file = join(root.path, 'node-id');

  const [first, second] = [await openNodeId(file), await openNodeId(file)];

  expect(first).toMatch(/^[0-9a-f]{16}$/);
  expect(second).toBe(first);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('a file that holds something else is refused, with what to do', async () => {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  const file = join(root.path, 'node-id');
  await writeFile(file, 'server:\n');

  await expect(openNodeId(file)).rejects.toMatchObject({
    code: 'config_invalid',
    details: { fix: 'delete it, and the next start makes a new one' },
  });
});
