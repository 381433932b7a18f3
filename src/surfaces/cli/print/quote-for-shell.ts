/** A path as one word of a command line that somebody may copy; it may hold anything but NUL. */
export function quoteForShell(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
