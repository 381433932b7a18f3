import { lstat, readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { RuntimeError } from '../core/errors.ts';
import type { Protection } from '../core/sandbox/sandbox.ts';

export interface WorkspaceMounts {
  /** The workspace's real path. It has the same path inside, so that every tool speaks of the same files. */
  readonly workspace: string;
  /** Directories that commands may read beside the system's own, such as a toolchain. */
  readonly readOnlyPaths: readonly string[];
  /** Paths of the runtime itself; hidden where they lie under something that commands can see. */
  readonly reserved: readonly string[];
  /** Asked for each name in the workspace's top directory. */
  readonly protect: (name: string) => Protection;
}

/** A path and what commands may do with it. Later ones lie on top of earlier ones. */
export interface Mount {
  readonly path: string;
  readonly access: 'write' | 'read' | 'hidden_directory' | 'hidden_file';
}

export async function planMounts(config: WorkspaceMounts): Promise<readonly Mount[]> {
  const mounts: Mount[] = config.readOnlyPaths.map((path) => ({ path, access: 'read' }));
  mounts.push({ path: config.workspace, access: 'write' });
  for (const entry of await readdir(config.workspace, { withFileTypes: true })) {
    const protection = config.protect(entry.name);
    if (protection === 'open' || entry.isSymbolicLink()) continue;
    const path = join(config.workspace, entry.name);
    mounts.push({ path, access: protection === 'read_only' ? 'read' : hidden(entry) });
  }
  const visible = [config.workspace, ...config.readOnlyPaths];
  for (const path of config.reserved) {
    if (!visible.some((root) => isInside(root, path)) || mounts.some((m) => m.path === path))
      continue;
    const found = await lstat(path).catch(() => undefined);
    if (found) mounts.push({ path, access: hidden(found) });
  }
  return mounts;
}

function hidden(entry: { isDirectory(): boolean }): 'hidden_directory' | 'hidden_file' {
  return entry.isDirectory() ? 'hidden_directory' : 'hidden_file';
}

function isInside(directory: string, path: string): boolean {
  return (
    path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep)
  );
}

/** The directory to run in. Links on the way are of no concern: outside the mounts there is nothing to reach. */
export function resolveInWorkspace(workspace: string, cwd: string): string {
  const path = join(workspace, cwd);
  if (isInside(workspace, path)) return path;
  throw new RuntimeError('policy_denied', `directory denied: ${cwd} (it leaves the workspace)`, {
    details: { path: cwd, reason: 'outside_workspace' },
  });
}
