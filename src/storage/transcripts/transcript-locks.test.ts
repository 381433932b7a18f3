import { spawnSync } from 'node:child_process';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TranscriptStore } from '../../core/transcripts/transcript-store.ts';
import { createTranscriptFiles } from './create-transcript-files.ts';
import { getOwnMark } from './process-mark.ts';
import { openTestTranscripts, type TestTranscripts, user } from './test-transcripts.ts';

let files: TestTranscripts;
let store: TranscriptStore;

beforeEach(async () => {
  files = await openTestTranscripts();
  ({ store } = files);
});

afterEach(() => files.remove());

test('many writers in one process take turns', async () => {
  await store.create({ id: 's1', messages: [] });
  const texts = Array.from({ length: 30 }, (_, index) => `m${index}`);

  await Promise.all(texts.map((text) => store.append('s1', [user(text)])));

  // They came at once, so any order is right; each is there once.
  const { messages } = await store.load('s1');
  expect(messages).toHaveLength(texts.length);
  expect(messages).toEqual(expect.arrayContaining(texts.map(user)));
});

test('a lock that a dead process left is in nobody’s way', async () => {
  await store.create({ id: 's1', messages: [] });
  const { pid } = spawnSync('true');
  const { host, start } = getOwnMark();
  const locks = join(store.directory, '.locks');
  await writeFile(join(locks, `s1.${host}.${pid}.${start}.a`), '');
  // The number lives, but as another process.
  await writeFile(join(locks, `s1.${host}.${process.pid}.1.a`), '');

  await store.append('s1', [user('one')]);

  expect(await readdir(locks)).toEqual([]);
});

test('a lock that a living process holds is waited for', async () => {
  await store.create({ id: 's1', messages: [] });
  const { host, pid, start } = getOwnMark();
  const held = join(store.directory, '.locks', `s1.${host}.${pid}.${start}.a`);
  await writeFile(held, '');
  let isDone = false;

  const appending = store.append('s1', [user('one')]).then(() => {
    isDone = true;
  });
  await store.append(await createOther(), [user('meanwhile')]);
  const before = isDone;
  await rm(held);
  await appending;

  expect([before, isDone]).toEqual([false, true]);
});

/** A transcript whose lock is free. */
async function createOther(): Promise<string> {
  return (await store.create({ id: 'other', messages: [] })).id;
}

test('who waits too long for a lock is told so', async () => {
  await store.create({ id: 's1', messages: [] });
  const { host, pid, start } = getOwnMark();
  await writeFile(join(store.directory, '.locks', `s1.${host}.${pid}.${start}.a`), '');
  const hasty = {
    ...files.clock,
    sleep: async () => {
      files.nowMs += 1_000;
    },
  };
  const impatient = await createTranscriptFiles({ root: files.root, clock: hasty });

  await expect(impatient.append('s1', [user('one')])).rejects.toMatchObject({
    code: 'storage_unavailable',
    message: "session 's1' is being written by another process",
  });
  await expect(impatient.remove('s1')).rejects.toMatchObject({
    details: { kind: 'session_delete_failed' },
  });
});
