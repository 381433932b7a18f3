/**
 * Text that a SQL engine keeps whole and orders as the original is: NUL, which one driver cuts at and another
 * refuses, is written as a pair of characters that sorts in its place.
 */
export function encodeOrdered(text: string): string {
  return text.replace(/[\0\u0001]/g, (char) => (char === '\0' ? '\u0001\u0001' : '\u0001\u0002'));
}

export function decodeOrdered(stored: string): string {
  return stored.replace(/\u0001([\u0001\u0002])/g, (_, second: string) =>
    second === '\u0001' ? '\0' : '\u0001',
  );
}
