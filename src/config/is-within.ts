import { isAbsolute, relative, sep } from 'node:path';

/** Whether a path is a folder or lies below it, by their names alone. */
export function isWithin(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside === '' || !(inside.split(sep)[0] === '..' || isAbsolute(inside));
}
