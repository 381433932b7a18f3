/**
 * Text from models, tools and callers, made safe for a terminal: an escape sequence in it could rewrite the screen,
 * the title or the clipboard, and an override of the reading direction could show other text than there is. Line breaks
 * and tabs stay.
 */
export function toPlainText(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd');
}

/** The same in one line of at most `maxChars`. */
export function toOneLine(text: string, maxChars: number): string {
  // Cut before the work: a message may hold a megabyte, a line shows a hundred characters of it.
  const flat = toPlainText(text.slice(0, maxChars * 4))
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...flat];
  const isCut = characters.length > maxChars || text.length > maxChars * 4;
  return isCut ? `${characters.slice(0, Math.max(0, maxChars - 1)).join('')}…` : flat;
}
