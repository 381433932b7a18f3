import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { openTempRoot } from '../../../test/support/temp-root.ts';
import { tryFileLock } from './file-lock.ts';

test("a lock is held once, and its file is its owner's alone, also one that was open to all", async () => {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  const file = join(root.path, 'server.lock');
  const mode = async () => (await stat(file)).mode & 0o777;

  const first = tryFileLock(file);
  const fresh = await mode();
  const second = tryFileLock(file);
  first?.close();
  await chmod(file, 0o644);
  const third = tryFileLock(file);
  const old = await mode();
  third?.close();

  expect([first, second, third].map((lock) => lock !== undefined)).toEqual([true, false, true]);
  expect([fresh, old]).toEqual([0o600, 0o600]);
});

test('a lock that nobody refers to any more is held all the same', async () => {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  const file = join(root.path, 'server.lock');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  (() => tryFileLock(file))();

  for (let turns = 0; turns < 5; turns += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }

  expect(tryFileLock(file)).toBeUndefined();
});
