import { chmod, stat } from 'node:fs/promises';
import { join } from 'node:path';
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
