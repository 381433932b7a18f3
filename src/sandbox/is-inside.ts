import { sep } from 'node:path';

/** Whether `path` is `directory` or lies below it; both free of links and dots. */
export function isInside(directory: string, path: string): boolean {
  return (
    path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep)
  );
}
