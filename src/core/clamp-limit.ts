/** How many rows a page may have: a whole number from nothing to `max`, whatever the caller asks for. */
export function clampLimit(limit: number, max: number): number {
  const whole = Math.trunc(limit);
  // To SQLite a negative limit is none at all, and what is no number asks for nothing.
  return whole > 0 ? Math.min(whole, max) : 0;
}
