import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tool } from '../../core/tools/tool.ts';
import {
  callTool,
  failureOf,
  inputErrors,
  openTestWorkspace,
  type TestWorkspace,
} from '../test-workspace.ts';
import { createFsRead } from './fs-read.ts';

let workspace: TestWorkspace;
let tool: Tool;

beforeAll(async () => {
  workspace = await openTestWorkspace();
  tool = createFsRead(workspace.guard);
  await workspace.put('notes.txt', 'hello\nworld\n');
  await workspace.put('empty.txt');
  await workspace.put('umlauts.txt', 'äöü');
});

afterAll(() => workspace.remove());

test('reads a whole file', async () => {
  const output = await callTool(tool, { path: 'notes.txt' });

  expect(output).toEqual({ path: 'notes.txt', content: 'hello\nworld\n', truncated: false });
  expect(tool.summarize({ path: 'notes.txt' }, output)).toBe('read notes.txt');
});

test('reads an empty file and says so in its summary', async () => {
  const output = await callTool(tool, { path: 'empty.txt' });

  expect(output).toEqual({ path: 'empty.txt', content: '', truncated: false });
  expect(tool.summarize({ path: 'empty.txt' }, output)).toBe('read empty.txt (empty)');
});

test('is not truncated when the limit is exactly the size of the file', async () => {
  const output = await callTool(tool, { path: 'notes.txt', max_bytes: 12 });

  expect(output).toEqual({ path: 'notes.txt', content: 'hello\nworld\n', truncated: false });
});

test('goes on where a truncated answer ended', async () => {
  const first = await callTool(tool, { path: 'notes.txt', max_bytes: 11 });
  const second = await callTool(tool, { path: 'notes.txt', offset: 11 });

  expect(first).toEqual({
    path: 'notes.txt',
    content: 'hello\nworld',
    truncated: true,
    next_offset: 11,
  });
  expect(second).toEqual({ path: 'notes.txt', content: '\n', truncated: false });
});

test('never cuts a character in half', async () => {
  const output = await callTool(tool, { path: 'umlauts.txt', max_bytes: 3 });

  expect(output).toEqual({ path: 'umlauts.txt', content: 'ä', truncated: true, next_offset: 2 });
});

test('makes progress when the limit is smaller than one character', async () => {
  const output = await callTool(tool, { path: 'umlauts.txt', max_bytes: 1 });

  expect(output).toEqual({
    path: 'umlauts.txt',
    content: '\uFFFD',
    truncated: true,
    next_offset: 1,
  });
});

test.each([0, -5])('takes max_bytes %d as the default', async (max_bytes) => {
  await workspace.put('large.txt', 'x'.repeat(262_145));

  const output = await callTool(tool, { path: 'large.txt', max_bytes });

  expect(output).toEqual({
    path: 'large.txt',
    content: 'x'.repeat(262_144),
    truncated: true,
    next_offset: 262_144,
  });
});

test('reads the start of a file far larger than memory', async () => {
  const huge = join(workspace.root, 'huge.log');
  await writeFile(huge, 'first line\n');
  await truncate(huge, 20 * 1024 ** 3);

  const output = await callTool(tool, { path: 'huge.log', max_bytes: 11 });

  expect(output).toEqual({
    path: 'huge.log',
    content: 'first line\n',
    truncated: true,
    next_offset: 11,
  });
});

test('reads nothing behind the end of a file', async () => {
  const output = await callTool(tool, { path: 'notes.txt', offset: 999 });

  expect(output).toEqual({ path: 'notes.txt', content: '', truncated: false });
});

test('follows a link that stays inside the workspace', async () => {
  await workspace.link('alias.txt', 'notes.txt');

  const output = await callTool(tool, { path: 'alias.txt' });

  expect(output).toEqual({ path: 'alias.txt', content: 'hello\nworld\n', truncated: false });
});

test.each([
  { file: 'notes.txt' },
  { filename: 'notes.txt' },
  { target: 'notes.txt' },
  { name: 'notes.txt' },
  { path: ' "notes.txt" ' },
  { path: "'notes.txt'" },
  { path: '`"notes.txt"`' },
])('mends the arguments %j', async (input) => {
  const output = await callTool(tool, input);

  expect(output).toEqual({ path: 'notes.txt', content: 'hello\nworld\n', truncated: false });
});

test('refuses a binary file', async () => {
  await workspace.put('image.bin', new Uint8Array([1, 0, 2]));

  expect(await failureOf(callTool(tool, { path: 'image.bin' }))).toEqual({
    code: 'tool_failed',
    message: 'image.bin is a binary file, not text',
    details: { path: 'image.bin', reason: 'binary' },
  });
});

test('reports a missing file', async () => {
  expect(await failureOf(callTool(tool, { path: 'gone.txt' }))).toEqual({
    code: 'not_found',
    message: 'gone.txt does not exist',
    details: { path: 'gone.txt' },
  });
});

test('points to fs.list for a directory', async () => {
  expect(await failureOf(callTool(tool, { path: '.' }))).toEqual({
    code: 'tool_failed',
    message: '. is a directory; use fs.list',
    details: { path: '.', reason: 'is_directory' },
  });
});

test('stops when the call was cancelled', async () => {
  const reason = new Error('cancelled by test');

  const call = callTool(tool, { path: 'notes.txt' }, AbortSignal.abort(reason));

  await expect(call).rejects.toBe(reason);
});

test.each([
  [{}, ['path is required']],
  [{ path: 7 }, ['path must be a string']],
  [{ path: 'a', max_bytes: 1.5 }, ['max_bytes must be a whole number']],
  [{ path: 'a', max_bytes: 5_000_000 }, ['max_bytes must be at most 4194304']],
  [{ path: 'a', offset: -1 }, ['offset must be a whole number from 0 to 9007199254740991']],
  [{ path: 'a', encoding: 'x' }, ['Unrecognized key: "encoding"']],
])('refuses the input %j', (input, messages) => {
  expect(inputErrors(tool, input)).toEqual(messages);
});
