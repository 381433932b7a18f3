import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { failureOf, openTestWorkspace, type TestWorkspace } from '../test-workspace.ts';
import { createKeyLock } from './key-lock.ts';
import { moveEntry } from './move-entry.ts';
import type { EntryAccess } from './paths/entry-access.ts';
import { findBoundary, walkPath } from './paths/path-walk.ts';
import { openPinnedDirectory } from './paths/pinned-directory.ts';

const SHARED_MEMORY = '/dev/shm';

let workspace: TestWorkspace;
let elsewhere: string | undefined;

beforeEach(async () => {
  workspace = await openTestWorkspace();
  elsewhere = await openElsewhere();
});

afterEach(async () => {
  if (elsewhere !== undefined) await rm(elsewhere, { recursive: true });
  await workspace.remove();
});

/** A directory on another file system than the workspace, where the machine has one. */
async function openElsewhere(): Promise<string | undefined> {
  const shared = await stat(SHARED_MEMORY).catch(() => undefined);
  if (shared === undefined || shared.dev === (await stat(workspace.root)).dev) return undefined;
  return mkdtemp(join(SHARED_MEMORY, 'pincer-test-'));
}

test.each(['a.txt', 'dir'])('gives the new name back when %s can not be renamed', async (src) => {
  if (elsewhere === undefined) {
    process.stderr.write(`not tested: ${SHARED_MEMORY} is no file system of its own here\n`);
    return;
  }
  await workspace.put('a.txt', 'text');
  await workspace.put('dir/b.txt', 'text');
  const target = elsewhere;
  const access: EntryAccess = {
    async locate(path) {
      const boundary = await findBoundary(path === src ? workspace.root : target, []);
      return { place: await walkPath(path, boundary, { asEntry: true }), boundary };
    },
    openHolder: (place, { path }) => openPinnedDirectory(place.directory, { path }),
    writers: createKeyLock(),
  };
  const { signal } = new AbortController();
  const request = { src, dst: 'new', overwrite: false, createParents: false, signal };

  const failure = await failureOf(moveEntry(access, request));

  expect(failure).toEqual({
    code: 'tool_failed',
    message: `${src} lies on another file system than its new place`,
    details: { path: src, reason: 'other_file_system' },
  });
  expect(await readdir(target)).toEqual([]);
  expect(await workspace.text('a.txt')).toBe('text');
  expect(await workspace.text('dir/b.txt')).toBe('text');
  expect(access.writers.size).toBe(0);
});
