import { spawnSync } from 'node:child_process';
import { mkdir, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fingerprintWorkspace } from '../../core/transcripts/fingerprint-workspace.ts';
import type { TranscriptStore } from '../../core/transcripts/transcript-store.ts';
import { createTranscriptFiles } from './create-transcript-files.ts';
import {
  messageLine,
  metaLine,
  openTestTranscripts,
  type TestTranscripts,
  user,
} from './test-transcripts.ts';

let files: TestTranscripts;
let store: TranscriptStore;

beforeEach(async () => {
  files = await openTestTranscripts();
  ({ store } = files);
});

afterEach(() => files.remove());

/** A file where they lay before each workspace had a folder. */
const former = (name: string) => join(files.root, '.claw/sessions', name);

test('lies below the real path of the workspace, readable by its owner only', async () => {
  const alias = `${files.root}-alias`;
  await symlink(files.root, alias);
  const through = await createTranscriptFiles({ root: alias, clock: files.clock });
  await rm(alias);

  const created = await through.create({
    id: 's1',
    model: 'offline/rules',
    messages: [user('hi')],
  });

  const folder = join(files.root, '.claw/sessions', fingerprintWorkspace(files.root));
  expect(through.directory).toBe(folder);
  expect(created).toEqual({
    id: 's1',
    path: join(folder, 's1.jsonl'),
    createdAtMs: files.nowMs,
    updatedAtMs: files.nowMs,
    workspaceRoot: files.root,
    model: 'offline/rules',
    parentId: undefined,
    messages: [user('hi')],
    compaction: undefined,
    promptHistory: [],
    usage: { inputTokens: 0, outputTokens: 0 },
    hasTornTail: false,
  });
  expect(await store.load('s1')).toEqual(created);
  const modes = await Promise.all(
    ['.claw', '.claw/sessions', folder, created.path].map(async (path) => {
      const { mode } = await stat(join(path.startsWith('/') ? '' : files.root, path));
      return (mode & 0o777).toString(8);
    }),
  );
  expect(modes).toEqual(['700', '700', '700', '600']);
});

test.each([
  '',
  '..',
  'a..b',
  'a\0b',
  'x'.repeat(300),
  '../../../etc/passwd',
  '/etc/passwd',
  '/etc/x.jsonl',
  '.claw/sessions/../../x.jsonl',
  '.claw/x.jsonl',
  'a/../s1.jsonl\0',
  'bad id',
  '.locks/x.jsonl',
  '..\\x',
])('%j is refused before anything is looked up', async (reference) => {
  await expect(store.load(reference)).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(store.remove(reference)).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(store.append(reference, [user('x')])).rejects.toMatchObject({
    code: 'invalid_input',
  });
  await expect(store.create({ id: reference, messages: [] })).rejects.toMatchObject({
    code: 'invalid_input',
  });
  expect(await readdir(files.root)).toEqual([]);
});

test('found by its path, absolute or in the workspace, and by its file name', async () => {
  const created = await store.create({ id: 's1', messages: [] });
  const relative = created.path.slice(files.root.length + 1);

  for (const reference of [created.path, relative, `./${relative}`, 's1.jsonl']) {
    expect(await store.load(reference)).toEqual(created);
  }
  await expect(store.load(join(store.directory, 's2.jsonl'))).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('neither a link out of the folder nor a pipe nor a folder is read', async () => {
  await files.put('other.txt', `${metaLine('x')}`);
  await symlink(join(store.directory, 'other.txt'), files.pathOf('linked'));
  await mkdir(files.pathOf('folder'));
  spawnSync('mkfifo', [files.pathOf('pipe')]);

  const reasons = await Promise.all(
    ['linked', 'folder', 'pipe'].map((id) =>
      store.load(id).then(
        () => 'loaded',
        (error: Error) => error.message,
      ),
    ),
  );

  expect(reasons).toEqual([
    "session 'linked' can't be read: it is a symbolic link",
    "session 'folder' can't be read: it is not a regular file",
    "session 'pipe' can't be read: it is not a regular file",
  ]);
  expect((await files.listIds()).ids.sort()).toEqual(['linked', 'pipe']);
});

test('the newest is the one updated last, unless it can not be read', async () => {
  await store.create({ id: 'a', messages: [] });
  files.nowMs += 1_000;
  await store.create({ id: 'b', messages: [] });
  files.nowMs += 1_000;
  await store.append('a', [user('again')]);
  await files.put('broken.jsonl', 'no\n');

  expect((await store.load('latest')).id).toBe('a');
  expect((await store.load('last')).id).toBe('a');
  expect((await store.snapshot('recent')).id).toBe('a');
  expect(
    (await store.list(10)).transcripts.map(({ id, updatedAtMs }) => [id, updatedAtMs]),
  ).toEqual([
    ['a', files.nowMs],
    ['b', files.nowMs - 1_000],
    ['broken', 0],
  ]);
});

test('sorts by update, then by the date of the file, then by id, downwards', async () => {
  for (const [id, updated, mtime] of [
    ['a', 20, 100],
    ['b', 20, 100],
    ['c', 20, 200],
    ['d', 30, 50],
  ] as const) {
    await files.put(`${id}.jsonl`, metaLine(id, { updated_at_ms: updated }));
    await utimes(files.pathOf(id), mtime, mtime);
  }

  expect(await files.listIds()).toEqual({ ids: ['d', 'c', 'b', 'a'], isCut: false });
  expect(await files.listIds(2)).toEqual({ ids: ['d', 'c'], isCut: true });
  expect(await files.listIds(4)).toEqual({ ids: ['d', 'c', 'b', 'a'], isCut: false });
});

test('which are the first of many is known by their last lines', async () => {
  for (const id of ['a', 'b', 'c']) {
    files.nowMs += 1_000;
    await store.create({ id, messages: [user('x'.repeat(40_000))] });
  }
  files.nowMs += 1_000;
  await store.append('a', [user('short')]);
  // As after a copy from elsewhere: the dates of the files say nothing.
  for (const id of ['a', 'b', 'c']) await utimes(files.pathOf(id), 5, 5);

  expect(await files.listIds(1)).toEqual({ ids: ['a'], isCut: true });
});

test('lists what can be read, and what can not by its name', async () => {
  await files.put('session-1234-0.jsonl', '{"type":"session_meta"\n');
  await files.put('s1.jsonl', `${metaLine('s1')}${messageLine('one')}${messageLine('two')}`);
  await files.put('s1.rot-17.jsonl', metaLine('s1'));
  await files.put('s2.jsonl.tmp', metaLine('s2'));
  await files.put('notes.txt', 'x');

  expect(await store.list(10)).toEqual({
    isCut: false,
    transcripts: [
      {
        id: 's1',
        path: files.pathOf('s1'),
        createdAtMs: 10,
        updatedAtMs: 20,
        messageCount: 2,
        promptCount: 2,
        isReadable: true,
      },
      {
        id: 'session-1234-0',
        path: files.pathOf('session-1234-0'),
        createdAtMs: 1234,
        updatedAtMs: 0,
        messageCount: 0,
        promptCount: 0,
        isReadable: false,
      },
    ],
  });
});

test('a date that no timestamp can show hides nothing and is not written down', async () => {
  await files.put('early.jsonl', `{"type":"session_meta","version":1}\n${messageLine('x')}`);
  const before1970 = new Date(-5_000);
  await utimes(files.pathOf('early'), before1970, before1970);
  await files.put('far.jsonl', metaLine('far', { updated_at_ms: 9_000_000_000_000_000 }));

  await store.snapshot('early');

  expect(await store.load('early')).toMatchObject({ createdAtMs: 0, updatedAtMs: 0 });
  expect((await store.list(10)).transcripts).toMatchObject([
    { id: 'early', isReadable: true },
    { id: 'far', updatedAtMs: 0, isReadable: false },
  ]);
});

test('the folder of the workspace comes before the former one, lines before one object', async () => {
  await files.put('both.jsonl', `${metaLine('both')}${messageLine('lines')}`);
  await files.put('both.json', JSON.stringify({ messages: ['object'] }));
  await writeFile(former('flat.jsonl'), `${metaLine('flat')}${messageLine('flat')}`);
  await writeFile(former('both.jsonl'), `${metaLine('both')}${messageLine('former')}`);
  await writeFile(former('old.json'), JSON.stringify({ messages: ['old'], updated_at_ms: 7 }));

  expect((await store.load('both')).messages).toEqual([user('lines')]);
  expect((await store.load(join(store.directory, 'both.json'))).messages).toEqual([user('object')]);
  expect((await store.load('flat')).messages).toEqual([user('flat')]);
  expect((await store.load('.claw/sessions/old.json')).messages).toEqual([user('old')]);
  expect((await files.listIds()).ids).toEqual(['flat', 'both', 'old']);
  // To write what is behind the first would put it in its place.
  await expect(store.snapshot('.claw/sessions/both.jsonl')).rejects.toMatchObject({
    code: 'conflict',
  });
});

test('a write moves an older file to its place, with the times it had', async () => {
  await files.put('x.txt', '');
  await writeFile(former('old.json'), JSON.stringify({ messages: ['old'] }));
  await utimes(former('old.json'), 5, 5);

  const moved = await store.append('old', [user('new')]);

  expect(moved).toMatchObject({
    path: files.pathOf('old'),
    createdAtMs: 5_000,
    updatedAtMs: files.nowMs,
  });
  expect(moved.messages).toEqual([user('old'), user('new')]);
  expect(await store.load('old')).toEqual(moved);
  expect(await readdir(join(files.root, '.claw/sessions'))).toEqual([
    fingerprintWorkspace(files.root),
  ]);
  expect(await store.remove('old')).toBe(true);
  await expect(store.load('old')).rejects.toMatchObject({ code: 'not_found' });
});

test('a transcript of another workspace is not ours: not listed, not loaded, not deleted', async () => {
  await files.put('mine.jsonl', metaLine('mine', { workspace_root: files.root }));
  await files.put('theirs.jsonl', metaLine('theirs', { workspace_root: '/elsewhere' }));
  await writeFile(former('flat.jsonl'), metaLine('flat', { workspace_root: '/elsewhere' }));

  expect((await files.listIds()).ids).toEqual(['mine']);
  for (const id of ['theirs', 'flat']) {
    await expect(store.load(id)).rejects.toMatchObject({
      retryable: false,
      message: `session '${id}' can't be read: it belongs to the workspace /elsewhere`,
      details: { kind: 'session_load_failed' },
    });
    expect(await store.remove(id)).toBe(false);
  }
  expect(await readdir(join(files.root, '.claw/sessions'))).toContain('flat.jsonl');
});

test('a folder that is named has no fingerprint below it and may hold anybody’s', async () => {
  const directory = join(files.root, 'archive');
  await mkdir(directory);
  await writeFile(join(directory, 's1.jsonl'), metaLine('s1', { workspace_root: '/elsewhere' }));
  const named = await createTranscriptFiles({ root: files.root, directory, clock: files.clock });

  const created = await named.create({ id: 's2', messages: [] });

  expect(created.path).toBe(join(directory, 's2.jsonl'));
  expect((await named.load('s1')).workspaceRoot).toBe('/elsewhere');
  await expect(named.load('../s1.jsonl')).rejects.toMatchObject({ code: 'invalid_input' });
});
