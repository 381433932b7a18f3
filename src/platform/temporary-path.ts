/**
 * Beside the file, so that a rename stays on its disk. Free, whoever else is writing the same file, and whatever a crash
 * left: in a container every process has the same number. Not from `node:crypto`, which costs a command its start:
 * nobody gains by guessing a name that is only ever created.
 */
export function toTemporaryPath(path: string): string {
  return `${path}.${process.pid}.${Math.random().toString(36).slice(2, 12)}.tmp`;
}
