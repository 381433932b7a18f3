import { chmod, link, open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Tool } from '../../core/tools/tool.ts';
import {
  callTool,
  failureOf,
  inputErrors,
  openTestWorkspace,
  SECRET,
  type TestWorkspace,
} from '../test-workspace.ts';
import { createFsAppend } from './fs-append.ts';

let workspace: TestWorkspace;
let tool: Tool;

beforeEach(async () => {
  workspace = await openTestWorkspace();
  tool = createFsAppend(workspace.guard);
});

afterEach(() => workspace.remove());

test('creates a missing file that only its owner can read', async () => {
  const output = await callTool(tool, { path: 'log.txt', content: 'ä\n' });

  expect(output).toEqual({
    path: 'log.txt',
    bytes_appended: 3,
    lines_appended: 2,
    summary: 'appended 2 line(s) to log.txt',
  });
  expect(tool.summarize({}, output)).toBe('appended 2 line(s) to log.txt');
  expect(await workspace.text('log.txt')).toBe('ä\n');
  expect((await stat(join(workspace.root, 'log.txt'))).mode & 0o777).toBe(0o600);
});

test('adds to the end and adds again when it is called again', async () => {
  await workspace.put('log.txt', 'one\n');

  await callTool(tool, { path: 'log.txt', content: 'two\n' });
  await callTool(tool, { path: 'log.txt', content: 'two\n' });

  expect(await workspace.text('log.txt')).toBe('one\ntwo\ntwo\n');
});

test('adds nothing for an empty text', async () => {
  const output = await callTool(tool, { path: 'log.txt', content: '' });

  expect(output).toEqual({
    path: 'log.txt',
    bytes_appended: 0,
    lines_appended: 0,
    summary: 'appended 0 line(s) to log.txt',
  });
  expect(await workspace.text('log.txt')).toBe('');
});

test('loses none of many appends at once', async () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index}\n`);

  await Promise.all(lines.map((content) => callTool(tool, { path: 'log.txt', content })));

  const text = await workspace.text('log.txt');
  expect(text.split('\n').sort()).toEqual(lines.join('').split('\n').sort());
});

test('writes to the file that another program holds open', async () => {
  await workspace.put('log.txt', 'one\n');
  const held = await open(join(workspace.root, 'log.txt'), 'r');

  await callTool(tool, { path: 'log.txt', content: 'two\n' });
  const seen = await held.readFile('utf8').finally(() => held.close());

  expect(seen).toBe('one\ntwo\n');
});

test('makes a hard link a file of its own and leaves the one outside alone', async () => {
  const outside = join(workspace.outside, 'secret.txt');
  await link(outside, join(workspace.root, 'shared.txt'));

  await callTool(tool, { path: 'shared.txt', content: ' and more' });

  expect(await workspace.text('shared.txt')).toBe(`${SECRET} and more`);
  expect(await readFile(outside, 'utf8')).toBe(SECRET);
});

test('makes missing directories only when it is told to', async () => {
  const failure = await failureOf(callTool(tool, { path: 'a/b/log.txt', content: 'x' }));
  await callTool(tool, { path: 'a/b/log.txt', content: 'x', create_parents: true });

  expect(failure).toEqual({
    code: 'not_found',
    message:
      'directory a/b does not exist; try again with create_parents set to true to make it, ' +
      'or look at what is there with fs.list',
    details: { path: 'a/b/log.txt' },
  });
  expect(await workspace.text('a/b/log.txt')).toBe('x');
});

test.each([
  ['evil/secret.txt', 'symlink_outside'],
  ['evil.txt', 'symlink_outside'],
  ['../workspace-2.txt', 'traversal'],
  ['vault/key.txt', 'reserved_path'],
  ['.openclawssy/config.json', 'reserved_path'],
  ['docs/Rules.md', 'control_file'],
])('does not append to %s', async (path, reason) => {
  await workspace.link('evil', workspace.outside);
  await workspace.link('evil.txt', join(workspace.outside, 'secret.txt'));
  const before = await workspace.readOutside();

  const failure = await failureOf(callTool(tool, { path, content: 'x', create_parents: true }));

  expect([failure.code, failure.details]).toEqual(['policy_denied', { path, reason }]);
  expect(await workspace.readOutside()).toEqual(before);
});

test('does not append to a directory or a read-only file', async () => {
  await workspace.put('dir/a.txt', 'x');
  await chmod(join(workspace.root, 'dir/a.txt'), 0o444);

  const failures = [
    await failureOf(callTool(tool, { path: 'dir', content: 'x' })),
    await failureOf(callTool(tool, { path: 'dir/a.txt', content: 'x' })),
  ];

  expect(failures.map(({ message }) => message)).toEqual([
    'dir is a directory',
    'dir/a.txt is read-only',
  ]);
  expect(await workspace.text('dir/a.txt')).toBe('x');
});

test('mends aliases, quotes and booleans written as words', () => {
  const mended = tool.repair({ file: ' `a.txt` ', text: 'x', create_parents: 'True' });

  expect(mended).toEqual({ path: 'a.txt', content: 'x', create_parents: true });
  expect(inputErrors(tool, { path: 'a.txt' })).toEqual(['content is required']);
  expect(inputErrors(tool, { path: 'a', content: 'x', create_parents: 'constructor' })).toEqual([
    'create_parents must be true or false',
  ]);
});
