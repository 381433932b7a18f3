import { realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { RuntimeError } from '../../core/errors.ts';
import { isInside } from '../../platform/is-inside.ts';
import type { Environment } from '../environment.ts';
import { readWorkspaceDir } from './find-workspace-dir.ts';
import { findRootAbove, isStateRoot, STATE_FOLDER, type StateRoot } from './state-paths.ts';

/**
 * A flag, then `CLAW_ROOT`, then the nearest folder upwards that is a state root, then the working directory. Throws
 * for one that is not to be trusted: its configuration names programs that would be started.
 */
export function findStateRoot(flag: string | undefined, env: Environment): StateRoot {
  const found = findNamedOrNear(flag, env);
  if (isStateRoot(found.path)) assertNotWorkedOn(found.path);
  return found;
}

export function resolveRoot(flag: string | undefined, env: Environment): string {
  return findStateRoot(flag, env).path;
}

function findNamedOrNear(flag: string | undefined, env: Environment): StateRoot {
  if (flag !== undefined) return { path: resolve(flag), from: 'flag' };
  if (env.CLAW_ROOT !== undefined) return { path: resolve(env.CLAW_ROOT), from: 'environment' };
  const here = resolve('.');
  if (isStateRoot(here)) {
    assertOwn(here);
    return { path: here, from: 'working_directory' };
  }
  const above = findRootAbove(here, process.getuid?.());
  return above === undefined
    ? { path: here, from: 'working_directory' }
    : { path: above, from: 'above' };
}

/** Anybody can leave a state root in a folder that others work in. Whoever names it means it. */
function assertOwn(root: string): void {
  const ownerId = process.getuid?.();
  if (ownerId === undefined || isStateRoot(root, ownerId)) return;
  const { uid } = statSync(join(root, STATE_FOLDER));
  throw new RuntimeError(
    'config_invalid',
    `the state root ${root} belongs to user ${uid}, and this is user ${ownerId}`,
    {
      details: {
        target: root,
        hint: `to use it on purpose, name it with --root ${root} or CLAW_ROOT`,
      },
    },
  );
}

/** One in the workspace of another may be the work of an agent. */
function assertNotWorkedOn(root: string): void {
  const above = findRootWorkingOn(realpathSync(root));
  if (above === undefined) return;
  throw new RuntimeError(
    'config_invalid',
    `the state root ${root} is inside the workspace of the state root ${above}, whose agents could have made it`,
    {
      details: {
        target: root,
        hint: `use that one with --root ${above}; if this one is yours, move it out of that workspace`,
      },
    },
  );
}

/** The state root above whose tools can reach the path. What other users put above is their business. */
export function findRootWorkingOn(realPath: string): string | undefined {
  const ownerId = process.getuid?.();
  // All of them: the nearest may be planted too, and name a workspace elsewhere.
  for (
    let above = findRootAbove(realPath, ownerId);
    above !== undefined;
    above = findRootAbove(above, ownerId)
  ) {
    if (isInside(toRealPath(readWorkspaceDir(above)), realPath)) return above;
  }
  return undefined;
}

function toRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Nothing is inside of what is not there.
    return path;
  }
}
