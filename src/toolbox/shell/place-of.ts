import { posix } from 'node:path';
import type { Place, PlaceOf } from '../../core/policy/command-rules/written-place.ts';
import { isInside } from '../../platform/is-inside.ts';
import { isControlFile, isGitName, isReservedName } from '../files/paths/path-names.ts';

/**
 * Where a redirection writes, by its name. Links on the way are the sandbox's to hold: nothing outside the workspace
 * is writable in there, and the runtime's own names lie under mounts.
 */
export function createPlaceOf(workspace: string | undefined): PlaceOf {
  const root = workspace === undefined ? undefined : posix.normalize(workspace);
  return (path) => {
    const segments = path.split('/');
    const isProtected =
      segments.some((name) => isReservedName(name) || isGitName(name)) ||
      isControlFile(segments.at(-1) ?? '');
    const { kind, names } = locate(posix.normalize(path), root);
    return { kind: isProtected ? 'protected' : kind, names };
  };
}

function locate(plain: string, root: string | undefined): Place {
  const isAbsolute = plain.startsWith('/');
  if (root === undefined) {
    const isOutside = isAbsolute || /^\.\.(?:\/|$)/.test(plain);
    return { kind: isOutside ? 'outside' : 'inside', names: [plain] };
  }
  const full = posix.resolve(root, plain);
  if (!isInside(root, full)) return { kind: 'outside', names: isAbsolute ? [full] : [plain, full] };
  const inside = posix.relative(root, full) || '.';
  return { kind: 'inside', names: [inside, `./${inside}`, full] };
}
