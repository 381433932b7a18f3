import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { RuntimeError } from '../../core/errors.ts';
import { isInside } from '../../platform/is-inside.ts';
import { findRootWorkingOn } from './find-state-root.ts';
import { findServer } from './server-file.ts';
import { findRootAbove, isStateRoot } from './state-paths.ts';

/**
 * A new state root is never made where the tools of another one could reach it, nor under one that a server works in: its
 * token and keys would lie open to agents, or two servers would write in each other's folders.
 */
export async function assertRootPlace(root: string): Promise<void> {
  if (isStateRoot(root)) return;
  const path = await toRealPath(root);
  const worksHere = findRootWorkingOn(path);
  if (worksHere !== undefined) throw refused(root, worksHere, 'the workspace of');
  // What another user put above is their business, and must not keep us from working.
  const above = findRootAbove(path, process.getuid?.());
  if (above === undefined) return;
  for (const name of ['.openclawssy', '.claw']) {
    if (isInside(join(above, name), path)) throw refused(root, above, `${name} of`);
  }
  if ((await findServer(above)) !== undefined) {
    throw refused(root, above, 'the folder of a running server with');
  }
}

function refused(root: string, above: string, where: string): RuntimeError {
  return new RuntimeError('invalid_input', `${root} is inside ${where} the state root ${above}`, {
    details: {
      target: root,
      hint: `use that one with --root ${above}, or choose a folder outside of it`,
    },
  });
}

/** Of a folder that is not there yet: the real path of what is, and the rest as it was given. */
async function toRealPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await toRealPath(parent), basename(path));
  }
}
