/** As much as every provider takes in one request, and about five minutes of speech. */
export const MAX_SPOKEN_CHARS = 4_000;

/**
 * An answer as somebody would read it out: without the marks of Markdown, and without code, which nobody wants to hear.
 * What is too long ends with a sentence.
 */
export function toSpokenText(answer: string): string {
  const plain = answer
    .replace(/^[ \t]*(```|~~~)[^\n]*\n[\s\S]*?(^[ \t]*\1[^\n]*$|$(?![\s\S]))/gm, ' ')
    .replace(/!?\[([^\]\n]{0,500})\]\([^)\s]{0,2000}\)/g, '$1')
    .replace(/^[ \t]*(#{1,6}|>|[-*+]|\|)[ \t]+/gm, '')
    .replace(/(\*\*|__|~~|`+)/g, '')
    .replace(/(^|\s)[*_](\S[^*_\n]{0,500})[*_](?=\W|$)/g, '$1$2')
    .replace(/\s+/g, ' ')
    .trim();
  return cut(plain);
}

function cut(text: string): string {
  if (text.length <= MAX_SPOKEN_CHARS) return text;
  const head = text.slice(0, MAX_SPOKEN_CHARS);
  const end = Math.max(...['. ', '! ', '? '].map((mark) => head.lastIndexOf(mark)));
  // Without a sentence to end with, at least no word is cut in two.
  return end > 0
    ? head.slice(0, end + 1)
    : head.slice(0, Math.max(head.lastIndexOf(' '), 1)).trim();
}
