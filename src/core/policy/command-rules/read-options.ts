import type { Word } from './command.ts';

/** The options of a program that are known; any other one makes its command line unclear. */
export interface OptionSpec {
  /** Letters that stand alone. */
  readonly flags?: string;
  /** Letters that take the rest of their word, or the next one. */
  readonly values?: string;
  readonly longFlags?: readonly string[];
  readonly longValues?: readonly string[];
}

export interface ReadOptions {
  /** Letters and long names that were met, with their values as far as they are known. */
  readonly given: ReadonlyMap<string, Word | undefined>;
  readonly operands: readonly Word[];
}

/** Reads options up to the first operand or `--`. Undefined when there is one that the specification lacks. */
export function readOptions(words: readonly Word[], spec: OptionSpec): ReadOptions | undefined {
  const given = new Map<string, Word | undefined>();
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at] as Word;
    if (!word.isLiteral) {
      if (couldBeOption(word)) return undefined;
      break;
    }
    if (word.text === '--') return { given, operands: words.slice(at + 1) };
    if (!word.text.startsWith('-') || word.text === '-') break;
    const read = word.text.startsWith('--') ? readLong : readShort;
    const used = read(words, at, { spec, given });
    if (used === undefined) return undefined;
    at += used;
  }
  return { given, operands: words.slice(at) };
}

interface Reading {
  readonly spec: OptionSpec;
  readonly given: Map<string, Word | undefined>;
}

/** How many words beyond the option itself were used, or undefined for an unknown one. */
function readLong(
  words: readonly Word[],
  at: number,
  { spec, given }: Reading,
): number | undefined {
  const [name = '', ...value] = (words[at] as Word).text.slice(2).split('=');
  if (value.length > 0 && spec.longValues?.includes(name)) {
    given.set(name, { ...(words[at] as Word), text: value.join('=') });
    return 0;
  }
  if (value.length === 0 && spec.longValues?.includes(name)) {
    given.set(name, words[at + 1]);
    return words[at + 1]?.isLiteral ? 1 : undefined;
  }
  if (value.length > 0 || !spec.longFlags?.includes(name)) return undefined;
  given.set(name, undefined);
  return 0;
}

function readShort(
  words: readonly Word[],
  at: number,
  { spec, given }: Reading,
): number | undefined {
  const word = words[at] as Word;
  for (let index = 1; index < word.text.length; index += 1) {
    const letter = word.text[index] as string;
    if (spec.values?.includes(letter)) {
      const rest = word.text.slice(index + 1);
      given.set(letter, rest === '' ? words[at + 1] : { ...word, text: rest });
      if (rest !== '') return 0;
      // A value that the shell makes may be several words, of which only the first is the value.
      return words[at + 1]?.isLiteral ? 1 : undefined;
    }
    if (!spec.flags?.includes(letter)) return undefined;
    given.set(letter, undefined);
  }
  return 0;
}

/** A word that only the shell knows may become an option; one with a plain beginning may not. */
export function couldBeOption(word: Word): boolean {
  return !word.isLiteral && (word.maySplit || !/^[\w./@%+=:,]/.test(word.bareStart));
}
