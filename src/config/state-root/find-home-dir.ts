import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';

/** Undefined where there is none: in containers users often exist only as a number, and finding their home throws. */
export function findHomeDir(): string | undefined {
  try {
    const path = homedir();
    return isAbsolute(path) ? path : undefined;
  } catch {
    return undefined;
  }
}
