import type { Aim } from '../../../core/policy/aim.ts';
import type { PathGuard } from './path-guard.ts';

export interface PathArgument {
  readonly field: string;
  /** As the caller wrote it. */
  readonly path: string;
  /** Whether the call reaches all that lies below. */
  readonly isTree?: boolean;
  /** Whether a link in last place is meant itself, and not what it leads to. */
  readonly asEntry?: boolean;
}

/** What rules are told about the paths of a call. */
export function aimAtPaths(
  guard: Pick<PathGuard, 'spell'>,
  ...paths: readonly PathArgument[]
): Promise<readonly Aim[]> {
  return Promise.all(
    paths.map(async ({ field, path, isTree = false, asEntry = false }): Promise<Aim> => {
      const kind = isTree ? 'tree' : 'path';
      return { kind, field, path: await guard.spell(path, { asEntry }), respell: guard.spell };
    }),
  );
}
