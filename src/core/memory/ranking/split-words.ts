/** Longer ones are no words but encoded data: cut, so that they cannot fill the index. */
const MAX_WORD_LENGTH = 48;

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’][\p{L}\p{M}]+)?/gu;

/** Written without spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;

const ASCII = /^[\x20-\x7e]*$/;

export interface WrittenWord {
  /** As it stands in the text. */
  readonly written: string;
  readonly start: number;
}

/** The words of a text as they are written, at most so many. */
export function* eachWord(text: string, maxWords: number): Generator<WrittenWord> {
  let count = 0;
  for (const match of text.matchAll(WORD)) {
    if (count >= maxWords) return;
    count += 1;
    yield { written: match[0], start: match.index };
  }
}

/** What a written word is looked up by: one form as a rule, pairs of signs where words are not spaced. */
export function toWordForms(written: string): readonly string[] {
  if (ASCII.test(written)) return [withoutEnding(written.toLowerCase()).slice(0, MAX_WORD_LENGTH)];
  const folded = fold(written);
  if (folded.search(UNSPACED) < 0) return [withoutEnding(folded).slice(0, MAX_WORD_LENGTH)];
  return splitUnspaced(folded);
}

/** Lower case, compatibility forms made plain, accents off. Signs of vowels in other scripts stay. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('’', "'");
}

/** `Caroline's` is Caroline; `don't` is don, which says nothing. */
function withoutEnding(word: string): string {
  const at = word.indexOf("'");
  return at > 0 ? word.slice(0, at) : word;
}

function splitUnspaced(text: string): string[] {
  const forms: string[] = [];
  let end = 0;
  for (const run of text.matchAll(UNSPACED)) {
    const before = text.slice(end, run.index);
    if (before !== '') forms.push(withoutEnding(before).slice(0, MAX_WORD_LENGTH));
    forms.push(...toPairs([...run[0]]));
    end = run.index + run[0].length;
  }
  const rest = text.slice(end);
  if (rest !== '') forms.push(withoutEnding(rest).slice(0, MAX_WORD_LENGTH));
  return forms;
}

function toPairs(signs: readonly string[]): string[] {
  if (signs.length === 1) return [...signs];
  return signs.slice(1).map((sign, index) => `${signs[index] ?? ''}${sign}`);
}
