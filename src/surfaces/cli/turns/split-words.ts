import { parseError } from '../program/errors.ts';

/**
 * Words of a command line, as a shell cuts it: blanks part, single quotes keep, double quotes keep all but a backslash
 * before `"` and `\`, a backslash keeps what follows. Nothing is expanded and nothing is run.
 */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  const pattern = /\s+|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|[^\s'"\\]+|(['"\\])/gu;
  for (const match of line.matchAll(pattern)) {
    const [text, single, double, escaped, open] = match;
    if (open !== undefined) {
      throw parseError(`a ${open === '\\' ? 'backslash' : 'quote'} in the prompt is left open`, {
        target: 'exec-command',
        hint: 'the prompt is cut into words as a shell would: quote a quote with the other kind',
      });
    }
    if (/^\s/.test(text)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    const plain = single ?? double?.replace(/\\(["\\])/g, '$1') ?? escaped ?? text;
    word = (word ?? '') + plain;
  }
  return word === undefined ? words : [...words, word];
}
