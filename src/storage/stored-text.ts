/** Texts are stored as JSON strings by both engines; here is what is done with such a string without reading all of it. */

/** As many characters of a stored text as a preview is made of. */
export const MAX_START_CHARS = 800;

/** The longest escape, `\u0000`, less its first character. */
const MAX_HALF_ESCAPE = 5;

/** The beginning of a text of which only the beginning was read: an escape may be cut in two. */
export function decodeTextStart(stored: string): string {
  for (let cut = 0; cut <= MAX_HALF_ESCAPE; cut += 1) {
    const text = tryParse(`${stored.slice(0, stored.length - cut)}"`);
    if (text !== undefined) return text;
  }
  return JSON.parse(stored) as string;
}

/** For `LIKE … ESCAPE '!'`: stored texts that may hold this one. A line break is two letters there. */
export function toLikePattern(text: string): string {
  const stored = JSON.stringify(text).slice(1, -1);
  return `%${stored.replaceAll(/[!%_]/g, '!$&')}%`;
}

function tryParse(json: string): string | undefined {
  try {
    return JSON.parse(json) as string;
  } catch {
    return undefined;
  }
}
