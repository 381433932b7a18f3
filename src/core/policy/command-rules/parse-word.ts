import type { Word } from './command.ts';
import type { Source } from './source.ts';
import { refuse } from './unparseable.ts';

/** What the word parser needs of the line parser: the commands inside a word are commands of the line. */
export interface WordContext {
  readonly source: Source;
  /** Parses commands up to the closing parenthesis, which it takes too. */
  parseUntilParenthesis(): void;
  /** Parses a text of its own, such as that between backticks. */
  parseText(text: string): void;
}

const WORD_END = new Set(['', ' ', '\t', '\n', ';', '&', '|', '<', '>', '(', ')']);
const QUOTING = new Set(["'", '"', '\\', '$', '`']);
const GLOB = new Set(['*', '?', '[']);

/** Reads one word, expansions and all. Commands inside it are collected by the context. */
export function parseWord(ctx: WordContext): Word {
  const { source } = ctx;
  let text = '';
  let isLiteral = true;
  let isBare = true;
  let unquoted = '';
  let bareStart = '';
  let isBareSoFar = true;
  let maySplit = false;
  for (;;) {
    const char = source.peek();
    if (isProcessSubstitution(source)) {
      source.skip(2);
      ctx.parseUntilParenthesis();
      isLiteral = false;
      continue;
    }
    if (WORD_END.has(char)) break;
    source.skip(1);
    isBareSoFar &&= !QUOTING.has(char);
    if (isBareSoFar) bareStart += char;
    switch (char) {
      case "'":
        text += takeUntil(source, "'");
        isBare = false;
        break;
      case '"': {
        const quoted = parseQuoted(ctx, '"');
        text += quoted.text;
        isLiteral &&= quoted.isLiteral;
        isBare = false;
        break;
      }
      case '\\':
        if (source.peek() === '\n') refuse('a line is continued inside a word');
        text += source.next();
        isBare = false;
        break;
      case '$':
      case '`':
        maySplit = !parseExpansion(ctx, char) || maySplit;
        text += char;
        break;
      default:
        if (GLOB.has(char) || (char === '~' && text === '')) isLiteral = false;
        unquoted += char;
        text += char;
    }
  }
  if (isBare && (text === '[' || text === '{' || text === '}')) {
    return { text, isLiteral: true, isBare, bareStart, maySplit };
  }
  // `{}` stays as it is; any other unquoted brace may expand to several words.
  isLiteral &&= !maySplit && !/[{}]/.test(unquoted.replaceAll('{}', ''));
  return { text, isLiteral, isBare, bareStart, maySplit };
}

export function isProcessSubstitution(source: Source): boolean {
  return source.startsWith('<(') || source.startsWith('>(');
}

function takeUntil(source: Source, end: string): string {
  let text = '';
  for (let char = source.next(); char !== end; char = source.next()) text += char;
  return text;
}

/** The inside of double quotes, or of a here-document when `end` is empty: expansions happen, splitting does not. */
export function parseQuoted(
  ctx: WordContext,
  end: '"' | '',
): { readonly text: string; readonly isLiteral: boolean } {
  const { source } = ctx;
  let text = '';
  let isLiteral = true;
  while (end === '' ? !source.isAtEnd : source.peek() !== end) {
    const char = source.next();
    if (char === '\\') {
      const escaped = source.isAtEnd ? '' : source.next();
      if (escaped === '\n') refuse('a line is continued inside quotes');
      text += ['$', '`', '"', '\\'].includes(escaped) ? escaped : `\\${escaped}`;
    } else if (char === '$' || char === '`') {
      isLiteral = parseExpansion(ctx, char) && isLiteral;
      text += char;
    } else {
      text += char;
    }
  }
  if (end !== '') source.skip(1);
  return { text, isLiteral };
}

/** Returns whether what follows the `$` is no expansion at all. */
function parseExpansion(ctx: WordContext, char: '$' | '`'): boolean {
  const { source } = ctx;
  if (char === '`') {
    ctx.parseText(takeBackticks(source));
    return false;
  }
  if (source.startsWith('((')) refuse('arithmetic is not followed');
  if (source.startsWith('(')) {
    source.skip(1);
    ctx.parseUntilParenthesis();
    return false;
  }
  // Other forms can run commands (`${x@P}`), reach another variable (`${!x}`) or hide text (`$'\x72m'`).
  if (source.startsWith('{')) {
    source.skip(1);
    if (!/^[A-Za-z_]\w*$/.test(takeUntil(source, '}'))) refuse('an expansion is not followed');
    return false;
  }
  if (/['"[]/.test(source.peek())) refuse('a special quote is not followed');
  return !/[\w@*#?$!-]/.test(source.peek());
}

function takeBackticks(source: Source): string {
  const text = takeUntil(source, '`');
  // How a backslash in here is read depends on the quotes around; a wrong guess would hide a command.
  if (text.includes('\\')) refuse('a backslash between backticks is not followed');
  return text;
}
