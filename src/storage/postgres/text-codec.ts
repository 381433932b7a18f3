/**
 * Free text is stored as a JSON string. PostgreSQL text refuses NUL and UTF-8 has no lone surrogates, and both arrive
 * from users and models; JSON escapes them, and equal texts stay equal.
 */
export function encodeText(text: string): string {
  return JSON.stringify(text);
}

export function decodeText(stored: string): string {
  return JSON.parse(stored) as string;
}
