/** By UTF-16 units, as JavaScript sorts: the same on every engine, whatever its collation is. */
export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
