import { chmod, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Tool } from '../../core/tools/tool.ts';
import {
  callTool,
  failureOf,
  inputErrors,
  openTestWorkspace,
  type TestWorkspace,
} from '../test-workspace.ts';
import { createFsEdit } from './fs-edit.ts';

let workspace: TestWorkspace;
let tool: Tool;

beforeEach(async () => {
  workspace = await openTestWorkspace();
  tool = createFsEdit(workspace.guard);
  await workspace.put('a.txt', 'one\ntwo\nthree\n');
});

afterEach(() => workspace.remove());

test('replaces the one place where the old text stands', async () => {
  await chmod(join(workspace.root, 'a.txt'), 0o640);

  const output = await callTool(tool, { path: 'a.txt', old: 'two', new: '$& 2' });

  expect(output).toEqual({ path: 'a.txt', updated: true, mode: 'replace_once' });
  expect(tool.summarize({ path: 'a.txt' }, output)).toBe('applied 1 edit(s) to a.txt');
  expect(await workspace.text('a.txt')).toBe('one\n$& 2\nthree\n');
  expect((await stat(join(workspace.root, 'a.txt'))).mode & 0o777).toBe(0o640);
});

test('replaces line ranges that refer to the file as it was', async () => {
  const edits = [
    { startLine: 3, endLine: 3, newText: 'drei\nvier' },
    { startLine: 1, endLine: 2, newText: '' },
  ];

  const output = await callTool(tool, { path: 'a.txt', edits });

  expect(output).toEqual({ path: 'a.txt', updated: true, mode: 'line_patch', applied_edits: 2 });
  expect(tool.summarize({ path: 'a.txt' }, output)).toBe('applied 2 edit(s) to a.txt');
  expect(await workspace.text('a.txt')).toBe('drei\nvier\n');
});

test('keeps a byte order mark and Windows line ends', async () => {
  await workspace.put('w.txt', '\uFEFFone\r\ntwo\r\n');

  await callTool(tool, { path: 'w.txt', edits: [{ startLine: 2, endLine: 2, newText: 'zwei' }] });

  expect(await workspace.text('w.txt')).toBe('\uFEFFone\r\nzwei\r\n');
});

test('gives an empty file its first line', async () => {
  await workspace.put('empty.txt');

  await callTool(tool, { path: 'empty.txt', edits: [{ startLine: 1, endLine: 1, newText: 'x' }] });

  expect(await workspace.text('empty.txt')).toBe('x');
});

test('says what to do when the old text is not there', async () => {
  expect(await failureOf(callTool(tool, { path: 'a.txt', old: 'four', new: '4' }))).toEqual({
    code: 'tool_failed',
    message: 'a.txt does not contain old; read the file and copy the text exactly',
    details: { path: 'a.txt', reason: 'old_not_found' },
  });
});

test.each([
  ['t', 'one\ntwo\nthree\n'],
  ['aa', 'aaa'],
])('asks for more context when %j occurs more than once', async (old, content) => {
  await workspace.put('a.txt', content);

  expect(await failureOf(callTool(tool, { path: 'a.txt', old, new: 'T' }))).toEqual({
    code: 'tool_failed',
    message:
      'a.txt contains old more than once; add surrounding lines to old and new so that it occurs exactly once',
    details: { path: 'a.txt', reason: 'old_not_unique' },
  });
  expect(await workspace.text('a.txt')).toBe(content);
});

test.each([
  [[{ startLine: 4, endLine: 4, newText: '' }], 'line 4 is out of bounds: the file has 3 line(s)'],
  [[{ startLine: 2, endLine: 1, newText: '' }], 'endLine 1 is before startLine 2'],
  [
    [
      { startLine: 1, endLine: 2, newText: '' },
      { startLine: 2, endLine: 3, newText: '' },
    ],
    'edits overlap at line 2',
  ],
])('refuses the ranges %j', async (edits, message) => {
  expect(await failureOf(callTool(tool, { path: 'a.txt', edits }))).toEqual({
    code: 'tool_input_invalid',
    message,
    details: { field: 'edits' },
  });
  expect(await workspace.text('a.txt')).toBe('one\ntwo\nthree\n');
});

test('reports a missing file and creates none', async () => {
  expect(await failureOf(callTool(tool, { path: 'gone.txt', old: 'a', new: 'b' }))).toEqual({
    code: 'not_found',
    message: 'gone.txt does not exist',
    details: { path: 'gone.txt' },
  });
});

test('leaves files that are not text alone', async () => {
  await workspace.put('bin', new Uint8Array([97, 0]));
  await workspace.put('latin1', new Uint8Array([97, 0xe4, 98]));

  const binary = await failureOf(callTool(tool, { path: 'bin', old: 'a', new: 'b' }));
  const latin = await failureOf(callTool(tool, { path: 'latin1', old: 'a', new: 'b' }));

  expect(binary.details).toEqual({ path: 'bin', reason: 'binary' });
  expect(latin.details).toEqual({ path: 'latin1', reason: 'not_utf8' });
});

test('refuses a file that is too large to hold', async () => {
  await truncate(join(workspace.root, 'a.txt'), 20 * 1024 ** 3);

  expect(await failureOf(callTool(tool, { path: 'a.txt', old: 'one', new: 'x' }))).toEqual({
    code: 'tool_failed',
    message: 'a.txt is larger than the 8388608 bytes fs.edit handles',
    details: { path: 'a.txt', reason: 'too_large' },
  });
});

test('applies every one of several edits that come at once', async () => {
  const lines = Array.from({ length: 10 }, (_, index) => `line-${index}-end`);
  await workspace.put('many.txt', lines.join('\n'));

  await Promise.all(
    lines.map((old) => callTool(tool, { path: 'many.txt', old, new: old.toUpperCase() })),
  );

  expect(await workspace.text('many.txt')).toBe(lines.join('\n').toUpperCase());
});

test('changes nothing when the call was cancelled', async () => {
  const reason = new Error('cancelled by test');

  const call = callTool(tool, { path: 'a.txt', old: 'one', new: '1' }, AbortSignal.abort(reason));

  await expect(call).rejects.toBe(reason);
  expect(await workspace.text('a.txt')).toBe('one\ntwo\nthree\n');
});

test.each([
  { path: 'a.txt', find: 'x', replace: 'y' },
  { file: 'a.txt', from: 'x', to: 'y' },
  { filename: "'a.txt'", old: 'x', newText: 'y' },
  { target: 'a.txt', old: 'x', value: 'y' },
])('mends the arguments %j', (input) => {
  expect(tool.repair(input)).toEqual({ path: 'a.txt', old: 'x', new: 'y' });
});

const MODE = 'give either old and new, or edits, and not both';
const EDIT = { startLine: 1, endLine: 1, newText: '' };

test.each([
  [{ path: 'a' }, [MODE]],
  [{ path: 'a', old: 'x' }, [MODE]],
  [{ path: 'a', new: 'x' }, [MODE]],
  [{ path: 'a', old: 'x', new: 'y', edits: [EDIT] }, [MODE]],
  [{ path: 'a', old: 'x', edits: [EDIT] }, [MODE]],
  [{ path: 'a', old: '', new: 'y' }, ['old must not be empty']],
  [{ path: 'a', edits: [] }, ['edits must not be empty']],
  [{ path: 'a', edits: 'all' }, ['edits must be an array of {startLine, endLine, newText}']],
  [
    { path: 'a', edits: [{ ...EDIT, startLine: 0 }] },
    ['startLine must be a whole number from 1 to 10000000'],
  ],
  [{ path: 'a', edits: [{ startLine: 1, endLine: 1 }] }, ['newText must be a string']],
  [{ path: 'a', edits: Array(501).fill(EDIT) }, ['edits must have at most 500 items']],
])('refuses bad input (case %#)', (input, messages) => {
  expect(inputErrors(tool, input)).toEqual(messages);
});
