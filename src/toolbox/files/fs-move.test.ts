import { execFileSync } from 'node:child_process';
import { chmod, link, lstat, mkdir, readlink, stat } from 'node:fs/promises';
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
import { createFsMove } from './fs-move.ts';

let workspace: TestWorkspace;
let tool: Tool;

beforeEach(async () => {
  workspace = await openTestWorkspace();
  tool = createFsMove(workspace.guard);
});

afterEach(() => workspace.remove());

/** Names in the workspace without those that every test workspace has. */
const names = async () =>
  (await workspace.names()).filter((name) => !/^(?:vault|\.openclawssy)(?:\/|$)/.test(name));

test.each([
  ['with /proc', false],
  ['without /proc', true],
])('moves a file and keeps its content and mode (%s)', async (_, portable) => {
  await workspace.put('a.sh', 'text');
  await chmod(join(workspace.root, 'a.sh'), 0o755);
  await mkdir(join(workspace.root, 'dir'));
  const moving = createFsMove(portable ? workspace.portableGuard : workspace.guard);

  const output = await callTool(moving, { src: 'a.sh', dst: 'dir/b.sh' });

  expect(output).toEqual({
    src: 'a.sh',
    dst: 'dir/b.sh',
    moved: true,
    type: 'file',
    overwrite: false,
    summary: 'moved a.sh to dir/b.sh',
  });
  expect(moving.summarize({}, output)).toBe('moved a.sh to dir/b.sh');
  expect(await names()).toEqual(['dir', 'dir/b.sh']);
  expect(await workspace.text('dir/b.sh')).toBe('text');
  expect((await stat(join(workspace.root, 'dir/b.sh'))).mode & 0o777).toBe(0o755);
});

test('moves a directory with all that is in it, and makes the directories on the way', async () => {
  await workspace.put('old/sub/a.txt', 'text');
  await workspace.link('old/out', workspace.outside);
  const before = await workspace.readOutside();

  const output = await callTool(tool, { src: 'old', dst: 'x/y/new', create_parents: true });

  expect(output).toEqual({
    src: 'old',
    dst: 'x/y/new',
    moved: true,
    type: 'dir',
    overwrite: false,
    summary: 'moved old to x/y/new',
  });
  expect(await names()).toEqual([
    'x',
    'x/y',
    'x/y/new',
    'x/y/new/out',
    'x/y/new/sub',
    'x/y/new/sub/a.txt',
  ]);
  expect(await workspace.readOutside()).toEqual(before);
});

test.each([
  ['a.txt', 'a.txt'],
  ['a.txt', './dir/../a.txt'],
  ['dir/', 'dir'],
  ['dir', 'alias/../dir'],
])('has nothing to do for %s and %s', async (src, dst) => {
  await workspace.put('a.txt', 'text');
  await workspace.put('dir/b.txt', 'text');
  await workspace.link('alias', 'dir');

  const output = await callTool(tool, { src, dst });

  expect(output).toEqual({
    src,
    dst,
    moved: false,
    type: src === 'a.txt' ? 'file' : 'dir',
    overwrite: false,
    summary: `${src} and ${dst} are the same path`,
  });
  expect(await names()).toEqual(['a.txt', 'alias', 'dir', 'dir/b.txt']);
});

test('replaces a file only when it is told to', async () => {
  await workspace.put('a.txt', 'new');
  await workspace.put('b.txt', 'old');

  const failure = await failureOf(callTool(tool, { src: 'a.txt', dst: 'b.txt' }));
  const kept = await workspace.text('b.txt');
  const output = await callTool(tool, { src: 'a.txt', dst: 'b.txt', overwrite: true });

  expect(failure).toEqual({
    code: 'tool_failed',
    message: 'b.txt exists already; set overwrite to true to replace it',
    details: { path: 'b.txt', reason: 'exists' },
  });
  expect(kept).toBe('old');
  expect(output).toMatchObject({ moved: true, overwrite: true });
  expect(await names()).toEqual(['b.txt']);
  expect(await workspace.text('b.txt')).toBe('new');
});

test('moves a link itself and replaces a link itself', async () => {
  const before = await workspace.readOutside();
  await workspace.put('a.txt', 'text');
  await workspace.link('evil', workspace.outside);
  await workspace.link('target', join(workspace.outside, 'secret.txt'));

  await callTool(tool, { src: 'evil/', dst: 'moved' });
  await callTool(tool, { src: 'a.txt', dst: 'target', overwrite: true });

  expect(await readlink(join(workspace.root, 'moved'))).toBe(workspace.outside);
  expect((await lstat(join(workspace.root, 'target'))).isFile()).toBe(true);
  expect(await names()).toEqual(['moved', 'target']);
  expect(await workspace.readOutside()).toEqual(before);
});

test.each([
  ['dir', 'dir/sub/new', 'inside_itself', 'dir/sub/new is inside dir, which can not hold itself'],
  ['dir', 'alias/new', 'inside_itself', 'alias/new is inside dir, which can not hold itself'],
  ['dir', 'dir/no/way', 'inside_itself', 'dir/no/way is inside dir, which can not hold itself'],
  ['a.txt', 'dir', 'is_directory', 'dir is a directory; give the new path inside it'],
  ['a.txt', 'empty/', 'is_directory', 'empty/ is a directory; give the new path inside it'],
  ['dir', 'empty', 'is_directory', 'empty is a directory; give the new path inside it'],
  ['dir/sub', 'dir', 'is_directory', 'dir is a directory; give the new path inside it'],
  ['dir', 'a.txt', 'not_a_directory', 'a.txt is a file, which a directory can not replace'],
  ['a.txt', 'locked.txt', 'read_only', 'locked.txt is read-only'],
  [
    'a.txt',
    'twin.txt',
    'same_file',
    'twin.txt and a.txt are two names of one file; delete one of them',
  ],
  ['a.txt', 'b.txt/c', 'not_a_directory', 'b.txt/c goes through something that is not a directory'],
])('refuses to move %s to %s (%s)', async (src, dst, reason, message) => {
  await workspace.put('a.txt', 'a');
  await workspace.put('b.txt', 'b');
  await workspace.put('dir/sub/c.txt', 'c');
  await workspace.put('locked.txt', 'kept');
  await chmod(join(workspace.root, 'locked.txt'), 0o444);
  await mkdir(join(workspace.root, 'empty'));
  await workspace.link('alias', 'dir');
  await link(join(workspace.root, 'a.txt'), join(workspace.root, 'twin.txt'));
  const before = await workspace.names();

  const failure = await failureOf(
    callTool(tool, { src, dst, overwrite: true, create_parents: true }),
  );

  expect(failure).toEqual({ code: 'tool_failed', message, details: { path: dst, reason } });
  expect(await workspace.names()).toEqual(before);
});

test.each([
  ['a.txt', '.', 'workspace_root'],
  ['.', 'new', 'workspace_root'],
  ['dir/..', 'dir/x', 'workspace_root'],
  ['a.txt', '../b.txt', 'traversal'],
  ['../workspace-2.txt', 'b.txt', 'traversal'],
  ['a.txt', '{outside}/b.txt', 'outside_workspace'],
  ['{outside}/secret.txt', 'b.txt', 'outside_workspace'],
  ['a.txt', 'evil/b.txt', 'symlink_outside'],
  ['evil/secret.txt', 'b.txt', 'symlink_outside'],
  ['a.txt', 'vault/b.txt', 'reserved_path'],
  ['vault/key.txt', 'b.txt', 'reserved_path'],
  ['vault', 'b', 'reserved_path'],
  ['a.txt', 'vault', 'reserved_path'],
  ['.openclawssy', 'b', 'reserved_path'],
  ['a.txt', '.openclawssy/config.json', 'reserved_path'],
  ['dir', '.claw', 'reserved_path'],
  ['dir', 'x/.CLAW/y', 'reserved_path'],
  ['holds-state', 'b', 'reserved_path'],
  ['holds-rules', 'b', 'control_file'],
  ['a.txt', 'SOUL.md', 'control_file'],
  ['a.txt', 'dir/tools.md', 'control_file'],
  ['RULES.md', 'b.txt', 'control_file'],
  ['pipe', 'b', 'special_file'],
  ['a.txt', 'pipe', 'special_file'],
])('never moves %s to %s (%s)', async (from, to, reason) => {
  await workspace.put('a.txt', 'text');
  await workspace.put('dir/c.txt', 'text');
  await workspace.put('RULES.md', 'rules');
  await workspace.put('holds-state/deep/.claw/x', 'state');
  await workspace.put('holds-rules/deep/Rules.md', 'rules');
  await workspace.link('evil', workspace.outside);
  execFileSync('mkfifo', [join(workspace.root, 'pipe')]);
  const before = [await workspace.readOutside(), await workspace.names()];
  const src = from.replace('{outside}', workspace.outside);
  const dst = to.replace('{outside}', workspace.outside);

  const { code, details } = await failureOf(
    callTool(tool, { src, dst, overwrite: true, create_parents: true }),
  );

  expect([code, details]).toMatchObject(['policy_denied', { reason }]);
  expect([await workspace.readOutside(), await workspace.names()]).toEqual(before);
});

test('fails for a missing source and a missing directory', async () => {
  await workspace.put('a.txt', 'text');

  const failures = [
    await failureOf(callTool(tool, { src: 'none.txt', dst: 'b.txt' })),
    await failureOf(callTool(tool, { src: 'a.txt', dst: 'no/b.txt' })),
  ];

  expect(failures.map(({ code, message }) => [code, message])).toEqual([
    ['not_found', 'none.txt does not exist'],
    [
      'not_found',
      'directory no does not exist; try again with create_parents set to true to make it, ' +
        'or look at what is there with fs.list',
    ],
  ]);
  expect(await names()).toEqual(['a.txt']);
});

test('moves crosswise at once do not wait for each other', async () => {
  await workspace.put('a.txt', 'a');
  await workspace.put('b.txt', 'b');
  const moves = Array.from({ length: 40 }, (_, round) =>
    round % 2 === 0 ? { src: 'a.txt', dst: 'b.txt' } : { src: 'b.txt', dst: 'a.txt' },
  );

  const ends = await Promise.allSettled(
    moves.map((move) => callTool(tool, { ...move, overwrite: true })),
  );

  expect(ends).toHaveLength(40);
  expect(ends.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
  expect(await names()).toHaveLength(1);
});

test('of many moves to one free name only one gets it, and nothing is lost', async () => {
  const sources = Array.from({ length: 20 }, (_, index) => `from-${index}.txt`);
  for (const src of sources) await workspace.put(src, src);

  const ends = await Promise.allSettled(
    sources.map((src) => callTool(tool, { src, dst: 'to.txt' })),
  );

  const winner = await workspace.text('to.txt');
  expect(ends.map(({ status }) => status).filter((status) => status === 'fulfilled')).toHaveLength(
    1,
  );
  expect(await names()).toEqual([...sources.filter((src) => src !== winner), 'to.txt'].sort());
});

test('does not move what took the place of the source after the check', async () => {
  await workspace.put('a.txt', 'text');
  const before = await workspace.readOutside();
  const other = await workspace.guard.openForWrite('a.txt');
  const { signal } = new AbortController();
  const request = { src: 'a.txt', dst: 'b.txt', overwrite: false, createParents: false, signal };
  const located = workspace.guard.resolveForRead('a.txt');
  const move = failureOf(workspace.guard.move(request));
  await located;
  await other.replace(Buffer.from('another file'), { signal });
  await other.close();

  const failure = await move;

  expect(failure.details).toEqual({ path: 'a.txt', reason: 'path_changed' });
  expect(await names()).toEqual(['a.txt']);
  expect(await workspace.readOutside()).toEqual(before);
});

test('mends aliases and quotes', () => {
  expect(tool.repair({ from: '"a.txt"', to: ' `b.txt` ', overwrite: 'true' })).toEqual({
    src: 'a.txt',
    dst: 'b.txt',
    overwrite: true,
  });
  expect(tool.repair({ path: 'a', new_path: 'b' })).toEqual({ src: 'a', dst: 'b' });
  expect(inputErrors(tool, { dst: 1 })).toEqual(['src is required', 'dst must be a string']);
  expect(tool.aliases).toEqual(['fs.rename']);
});
