import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { RuntimeError } from '../core/errors.ts';
import { OPERATOR } from '../core/principal.ts';
import { PRINCIPALS_FOLDER, toPrincipalFolder } from '../core/principal-folder.ts';
import { errnoOf } from '../platform/errno-of.ts';
import { DIRECTORY_MODE } from '../platform/owner-only.ts';

/** Where the tools of a call work: the operator's in the whole workspace, a principal's in a folder of its own in it. */
export interface Workspaces {
  /** Absolute. Made when it is missing. Throws `policy_denied` for a folder that leads elsewhere. */
  open(principal: string): Promise<string>;
}

export interface WorkspacesConfig {
  readonly root: string;
  /** Asked for every call. Off: everybody works in the whole workspace. */
  readonly isPerPrincipal: () => boolean;
}

export function createWorkspaces({ root, isPerPrincipal }: WorkspacesConfig): Workspaces {
  return {
    async open(principal) {
      if (principal === OPERATOR || !isPerPrincipal()) return root;
      const holder = await openFolder(await realpath(root), PRINCIPALS_FOLDER);
      return openFolder(holder, toPrincipalFolder(principal));
    },
  };
}

/** A link in its place, whoever made it, would show one principal what is another's. */
async function openFolder(parent: string, name: string): Promise<string> {
  const path = join(parent, name);
  await mkdir(path, { mode: DIRECTORY_MODE }).catch((error: unknown) => {
    if (errnoOf(error) !== 'EEXIST') throw error;
  });
  if ((await realpath(path)) === path) return path;
  throw new RuntimeError('policy_denied', `${name} in the workspace leads elsewhere`, {
    details: { reason: 'workspace_replaced' },
  });
}
