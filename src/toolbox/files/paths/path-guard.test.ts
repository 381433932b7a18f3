import { execFile } from 'node:child_process';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { failureOf, openTestWorkspace, SECRET, type TestWorkspace } from '../../test-workspace.ts';
import { createPathGuard, type PathGuard } from './path-guard.ts';

let workspace: TestWorkspace;
let outsideBefore: Record<string, string>;
const socket = createServer();

beforeAll(async () => {
  workspace = await openTestWorkspace();
  const { root, outside } = workspace;
  await workspace.put('notes.txt', 'inside');
  await workspace.put('dir/inner/file.txt', 'inside');
  await workspace.put('.CLAW-notes/a.txt', 'inside');
  await workspace.put('SOUL.md', 'soul');
  await workspace.link('to-secret', join(outside, 'secret.txt'));
  await workspace.link('to-secret-relative', '../outside/secret.txt');
  await workspace.link('to-outside', outside);
  await workspace.link('dir/to-root', '../..');
  await workspace.link('to-nowhere-outside', join(outside, 'absent.txt'));
  await workspace.link('chain-1', 'chain-2');
  await workspace.link('chain-2', 'dir/chain-3');
  await workspace.link('dir/chain-3', join(outside, 'sub'));
  await workspace.link('back-and-forth', '../workspace/notes.txt');
  await workspace.link('to-proc', '/proc/self/cwd');
  await workspace.link('loop-a', 'loop-b');
  await workspace.link('loop-b', 'loop-a');
  await workspace.link('self', 'self');
  await workspace.link('to-state', '.openclawssy');
  await workspace.link('to-config', '.openclawssy/config.json');
  await workspace.link('to-vault', 'vault');
  await workspace.link('dir/to-vault-key', '../vault/key.txt');
  await workspace.link('to-soul', 'SOUL.md');
  await workspace.link('RULES.md', 'notes.txt');
  await workspace.link('inside-absolute', join(root, 'notes.txt'));
  await workspace.link('inside-directory', './dir/../dir/inner');
  await promisify(execFile)('mkfifo', [join(root, 'fifo')]);
  await new Promise<void>((resolve) => socket.listen(join(root, 'socket'), resolve));
  outsideBefore = await workspace.readOutside();
});

afterAll(async () => {
  await new Promise((resolve) => socket.close(resolve));
  await workspace.remove();
});

async function failures(guard: PathGuard, path: string) {
  return [
    await failureOf(guard.resolveForRead(path)),
    await failureOf(guard.openForRead(path)),
    await failureOf(guard.openDirectory(path)),
    await failureOf(guard.resolveForWrite(path)),
    await failureOf(guard.openForWrite(path)),
    await failureOf(guard.openForWrite(path, { createParents: true })),
  ];
}

// Paths that no operation may follow, and why. `{root}` and `{outside}` stand for the real directories.
test.each([
  ['', 'empty_path'],
  ['   ', 'empty_path'],
  ['notes.txt\0.png', 'nul_byte'],
  ['\0', 'nul_byte'],
  ['..', 'traversal'],
  ['../', 'traversal'],
  ['../outside/secret.txt', 'traversal'],
  ['./../outside/secret.txt', 'traversal'],
  ['dir/../../outside/secret.txt', 'traversal'],
  ['missing/../../outside/secret.txt', 'traversal'],
  ['../workspace/notes.txt', 'traversal'],
  ['../../../../../../../../etc/passwd', 'traversal'],
  ['dir/./.././../outside', 'traversal'],
  ['..\\outside\\secret.txt', 'traversal'],
  ['dir\\..\\..\\outside', 'traversal'],
  ['{root}/../outside/secret.txt', 'traversal'],
  ['/etc/passwd', 'outside_workspace'],
  ['/', 'outside_workspace'],
  ['/proc/self/environ', 'outside_workspace'],
  ['{outside}/secret.txt', 'outside_workspace'],
  ['{root}-2.txt', 'outside_workspace'],
  ['//etc/passwd', 'unc_path'],
  ['\\\\server\\share', 'unc_path'],
  ['C:\\Windows\\win.ini', 'drive_path'],
  ['c:notes.txt', 'drive_path'],
  ['to-secret', 'symlink_outside'],
  ['to-secret-relative', 'symlink_outside'],
  ['to-outside', 'symlink_outside'],
  ['to-outside/secret.txt', 'symlink_outside'],
  ['to-outside/new.txt', 'symlink_outside'],
  ['to-outside/sub/../secret.txt', 'symlink_outside'],
  ['dir/to-root/outside/secret.txt', 'symlink_outside'],
  ['to-nowhere-outside', 'symlink_outside'],
  ['chain-1/secret.txt', 'symlink_outside'],
  ['back-and-forth', 'symlink_outside'],
  ['to-proc', 'symlink_outside'],
  ['loop-a', 'symlink_loop'],
  ['self/notes.txt', 'symlink_loop'],
  ['.openclawssy', 'reserved_path'],
  ['.openclawssy/config.json', 'reserved_path'],
  ['.OpenClawssy/config.json', 'reserved_path'],
  ['.openclawssy./config.json', 'reserved_path'],
  ['.openclawssy /config.json', 'reserved_path'],
  ['.open\u200Cclawssy/config.json', 'reserved_path'],
  ['.\uFF4Fpenclawssy/config.json', 'reserved_path'],
  ['.openclawssy\\config.json', 'reserved_path'],
  ['dir/.openclawssy/x', 'reserved_path'],
  ['dir/../.openclawssy/config.json', 'reserved_path'],
  ['.claw', 'reserved_path'],
  ['.CLAW/sessions/x.jsonl', 'reserved_path'],
  ['missing/.claw/x', 'reserved_path'],
  ['{root}/.openclawssy/config.json', 'reserved_path'],
  ['to-state/config.json', 'reserved_path'],
  ['to-config', 'reserved_path'],
  ['vault', 'reserved_path'],
  ['vault/', 'reserved_path'],
  ['vault/key.txt', 'reserved_path'],
  ['vault/new.txt', 'reserved_path'],
  ['to-vault/key.txt', 'reserved_path'],
  ['dir/to-vault-key', 'reserved_path'],
  ['fifo', 'special_file'],
  ['socket', 'special_file'],
])('denies %j in every operation, with and without /proc', async (template, reason) => {
  const { root, outside, guard, portableGuard } = workspace;
  const path = template.replace('{root}', root).replace('{outside}', outside);
  const namesBefore = await workspace.names();

  const all = [...(await failures(guard, path)), ...(await failures(portableGuard, path))];

  const shown = path.replaceAll('\0', '\\x00');
  expect(all.map(({ code, details }) => ({ code, details }))).toEqual(
    all.map(() => ({ code: 'policy_denied', details: { path: shown, reason } })),
  );
  expect(await workspace.readOutside()).toEqual(outsideBefore);
  expect(await workspace.names()).toEqual(namesBefore);
});

test.each([
  'SOUL.md',
  'soul.MD',
  'dir/Rules.md',
  'TOOLS.md',
  'HANDOFF.md',
  'devplan.md',
  'SPECPLAN.md ',
  'SOUL.md.',
  'to-soul',
  'RULES.md',
])('lets nobody read or write the control file %j', async (path) => {
  const denied = { code: 'policy_denied', details: { path, reason: 'control_file' } };

  const read = await failureOf(workspace.guard.openForRead(path));
  const resolved = await failureOf(workspace.guard.resolveForWrite(path));
  const opened = await failureOf(workspace.guard.openForWrite(path, { createParents: true }));

  expect(read).toMatchObject(denied);
  expect(resolved).toMatchObject(denied);
  expect(opened).toMatchObject(denied);
});

// Tricks of other layers: here they are plain names, and nothing is decoded or expanded.
test.each([
  '%2e%2e%2foutside%2fsecret.txt',
  '..%2foutside',
  '%252e%252e',
  '%00',
  '~',
  '$HOME',
  '...',
  '. .',
  '\u2024\u2024',
  '\uFF0E\uFF0E',
  'etc\u2215passwd',
  'line\nbreak',
  'back\\slash',
  '-rf',
  '*',
])('takes %j as the name of a file inside', async (path) => {
  const read = await failureOf(workspace.guard.resolveForRead(path));
  const write = await workspace.guard.resolveForWrite(path);

  expect(read.code).toBe('not_found');
  expect(write).toEqual({
    realPath: join(workspace.root, path),
    relativePath: path,
    kind: 'missing',
  });
});

test('takes a file URL as a path inside', async () => {
  const { code } = await failureOf(workspace.guard.openForRead('file:///etc/passwd'));

  expect(code).toBe('not_found');
});

test.each([
  ['notes.txt', 'notes.txt', 'file'],
  ['./dir//inner/../inner/file.txt', 'dir/inner/file.txt', 'file'],
  ['{root}/notes.txt', 'notes.txt', 'file'],
  ['{root}', '.', 'directory'],
  ['.', '.', 'directory'],
  ['dir/', 'dir', 'directory'],
  ['dir/..', '.', 'directory'],
  ['inside-absolute', 'notes.txt', 'file'],
  ['inside-directory/file.txt', 'dir/inner/file.txt', 'file'],
  ['inside-directory/..', 'dir', 'directory'],
  ['.CLAW-notes/a.txt', '.CLAW-notes/a.txt', 'file'],
])('follows %j to %s', async (template, relativePath, kind) => {
  const path = template.replace('{root}', workspace.root);

  const resolved = await workspace.guard.resolveForRead(path);

  expect(resolved).toEqual({ realPath: join(workspace.root, relativePath), relativePath, kind });
});

test.each([
  ['notes.txt/', 'tool_failed'],
  ['notes.txt/.', 'tool_failed'],
  ['notes.txt/..', 'tool_failed'],
  ['notes.txt/x', 'tool_failed'],
  ['notes.txt/x/y', 'tool_failed'],
  ['missing/', 'not_found'],
  ['missing/../notes.txt', 'not_found'],
  ['x'.repeat(256), 'tool_input_invalid'],
  ['ä'.repeat(128), 'tool_input_invalid'],
  ['a/'.repeat(2_049), 'tool_input_invalid'],
])('fails as the kernel would for %.40s', async (path, code) => {
  const codes = (await failures(workspace.guard, path)).map((failure) => failure.code);

  expect(codes).toEqual(codes.map(() => code));
});

test('keeps names that differ only in Unicode normalisation apart', async () => {
  await workspace.put('caf\u00E9.txt', 'composed');

  const { code } = await failureOf(workspace.guard.openForRead('cafe\u0301.txt'));

  expect(code).toBe('not_found');
});

test('shows a bounded, printable path in denials', async () => {
  const path = `../${'x\n'.repeat(100)}`;

  const { message, details } = await failureOf(workspace.guard.openForRead(path));

  const shown = `../${'x\\x0a'.repeat(98)}x…`;
  expect(message).toBe(`path denied: ${shown} (it leaves the workspace)`);
  expect(details).toEqual({ path: shown, reason: 'traversal' });
});

test('works in a workspace that is itself reached through a link', async () => {
  const alias = join(workspace.outside, '..', 'alias');
  await symlink(workspace.root, alias);
  const guard = createPathGuard({ root: alias, reserved: [join(alias, 'vault')] });

  const resolved = await guard.resolveForRead(join(alias, 'inside-absolute'));
  const denied = await failureOf(guard.resolveForRead('vault/key.txt'));
  await rm(alias);

  expect(resolved.realPath).toBe(join(workspace.root, 'notes.txt'));
  expect(denied.details).toEqual({ path: 'vault/key.txt', reason: 'reserved_path' });
});

test('says when the workspace itself is missing', async () => {
  const guard = createPathGuard({ root: join(workspace.root, 'absent'), reserved: [] });

  expect(await failureOf(guard.openDirectory('.'))).toEqual({
    code: 'not_found',
    message: 'the workspace directory does not exist; create it or fix the setting',
    details: { path: '.' },
  });
});

test('reserves a directory from the moment it appears', async () => {
  const late = join(workspace.root, 'late');
  const guard = createPathGuard({ root: workspace.root, reserved: [late] });

  const before = await failureOf(guard.openForWrite('late/a.txt', { createParents: true }));
  await mkdir(late);
  const after = await failureOf(guard.openDirectory('late'));
  await rm(late, { recursive: true });

  expect([before.details, after.details]).toEqual([
    { path: 'late/a.txt', reason: 'reserved_path' },
    { path: 'late', reason: 'reserved_path' },
  ]);
});

test('has kept every secret where it was', async () => {
  expect(new Set(Object.values(await workspace.readOutside()))).toEqual(new Set([SECRET, '']));
});
