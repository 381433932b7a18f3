/** JSON inside text, whose quotes may be escaped once or several times over. */

/** Where the string that `quote` opened ends: at its own quote, not at one escaped deeper, or with the line. */
export function closingQuote(text: string, from: number, quote: string): number {
  const mark = quote.charCodeAt(quote.length - 1);
  const depth = quote.length - 1;
  let slashes = 0;
  for (let index = from; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 92) {
      slashes += 1;
      continue;
    }
    if (code === 10 || code === 13) return index;
    if (code === mark && (depth === 0 ? slashes % 2 === 0 : slashes <= depth)) {
      return index - (depth === 0 ? 0 : slashes);
    }
    slashes = 0;
  }
  return text.length;
}

/**
 * Where the array or object that begins at `from` ends, or undefined when it does not before `limit`. `quote` is the
 * quote its strings are written with.
 */
export function closingBracket(
  text: string,
  from: number,
  { quote, limit }: { readonly quote: string; readonly limit: number },
): number | undefined {
  let depth = 0;
  for (let index = from; index < limit; index += 1) {
    if (text.startsWith(quote, index)) {
      index = closingQuote(text, index + quote.length, quote) + quote.length - 1;
      continue;
    }
    const char = text[index];
    if (char === '[' || char === '{') depth += 1;
    if (char === ']' || char === '}') depth -= 1;
    if (depth === 0) return index + 1;
  }
  return undefined;
}
