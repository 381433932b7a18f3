import { appendFile, mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
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

test('reading creates nothing', async () => {
  expect(await store.list(10)).toEqual({ transcripts: [], isCut: false });
  expect(await store.remove('s1')).toBe(false);
  for (const reference of ['s1', 'latest', 'last', 'recent', '.claw/sessions/s1.jsonl']) {
    await expect(store.load(reference)).rejects.toMatchObject({
      code: 'not_found',
      message: `session '${reference}' not found in ${store.directory}`,
      details: { thing: 'session', name: reference, operation: 'resolve_session' },
    });
  }
  await expect(store.append('s1', [user('hi')])).rejects.toMatchObject({ code: 'not_found' });
  await expect(store.snapshot('s1')).rejects.toMatchObject({ code: 'not_found' });

  expect(await readdir(files.root)).toEqual([]);
});

test('what was appended is there: one line in place, several in a file of their own', async () => {
  await store.create({ id: 's1', messages: [user('one')] });
  const inode = (await stat(files.pathOf('s1'))).ino;
  files.nowMs += 1_000;

  const second = await store.append('s1', [
    { ...user('two'), usage: { inputTokens: 3, outputTokens: 4 } },
  ]);
  const kept = (await stat(files.pathOf('s1'))).ino;
  files.nowMs += 1_000;
  const fourth = await store.append('s1', [user('three'), user('four')]);

  expect(kept).toBe(inode);
  expect(second).toMatchObject({
    updatedAtMs: files.nowMs - 1_000,
    usage: { inputTokens: 3, outputTokens: 4 },
  });
  expect(fourth).toMatchObject({ createdAtMs: files.nowMs - 2_000, updatedAtMs: files.nowMs });
  expect(await store.load('s1')).toEqual(fourth);
  expect(await store.append('s1', [])).toEqual(fourth);
});

test('an id is given once', async () => {
  await store.create({ id: 's1', messages: [user('first')] });

  await expect(store.create({ id: 's1', messages: [] })).rejects.toMatchObject({
    code: 'conflict',
    message: "session 's1' already exists",
  });
  expect((await store.load('s1')).messages).toEqual([user('first')]);
});

test('a damaged line fails the load with its number', async () => {
  await files.put(
    's1.jsonl',
    `${metaLine('s1')}${messageLine('one')}{"type":"message"}\n${messageLine('two')}`,
  );
  await files.put(
    's2.jsonl',
    Buffer.concat([Buffer.from(metaLine('s2')), Buffer.from([0xff, 10])]),
  );
  const before = await readFile(files.pathOf('s1'), 'utf8');

  await expect(store.load('s1')).rejects.toMatchObject({
    code: 'storage_unavailable',
    retryable: true,
    message: "session 's1' can't be read: line 3: message is not an object",
    details: {
      kind: 'session_load_failed',
      operation: 'load_session',
      target: files.pathOf('s1'),
      line: 3,
    },
  });
  await expect(store.append('s1', [user('x')])).rejects.toMatchObject({
    details: { kind: 'session_load_failed' },
  });
  await expect(store.load('s2')).rejects.toMatchObject({
    message: "session 's2' can't be read: line 2: it is not valid UTF-8",
  });
  expect(await readFile(files.pathOf('s1'), 'utf8')).toBe(before);
});

test('a line that a crash cut off is reported, and gone after the next write', async () => {
  await store.create({ id: 's1', messages: [user('one')] });
  await store.append('s1', [user('zwei, ä')]);
  const whole = await readFile(files.pathOf('s1'));
  const start = whole.lastIndexOf(10, -2) + 1;

  for (let cut = start + 1; cut < whole.length - 1; cut += 1) {
    await writeFile(files.pathOf('s1'), whole.subarray(0, cut));
    expect(await store.load('s1')).toMatchObject({ hasTornTail: true, messages: [user('one')] });
  }
  const repaired = await store.append('s1', [user('two')]);

  expect(repaired).toMatchObject({ hasTornTail: false, messages: [user('one'), user('two')] });
  expect(await store.load('s1')).toEqual(repaired);
});

test('a last line without its line break is kept by the next write', async () => {
  await store.create({ id: 's1', messages: [user('one')] });
  await truncate(files.pathOf('s1'), (await stat(files.pathOf('s1'))).size - 1);

  expect(await store.load('s1')).toMatchObject({ hasTornTail: false, messages: [user('one')] });
  await store.append('s1', [user('two')]);

  expect((await store.load('s1')).messages).toEqual([user('one'), user('two')]);
});

test('a snapshot keeps everything in order and rotates what has overgrown, three copies at most', async () => {
  const prompts = [{ atMs: 5, text: 'hi' }];
  await store.create({ id: 's1', messages: [user('one')], promptHistory: prompts });
  const compaction = { type: 'compaction', count: 1, removed_message_count: 2, summary: 'before' };
  await appendFile(files.pathOf('s1'), `${JSON.stringify(compaction)}\n`);
  await store.append('s1', [user('x'.repeat(256 * 1024))]);
  const before = await store.load('s1');

  for (let round = 0; round < 5; round += 1) {
    files.nowMs += 10;
    expect(await store.snapshot('s1')).toEqual(before);
  }

  expect(before.promptHistory).toEqual(prompts);
  expect(before.compaction).toEqual({ count: 1, removedMessageCount: 2, summary: 'before' });
  expect(await store.load('s1')).toEqual(before);
  const types = (await readFile(files.pathOf('s1'), 'utf8')).match(/^\{"type":"[a-z_]+"/gm);
  expect(types).toEqual([
    '{"type":"session_meta"',
    '{"type":"compaction"',
    '{"type":"prompt_history"',
    '{"type":"message"',
    '{"type":"message"',
  ]);
  expect((await readdir(store.directory)).sort()).toEqual([
    '.locks',
    's1.jsonl',
    `s1.rot-${files.nowMs - 20}.jsonl`,
    `s1.rot-${files.nowMs - 10}.jsonl`,
    `s1.rot-${files.nowMs}.jsonl`,
  ]);
  expect(await files.listIds()).toEqual({ ids: ['s1'], isCut: false });
});

test('deleting takes the copies along', async () => {
  await store.create({ id: 's1', messages: [user('x'.repeat(256 * 1024))] });
  await store.create({ id: 's10', messages: [] });
  await store.snapshot('s1');

  expect(await store.remove('s1')).toBe(true);
  expect(await store.remove('s1')).toBe(false);

  expect((await readdir(store.directory)).sort()).toEqual(['.locks', 's10.jsonl']);
});

test('what can not be deleted is not called absent', async () => {
  await mkdir(files.pathOf('s1'), { recursive: true });

  await expect(store.remove('s1')).rejects.toMatchObject({
    code: 'storage_unavailable',
    retryable: true,
    details: {
      kind: 'session_delete_failed',
      operation: 'delete_session',
      target: files.pathOf('s1'),
    },
  });
});

test('a damaged transcript can be deleted', async () => {
  await files.put('s1.jsonl', 'no\n');

  expect(await store.remove('s1')).toBe(true);
});

test('a fork has everything of its parent and says whose it is', async () => {
  await store.create({ id: 's1', model: 'm/1', messages: [user('one')] });
  await store.append('s1', [user('two')]);
  files.nowMs += 1_000;

  const fork = await store.fork('latest', 's2');
  await store.append('s1', [user('three')]);

  expect(fork).toMatchObject({ id: 's2', parentId: 's1', model: 'm/1', createdAtMs: files.nowMs });
  expect((await store.load('s2')).messages).toEqual([user('one'), user('two')]);
  await expect(store.fork('s1', 's2')).rejects.toMatchObject({ code: 'conflict' });
  await expect(store.fork('s9', 's3')).rejects.toMatchObject({ code: 'not_found' });
});

test('what the disk refuses says which call and where', async () => {
  const file = join(files.root, 'file');
  await writeFile(file, '');
  const inFile = await createTranscriptFiles({
    root: files.root,
    directory: file,
    clock: files.clock,
  });

  await expect(inFile.list(10)).rejects.toMatchObject({
    code: 'storage_unavailable',
    message: `readdir ${file}: not a directory (ENOTDIR)`,
    details: {
      operation: 'readdir',
      target: file,
      hint: 'a part of the path is a file where a folder is needed',
    },
  });
  await expect(inFile.create({ id: 's1', messages: [] })).rejects.toMatchObject({
    code: 'storage_unavailable',
    details: { operation: 'mkdir', target: file },
  });
});

test('too long a line and too large a file are refused, and nothing of them stays', async () => {
  await store.create({ id: 's1', messages: [user('one')] });
  const size = (await stat(files.pathOf('s1'))).size;

  await expect(store.append('s1', [user('x'.repeat(8 * 1024 * 1024))])).rejects.toMatchObject({
    code: 'payload_too_large',
  });
  expect((await stat(files.pathOf('s1'))).size).toBe(size);
  await truncate(files.pathOf('s1'), 64 * 1024 * 1024 + 1);
  await expect(store.load('s1')).rejects.toMatchObject({
    message: `session 's1' can't be read: it is larger than ${64 * 1024 * 1024} bytes`,
  });
});

test('ids are fresh', () => {
  const [first, second] = [store.newId(), store.newId()];

  expect(first).toMatch(/^session-\d{13}-\d+$/);
  expect(second).not.toBe(first);
});
