import { chmod, link, readdir, stat } from 'node:fs/promises';
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
import { createFsWrite } from './fs-write.ts';

let workspace: TestWorkspace;
let tool: Tool;

beforeEach(async () => {
  workspace = await openTestWorkspace();
  tool = createFsWrite(workspace.guard);
});

afterEach(() => workspace.remove());

const modeOf = async (path: string) => (await stat(join(workspace.root, path))).mode & 0o7777;

test('writes a new file that only its owner can read', async () => {
  const output = await callTool(tool, { path: 'a.txt', content: 'ä\nb' });

  expect(output).toEqual({
    path: 'a.txt',
    bytes: 4,
    lines: 2,
    summary: 'wrote 2 line(s) to a.txt',
  });
  expect(tool.summarize({ path: 'a.txt', content: 'ä\nb' }, output)).toBe(
    'wrote 2 line(s) to a.txt',
  );
  expect(await workspace.text('a.txt')).toBe('ä\nb');
  expect(await modeOf('a.txt')).toBe(0o600);
});

test('replaces a file, keeps its mode and leaves nothing beside it', async () => {
  await workspace.put('dir/run.sh', 'old and longer');
  await chmod(join(workspace.root, 'dir/run.sh'), 0o755);

  const output = await callTool(tool, { path: 'dir/run.sh', content: 'new\n' });

  expect(output).toEqual({
    path: 'dir/run.sh',
    bytes: 4,
    lines: 2,
    summary: 'wrote 2 line(s) to dir/run.sh',
  });
  expect(await workspace.text('dir/run.sh')).toBe('new\n');
  expect(await modeOf('dir/run.sh')).toBe(0o755);
  expect(await readdir(join(workspace.root, 'dir'))).toEqual(['run.sh']);
});

test('counts no lines in an empty file', async () => {
  expect(await callTool(tool, { path: 'a.txt', content: '' })).toEqual({
    path: 'a.txt',
    bytes: 0,
    lines: 0,
    summary: 'wrote 0 line(s) to a.txt',
  });
});

test('writes through a link that stays inside and keeps the link', async () => {
  await workspace.put('real.txt', 'old');
  await workspace.link('alias.txt', 'real.txt');

  await callTool(tool, { path: 'alias.txt', content: 'new' });

  expect(await workspace.text('real.txt')).toBe('new');
  const names = await readdir(workspace.root, { withFileTypes: true });
  expect(names.find(({ name }) => name === 'alias.txt')?.isSymbolicLink()).toBe(true);
});

test('creates the file that a dangling link inside the workspace names', async () => {
  await workspace.link('alias.txt', 'new.txt');

  await callTool(tool, { path: 'alias.txt', content: 'new' });

  expect(await workspace.text('new.txt')).toBe('new');
});

test('replaces a hard link instead of writing to the file outside', async () => {
  await link(join(workspace.outside, 'secret.txt'), join(workspace.root, 'hard.txt'));
  const before = await workspace.readOutside();

  await callTool(tool, { path: 'hard.txt', content: 'mine' });

  expect(await workspace.text('hard.txt')).toBe('mine');
  expect(await workspace.readOutside()).toEqual(before);
  expect(before[join(workspace.outside, 'secret.txt')]).toBe(SECRET);
});

test('does not create directories unless asked, and says how to ask', async () => {
  const call = callTool(tool, { path: 'x/y/a.txt', content: '' });

  expect(await failureOf(call)).toEqual({
    code: 'not_found',
    message:
      'directory x/y does not exist; try again with create_parents set to true to make it, ' +
      'or look at what is there with fs.list',
    details: { path: 'x/y/a.txt' },
  });
  expect(await readdir(workspace.root)).toEqual(['.openclawssy', 'vault']);
});

test('creates missing directories when asked', async () => {
  await callTool(tool, { path: 'x/y/a.txt', content: 'deep', create_parents: true });

  expect(await workspace.text('x/y/a.txt')).toBe('deep');
  expect([await modeOf('x'), await modeOf('x/y')]).toEqual([0o700, 0o700]);
});

test('refuses to replace a directory', async () => {
  await workspace.put('dir/a.txt');

  expect(await failureOf(callTool(tool, { path: 'dir', content: '' }))).toEqual({
    code: 'tool_failed',
    message: 'dir is a directory',
    details: { path: 'dir', reason: 'is_directory' },
  });
});

test('refuses to replace a read-only file', async () => {
  await workspace.put('fixed.txt', 'old');
  await chmod(join(workspace.root, 'fixed.txt'), 0o444);

  expect(await failureOf(callTool(tool, { path: 'fixed.txt', content: 'new' }))).toEqual({
    code: 'tool_failed',
    message: 'fixed.txt is read-only',
    details: { path: 'fixed.txt', reason: 'read_only' },
  });
  expect(await workspace.text('fixed.txt')).toBe('old');
});

test('changes nothing when the call was cancelled', async () => {
  const reason = new Error('cancelled by test');
  await workspace.put('a.txt', 'old');

  const call = callTool(tool, { path: 'a.txt', content: 'new' }, AbortSignal.abort(reason));

  await expect(call).rejects.toBe(reason);
  expect(await workspace.text('a.txt')).toBe('old');
});

test('lets concurrent writers each leave a whole file', async () => {
  const contents = Array.from({ length: 20 }, (_, index) => String(index).repeat(10_000));

  await Promise.all(contents.map((content) => callTool(tool, { path: 'a.txt', content })));

  expect(contents).toContain(await workspace.text('a.txt'));
  expect(await readdir(workspace.root)).toEqual(['.openclawssy', 'a.txt', 'vault']);
});

test.each([
  { path: 'a.txt', text: 'hi' },
  { file: 'a.txt', body: 'hi' },
  { filename: 'a.txt', code: 'hi' },
  { target: 'a.txt', value: 'hi' },
  { name: 'a.txt', data: 'hi' },
  { path: '`a.txt`', newText: 'hi' },
  { path: 'a.txt, hi' },
])('mends the arguments %j', (input) => {
  expect(tool.repair(input)).toEqual({ path: 'a.txt', content: 'hi' });
});

test.each([
  [{ content: 'x' }, ['path is required']],
  [{ path: 'a' }, ['content is required']],
  [{ path: 'a', content: 1 }, ['content must be a string']],
  [{ path: 'a', content: 'x', create_parents: 'yes' }, ['create_parents must be true or false']],
  [{ path: 'a', content: 'x', mode: 1 }, ['Unrecognized key: "mode"']],
  [{ path: 'a', content: 'ä'.repeat(4_194_305) }, ['content must be at most 8388608 bytes']],
])('refuses bad input (case %#)', (input, messages) => {
  expect(inputErrors(tool, input)).toEqual(messages);
});
