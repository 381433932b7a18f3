/** A file or folder as somebody spoke of it. */
export interface SpokenName {
  readonly path: string;
  /**
   * `certain` in quotes, after the word "file", or with a dot or a slash in it; `word` for any other single word;
   * `spaced` for several words that end like a file: the first of them may be meant as something else.
   */
  readonly certainty: 'certain' | 'word' | 'spaced';
  readonly isFolder: boolean;
}

const ARTICLE = /^(?:the|a|an|my|our|your|this|that)\s+/i;
const KIND = /^(?:new\s+|empty\s+|text\s+|existing\s+)*(file|document|folder|directory|dir)\s+/i;
const CALLED = /^(?:called|named)\s+/i;
const KIND_BEHIND = /\s+(file|document|folder|directory|dir)$/i;
const HERE =
  /^(?:here|(?:the\s+|my\s+|this\s+)?(?:current\s+|working\s+)?(?:workspace|folder|directory|dir|project))$/i;
const QUOTED = /^(["'`])([^"'`]+)\1$/;
const PRONOUN =
  /^(?:it|that|this|them|these|those|all|everything|something|anything|nothing|everyone|me|you|file|files|folder)$/i;
const MAX_WORDS = 8;

/** Undefined for what can't be a name. */
export function parseSpokenName(phrase: string): SpokenName | undefined {
  if (HERE.test(phrase.trim())) return { path: '.', certainty: 'certain', isFolder: true };
  let rest = phrase.trim().replace(ARTICLE, '');
  const kind = KIND.exec(rest)?.[1] ?? KIND_BEHIND.exec(rest)?.[1];
  rest = rest.replace(KIND, '').replace(KIND_BEHIND, '').replace(CALLED, '').trim();
  const isFolder = /^(?:folder|directory|dir)$/i.test(kind ?? '');
  const quoted = QUOTED.exec(rest)?.[2];
  if (quoted !== undefined) return { path: quoted, certainty: 'certain', isFolder };
  const path = rest.replace(/[,;:]+$/, '');
  if (path === '' || /["'`\n]|:\/\//.test(path) || PRONOUN.test(path)) return undefined;
  const words = path.split(/\s+/);
  if (words.length === 1) {
    const isCertain = kind !== undefined || /[./]/.test(path);
    return {
      path,
      certainty: isCertain ? 'certain' : 'word',
      isFolder: isFolder || path.endsWith('/'),
    };
  }
  const isSpaced = words.length <= MAX_WORDS && /\.\w{1,8}$/.test(path) && !/,|\sand\s/i.test(path);
  return isSpaced ? { path, certainty: 'spaced', isFolder } : undefined;
}

/** What stands in quotes, exactly; undefined for a text that is not in quotes as a whole. */
export function findQuoted(text: string): string | undefined {
  const [, mark = '', inner = ''] = /^(["'`])([\s\S]*)\1$/.exec(text.trim()) ?? [];
  return mark === '' || inner.includes(mark) ? undefined : inner;
}

/** Where a keyword cuts a text in two, the last place first. */
export function* cutAtLast(
  text: string,
  keyword: RegExp,
): Generator<[before: string, after: string]> {
  const found = [...text.matchAll(keyword)].slice(-MAX_CUTS).reverse();
  for (const match of found) {
    yield [text.slice(0, match.index), text.slice(match.index + match[0].length)];
  }
}

const MAX_CUTS = 20;
