import { pathOf } from './path-of.ts';
import type { Surface } from './surface.ts';

/** The surface that a request target belongs to: the one whose prefix matches longest. */
export function findSurface(surfaces: readonly Surface[], target: string): Surface | undefined {
  const path = decodePath(pathOf(target));
  let found: Surface | undefined;
  for (const surface of surfaces) {
    const isUnder = path === surface.prefix || path.startsWith(`${surface.prefix}/`);
    if (isUnder && surface.prefix.length >= (found?.prefix.length ?? 0)) found = surface;
  }
  return found;
}

/** As the router reads it, so that `/%76%31/runs` is known as `/v1/runs`. */
function decodePath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
