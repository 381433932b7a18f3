/** The wait a server asks for: `retry-after-ms`, or `retry-after` in seconds or as a date. */
export function parseRetryAfterMs(
  header: (name: string) => string | undefined,
  nowMs: number,
): number | undefined {
  const ms = parseCount(header('retry-after-ms'));
  if (ms !== undefined) return Math.ceil(ms);
  const after = header('retry-after');
  const seconds = parseCount(after);
  if (seconds !== undefined) return Math.ceil(seconds * 1000);
  // A bare number such as -3 would be read as a year.
  const atMs = after !== undefined && /[a-z]{3}/i.test(after) ? Date.parse(after) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}

function parseCount(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}
