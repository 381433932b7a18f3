import { execFileSync } from 'node:child_process';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { asCalled, type Tool } from '../../core/tools/tool.ts';
import {
  callTool,
  failureOf,
  inputErrors,
  openTestWorkspace,
  type TestWorkspace,
} from '../test-workspace.ts';
import { createFsDelete } from './fs-delete.ts';
import { createPathGuard } from './paths/path-guard.ts';

const RESERVED = ['.openclawssy', '.openclawssy/config.json', 'vault', 'vault/key.txt'];

let workspace: TestWorkspace;
let tool: Tool;

beforeEach(async () => {
  workspace = await openTestWorkspace();
  tool = createFsDelete(workspace.guard);
});

afterEach(() => workspace.remove());

test('deletes a file', async () => {
  await workspace.put('a.txt', 'x');
  await workspace.put('b.txt', 'x');

  const output = await callTool(tool, { path: 'a.txt' });

  expect(output).toEqual({
    path: 'a.txt',
    deleted: true,
    type: 'file',
    recursive: false,
    summary: 'deleted a.txt',
  });
  expect(tool.summarize({}, output)).toBe('deleted a.txt');
  expect(await workspace.names()).toEqual([
    ...RESERVED.slice(0, 2),
    'b.txt',
    'vault',
    'vault/key.txt',
  ]);
});

test.each([
  ['with /proc', false],
  ['without /proc', true],
])('deletes a directory with all that is in it (%s)', async (_, portable) => {
  await workspace.put('dir/a.txt');
  await workspace.put('dir/.git/objects/ab/cd');
  await workspace.put('dir/deep/er/b.txt');
  await mkdir(join(workspace.root, 'dir/empty'));
  const guard = portable ? workspace.portableGuard : workspace.guard;

  const output = await callTool(createFsDelete(guard), { path: 'dir/', recursive: true });

  expect(output).toEqual({
    path: 'dir/',
    deleted: true,
    type: 'dir',
    recursive: true,
    summary: 'deleted directory dir/ (10 entries)',
  });
  expect(await workspace.names()).toEqual(RESERVED);
});

test('deletes a directory only when it is told to', async () => {
  await mkdir(join(workspace.root, 'empty'));

  const failure = await failureOf(callTool(tool, { path: 'empty', force: true }));

  expect(failure).toEqual({
    code: 'tool_failed',
    message: 'empty is a directory; set recursive to true to delete it with all that is in it',
    details: { path: 'empty', reason: 'is_directory' },
  });
  expect(await workspace.names()).toEqual([
    ...RESERVED.slice(0, 2),
    'empty',
    'vault',
    'vault/key.txt',
  ]);
});

test('fails for what is not there, and succeeds with force', async () => {
  const failure = await failureOf(callTool(tool, { path: 'no/such.txt' }));
  const output = await callTool(tool, { path: 'no/such.txt', force: true });

  expect(failure).toEqual({
    code: 'not_found',
    message: 'no/such.txt does not exist',
    details: { path: 'no/such.txt' },
  });
  expect(output).toEqual({
    path: 'no/such.txt',
    deleted: false,
    recursive: false,
    skipped: 'not_found',
    summary: 'no/such.txt does not exist; nothing deleted',
  });
});

test.each(['', '/', '/.'])('deletes a link and not what it leads to (link%s)', async (end) => {
  const before = await workspace.readOutside();
  await workspace.put('dir/kept.txt');
  await workspace.link('out', workspace.outside);
  await workspace.link('in', 'dir');
  await workspace.link('loop', 'loop');

  const outputs = [
    await callTool(tool, { path: `out${end}`, recursive: true }),
    await callTool(tool, { path: `in${end}`, recursive: true }),
    await callTool(tool, { path: `loop${end}` }),
  ];

  expect(outputs.map(({ deleted, type }) => [deleted, type])).toEqual(
    Array.from({ length: 3 }, () => [true, 'file']),
  );
  expect(await workspace.names()).toEqual([
    ...RESERVED.slice(0, 2),
    'dir',
    'dir/kept.txt',
    'vault',
    'vault/key.txt',
  ]);
  expect(await workspace.readOutside()).toEqual(before);
});

test('deletes the links in a directory and nothing behind them', async () => {
  const before = await workspace.readOutside();
  await workspace.put('dir/sub/a.txt');
  await workspace.link('dir/out', workspace.outside);
  await workspace.link('dir/sub/vault', join(workspace.root, 'vault'));
  await workspace.link('dir/sub/up', '../..');

  await callTool(tool, { path: 'dir', recursive: true });

  expect(await workspace.names()).toEqual(RESERVED);
  expect(await workspace.readOutside()).toEqual(before);
});

test('deletes a link that carries the name of nothing special but leads to a control file', async () => {
  await workspace.put('SOUL.md', 'who I am');
  await workspace.link('notes.md', 'SOUL.md');

  await callTool(tool, { path: 'notes.md' });

  expect(await workspace.text('SOUL.md')).toBe('who I am');
});

test.each([
  ['.', 'workspace_root'],
  ['dir/..', 'workspace_root'],
  ['{root}', 'workspace_root'],
  ['dir/up/..', 'symlink_outside'],
  ['..', 'traversal'],
  ['../outside', 'traversal'],
  ['{outside}/secret.txt', 'outside_workspace'],
  ['out/secret.txt', 'symlink_outside'],
  ['out/sub', 'symlink_outside'],
  ['vault', 'reserved_path'],
  ['vault/key.txt', 'reserved_path'],
  ['tovault/key.txt', 'reserved_path'],
  ['.openclawssy', 'reserved_path'],
  ['.OpenClawssy/config.json', 'reserved_path'],
  ['dir/.claw', 'reserved_path'],
  ['SOUL.md', 'control_file'],
  ['dir/soul.MD', 'control_file'],
  ['pipe', 'special_file'],
  ['a\0b', 'nul_byte'],
  ['', 'empty_path'],
])('never deletes %j (%s)', async (template, reason) => {
  await workspace.put('SOUL.md', 'who I am');
  await workspace.put('dir/soul.MD', 'who I am');
  await workspace.link('out', workspace.outside);
  await workspace.link('tovault', 'vault');
  await workspace.link('dir/up', '..');
  execFileSync('mkfifo', [join(workspace.root, 'pipe')]);
  const before = await workspace.readOutside();
  const names = await workspace.names();
  const path = template.replace('{root}', workspace.root).replace('{outside}', workspace.outside);

  const { code, details } = await failureOf(callTool(tool, { path, recursive: true, force: true }));

  expect([code, details]).toMatchObject(['policy_denied', { reason }]);
  expect(await workspace.names()).toEqual(names);
  expect(await workspace.readOutside()).toEqual(before);
});

test.each([
  ['a reserved name', 'top/sub/.claw/sessions/x.jsonl', 'top/sub/.claw', 'reserved_path'],
  ['a reserved directory', 'top/sub/state/key', 'top/sub/state', 'reserved_path'],
  ['a control file', 'top/sub/HANDOFF.md', 'top/sub/HANDOFF.md', 'control_file'],
])('leaves a directory whole when it holds %s', async (_, held, path, reason) => {
  const reserved = [join(workspace.root, 'top/sub/state')];
  const guarded = createFsDelete(createPathGuard({ root: workspace.root, reserved }));
  for (const name of ['a/1.txt', 'sub/2.txt', 'z/3.txt']) await workspace.put(`top/${name}`);
  await workspace.put(held);
  const names = await workspace.names();

  const failure = await failureOf(callTool(guarded, { path: 'top', recursive: true }));

  expect([failure.code, failure.details]).toEqual(['policy_denied', { path, reason }]);
  expect(await workspace.names()).toEqual(names);
});

test('leaves a directory whole that is deeper than it goes', async () => {
  const deep = Array.from({ length: 70 }, () => 'd').join('/');
  await workspace.put(`top/${deep}/a.txt`);

  const failure = await failureOf(callTool(tool, { path: 'top', recursive: true }));

  expect(failure).toEqual({
    code: 'tool_failed',
    message: 'top is more than 64 directories deep; take its parts one by one',
    details: { path: 'top', reason: 'too_deep' },
  });
  expect(await workspace.names()).toContain(`top/${deep}/a.txt`);
});

test('stops when the call is aborted', async () => {
  await workspace.put('dir/a.txt');

  const call = callTool(tool, { path: 'dir', recursive: true }, AbortSignal.abort());

  await expect(call).rejects.toThrow('aborted');
  expect(await readdir(join(workspace.root, 'dir'))).toEqual(['a.txt']);
});

test('does not follow a link that took the place of a directory after the check', async () => {
  await workspace.put('dir/sub/a.txt');
  const before = await workspace.readOutside();
  const holder = (await workspace.guard.openDirectory('dir')).directory;
  await workspace.guard.remove('dir/sub', {
    recursive: true,
    signal: new AbortController().signal,
  });
  await symlink(workspace.outside, join(workspace.root, 'dir/sub'));

  const failures = [
    await failureOf(holder.openChild('sub')),
    await failureOf(holder.removeEmptyDirectory('sub')),
  ];
  await holder.unlink('sub');
  await holder.close();

  expect(failures.map(({ details }) => details)).toEqual([
    { path: 'dir', reason: 'path_changed' },
    { path: 'dir', reason: 'not_a_directory' },
  ]);
  expect(await workspace.readOutside()).toEqual(before);
});

test('mends aliases, quotes and booleans written as words', () => {
  expect(tool.repair({ target: '"a.txt"', recursive: 'true', force: 'FALSE' })).toEqual({
    path: 'a.txt',
    recursive: true,
    force: false,
  });
  expect(inputErrors(tool, { recursive: 1 })).toEqual([
    'path is required',
    'recursive must be true or false',
  ]);
});

test('may be repeated with force and only then', () => {
  const repeatable = [{ force: true }, { force: 'true' }, { force: false }, {}].map(
    (flags) => asCalled(tool, { path: 'a.txt', ...flags }).idempotent,
  );

  expect(repeatable).toEqual([true, true, false, false]);
});
