import { posix } from 'node:path';
import type { PlaceOf } from '../../core/policy/command-rules/judge-command.ts';
import { isControlFile, isGitName, isInside, isReservedName } from '../files/path-names.ts';

/**
 * Where a redirection writes, by its name. Links on the way are the sandbox's to hold: nothing outside the workspace
 * is writable in there, and the runtime's own names lie under mounts.
 */
export function createPlaceOf(workspace: string | undefined): PlaceOf {
  return (path) => {
    const names = path.split('/');
    if (names.some((name) => isReservedName(name) || isGitName(name))) return 'protected';
    if (isControlFile(names.at(-1) ?? '')) return 'protected';
    if (!path.startsWith('/'))
      return /^\.\.(?:\/|$)/.test(posix.normalize(path)) ? 'outside' : 'inside';
    if (workspace === undefined) return 'outside';
    return isInside(workspace, posix.normalize(path)) ? 'inside' : 'outside';
  };
}
