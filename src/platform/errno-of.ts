/** The code that Node or a driver put on what was thrown: `ENOENT`, a state of SQL. Undefined when it has none. */
export function errnoOf(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}

/** Nothing is there, or something on the way to it is no folder. */
export function isMissing(thrown: unknown): boolean {
  const errno = errnoOf(thrown);
  return errno === 'ENOENT' || errno === 'ENOTDIR';
}
