const NUL = '\0';
const ESCAPE = '\u0001';
const ESCAPED_NUL = '\u0001\u0001';
const ESCAPED_ESCAPE = '\u0001\u0002';

/**
 * Text that a SQL engine keeps whole and orders as the original is: NUL, which one driver cuts at and another
 * refuses, is written as a pair of characters that sorts in its place.
 */
export function encodeOrdered(text: string): string {
  return text.replaceAll(ESCAPE, ESCAPED_ESCAPE).replaceAll(NUL, ESCAPED_NUL);
}

export function decodeOrdered(stored: string): string {
  return stored.replaceAll(ESCAPED_NUL, NUL).replaceAll(ESCAPED_ESCAPE, ESCAPE);
}
