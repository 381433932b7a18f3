import { marked, type Token } from 'marked';

/** What is longer is a file and no answer: reading it for marks holds up the page. */
const MAX_CHARS = 200_000;

/**
 * What no person writes and a model gone astray does: reading it takes seconds, or more stack than there is. Quotes in
 * quotes, lists in lists, and hundreds of the same mark.
 */
const WILD = [
  /^(?:[ \t]*>){40}/m,
  /^(?:[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]){40}/m,
  /^[ \t]{80,}(?:[-*+]|\d{1,9}[.)])[ \t]/m,
  /_{200}|\*{200}/,
];

/** Undefined: it is to be shown as it was written. */
export function readMarkdown(text: string): readonly Token[] | undefined {
  if (text.length > MAX_CHARS || WILD.some((shape) => shape.test(text))) return undefined;
  try {
    return marked.lexer(text, { gfm: true, breaks: true });
  } catch {
    // The words are worth more than their looks.
    return undefined;
  }
}
