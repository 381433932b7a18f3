import { isAbsolute, relative, sep } from 'node:path';

/**
 * Whether a path is a directory or lies below it, by their names alone: both absolute, and free of links where a link
 * could lead elsewhere.
 */
export function isInside(directory: string, path: string): boolean {
  const way = relative(directory, path);
  // On Windows the way to another drive is that drive's path.
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
