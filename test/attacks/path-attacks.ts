import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { JsonObject } from '../../src/core/json.ts';

/** Tool, arguments, and the reason of the refusal. `{root}` stands for the state root. */
export type PathAttack = readonly [tool: string, input: JsonObject, reason: string];

const text = { content: 'owned' };
const swap = { old: 'secret', new: 'owned' };

export const PATH_ATTACKS: readonly PathAttack[] = [
  // out by the parent directory
  ['fs.read', { path: '../outside/secret.txt' }, 'traversal'],
  ['fs.read', { path: 'dir/../../outside/secret.txt' }, 'traversal'],
  ['fs.read', { path: 'missing/../../outside/secret.txt' }, 'traversal'],
  ['fs.read', { path: './././../outside/secret.txt' }, 'traversal'],
  ['fs.read', { path: '../../../../../../../../etc/passwd' }, 'traversal'],
  ['fs.read', { path: '{root}/workspace/../outside/secret.txt' }, 'traversal'],
  ['fs.read', { path: '..\\outside\\secret.txt' }, 'traversal'],
  ['fs.read', { path: '"../outside/secret.txt"' }, 'traversal'],
  ['fs.read', { file: '../outside/secret.txt' }, 'traversal'],
  ['fs.read', { path: '../workspace-2/secret.txt' }, 'traversal'],
  ['fs.list', { path: '..' }, 'traversal'],
  ['fs.glob', { pattern: '**', path: '..' }, 'traversal'],
  ['code.search', { pattern: 'secret', path: '../outside' }, 'traversal'],
  ['fs.write', { path: '../outside/new.txt', ...text }, 'traversal'],
  ['fs.write', { path: '../outside/a/b.txt', create_parents: true, ...text }, 'traversal'],
  ['fs.append', { path: '../outside/secret.txt', ...text }, 'traversal'],
  ['fs.edit', { path: '../outside/secret.txt', ...swap }, 'traversal'],
  ['fs.delete', { path: '../outside', recursive: true, force: true }, 'traversal'],
  ['fs.move', { src: '../outside/secret.txt', dst: 'mine.txt' }, 'traversal'],
  ['fs.move', { src: 'notes.txt', dst: '../outside/notes.txt' }, 'traversal'],
  ['fs.rename', { from: 'notes.txt', to: '../outside/secret.txt', overwrite: true }, 'traversal'],
  // absolute paths, and those of other systems
  ['fs.read', { path: '/etc/passwd' }, 'outside_workspace'],
  ['fs.read', { path: '/proc/self/environ' }, 'outside_workspace'],
  ['fs.read', { path: '{root}/outside/secret.txt' }, 'outside_workspace'],
  ['fs.read', { path: '{root}/workspace-2/secret.txt' }, 'outside_workspace'],
  ['fs.read', { path: '{root}/.openclawssy/config.json' }, 'reserved_path'],
  ['fs.list', { path: '/' }, 'outside_workspace'],
  ['fs.write', { path: '{root}/outside/new.txt', ...text }, 'outside_workspace'],
  ['fs.delete', { path: '{root}/outside/secret.txt' }, 'outside_workspace'],
  ['fs.move', { src: 'notes.txt', dst: '{root}/outside/notes.txt' }, 'outside_workspace'],
  ['fs.read', { path: '//etc/passwd' }, 'unc_path'],
  ['fs.read', { path: '\\\\server\\share' }, 'unc_path'],
  ['fs.read', { path: 'C:\\Windows\\win.ini' }, 'drive_path'],
  // out by links
  ['fs.read', { path: 'to-secret' }, 'symlink_outside'],
  ['fs.read', { path: 'to-outside/secret.txt' }, 'symlink_outside'],
  ['fs.read', { path: 'chain/secret.txt' }, 'symlink_outside'],
  ['fs.read', { path: 'dir/up/outside/secret.txt' }, 'symlink_outside'],
  ['fs.read', { path: 'to-proc/environ' }, 'symlink_outside'],
  ['fs.read', { path: 'loop/x' }, 'symlink_loop'],
  ['fs.list', { path: 'to-outside' }, 'symlink_outside'],
  ['fs.glob', { pattern: '*', path: 'to-outside' }, 'symlink_outside'],
  ['code.search', { pattern: 'secret', path: 'to-outside' }, 'symlink_outside'],
  ['fs.write', { path: 'to-secret', ...text }, 'symlink_outside'],
  ['fs.write', { path: 'to-outside/new.txt', ...text }, 'symlink_outside'],
  ['fs.write', { path: 'to-nowhere', ...text }, 'symlink_outside'],
  ['fs.append', { path: 'to-secret', ...text }, 'symlink_outside'],
  ['fs.edit', { path: 'to-secret', ...swap }, 'symlink_outside'],
  ['fs.delete', { path: 'to-outside/secret.txt', force: true }, 'symlink_outside'],
  ['fs.move', { src: 'to-outside/secret.txt', dst: 'mine.txt' }, 'symlink_outside'],
  ['fs.move', { src: 'notes.txt', dst: 'to-outside/notes.txt' }, 'symlink_outside'],
  // the runtime's own
  ['fs.read', { path: '.openclawssy/config.json' }, 'reserved_path'],
  ['fs.read', { path: '.OpenClawssy/config.json' }, 'reserved_path'],
  ['fs.read', { path: '.openclawssy./config.json' }, 'reserved_path'],
  ['fs.read', { path: '.open\u200Cclawssy/config.json' }, 'reserved_path'],
  ['fs.read', { path: 'dir/../.claw/sessions/x.jsonl' }, 'reserved_path'],
  ['fs.read', { path: 'to-state/pincer.db' }, 'symlink_outside'],
  ['fs.list', { path: '.claw' }, 'reserved_path'],
  ['fs.glob', { pattern: '*', path: '.claw' }, 'reserved_path'],
  ['fs.write', { path: '.openclawssy/config.json', ...text }, 'reserved_path'],
  ['fs.write', { path: 'dir/.claw/x', create_parents: true, ...text }, 'reserved_path'],
  ['fs.append', { path: '.claw/sessions/x.jsonl', ...text }, 'reserved_path'],
  ['fs.delete', { path: '.claw', recursive: true }, 'reserved_path'],
  ['fs.move', { src: '.claw', dst: 'claw' }, 'reserved_path'],
  ['fs.move', { src: 'dir', dst: '.openclawssy' }, 'reserved_path'],
  ['fs.delete', { path: 'nest', recursive: true }, 'reserved_path'],
  // the operator's own
  ['fs.write', { path: 'SOUL.md', ...text }, 'control_file'],
  ['fs.write', { path: 'dir/rules.MD', ...text }, 'control_file'],
  ['fs.append', { path: 'SOUL.md', ...text }, 'control_file'],
  ['fs.edit', { path: 'SOUL.md', ...swap }, 'control_file'],
  ['fs.edit', { path: 'to-soul', ...swap }, 'control_file'],
  ['fs.delete', { path: 'SOUL.md' }, 'control_file'],
  ['fs.move', { src: 'SOUL.md', dst: 'soul.txt' }, 'control_file'],
  ['fs.move', { src: 'notes.txt', dst: 'TOOLS.md' }, 'control_file'],
  ['fs.delete', { path: 'guide', recursive: true }, 'control_file'],
  // and the rest
  ['fs.delete', { path: '.', recursive: true }, 'workspace_root'],
  ['fs.delete', { path: 'dir/..', recursive: true }, 'workspace_root'],
  ['fs.move', { src: '.', dst: 'dir/all' }, 'workspace_root'],
  ['fs.read', { path: '' }, 'empty_path'],
  ['fs.read', { path: 'notes.txt\0.png' }, 'nul_byte'],
  ['fs.write', { path: '../outside/new\0.txt', ...text }, 'nul_byte'],
  ['fs.read', { path: 'fifo' }, 'special_file'],
];

export const SECRET = 'a secret that nobody may read or change';

/** A workspace with every way out that a link can be, and what must stay as it is around it. */
export async function layTraps(root: string): Promise<void> {
  const put = async (path: string) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), SECRET);
  };
  const link = (path: string, target: string) => symlink(target, join(root, 'workspace', path));
  await put('outside/secret.txt');
  await put('workspace-2/secret.txt');
  await put('.claw/sessions/x.jsonl');
  for (const path of ['notes.txt', 'SOUL.md', 'dir/file.txt', '.claw/sessions/x.jsonl']) {
    await put(`workspace/${path}`);
  }
  await put('workspace/.openclawssy/config.json');
  await put('workspace/nest/deep/.claw/x');
  await put('workspace/guide/RULES.md');
  await link('to-secret', join(root, 'outside/secret.txt'));
  await link('to-outside', '../outside');
  await link('to-nowhere', join(root, 'outside/absent.txt'));
  await link('to-state', join(root, '.openclawssy'));
  await link('to-proc', '/proc/self');
  await link('to-soul', 'SOUL.md');
  await link('chain', 'dir/chain');
  await link('dir/chain', join(root, 'outside'));
  await link('dir/up', '../..');
  await link('loop', 'loop');
  await promisify(execFile)('mkfifo', [join(root, 'workspace/fifo')]);
}
