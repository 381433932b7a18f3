import { type Finding, matchAt, reachesEnd, type Source } from './finding.ts';
import { isCode, isHarmless } from './harmless-value.ts';
import { closingBracket, closingQuote } from './json-text.ts';
import { REDACTED } from './redact.ts';
import { findSecrecy, type Secrecy } from './secret-names.ts';
import { findReference } from './secret-reference.ts';

/** How far a name reaches to either side of the word that drew attention to it. */
export const MAX_NAME_SIDE_CHARS = 64;
/** Quotes (escaped as in JSON within JSON within JSON), brackets, sign and white space between a name and its value fit in here. */
const SIGN_LOOKAHEAD = 56;
const MIN_BARE_CHARS = 3;
const MIN_LOOSE_CHARS = 6;
const NEXT_SIGN_CHARS = 9;
/** A longer list of secrets is cut there. */
const MAX_LIST_CHARS = 16_384;
/** A value that holds a private key is left to that rule: taking its first line would hide the mark it goes by. */
const PEM_MARK = '-----BEGIN';

const SIGN = /(\\{0,15}["'`])?[\]?!]{0,2}[ \t]{0,8}(=>|:=|={1,3}|:(?!:|\/\/))([ \t]{0,8})/y;
const SAID = /[ \t]{1,3}is[ \t]{1,3}/iy;
const FLAG = /[ \t]{1,8}(?!-)/y;
const QUOTE = /\\{0,15}["'`]/y;
const KIND_OF_KEY = /(?:api|secret|access|private|auth) $/i;

/** Ends at what separates members, arguments and query parameters; a backslash stays unless it escapes. */
const BARE =
  /(?:\[REDACTED\]|[^\s"'`,;&)}\]<>|\\{([])(?:\[REDACTED\]|[^\s"'`,;&)}\]<>|\\]|\\(?!["'nrtu\\]))*/y;
/** Values of environment variables end at white space only. */
const ENVIRONMENT = /(?:\[REDACTED\]|[^\s"'`\\]|\\(?!["'nrtu\\]))+/y;
const BARE_TAIL = /[^\s"'`,;&)}\]<>|\\]*/y;
const QUOTED_TAIL = /[^"'`\r\n]*/y;
const LIST_TAIL = /[^\]}]*/y;
const LINE = /[^\r\n"'`\\]+/y;
const QUOTED_LINE = /[^\r\n\\]+/y;
const COOKIE_PAIR = /[A-Za-z0-9_.-]{1,64}=/y;
const SCHEME = /(?:bearer|basic)[ \t]{1,8}/iy;
const HEADER_SCHEME = /(?:bearer|basic|token|negotiate|apikey)[ \t]{1,8}/iy;
const MANY_VALUES_SCHEME = /(?:digest|signature|oauth|hawk|aws4-hmac-sha256)[ \t]{1,8}/iy;

interface Sign {
  readonly end: number;
  /** The quote that closed the name, as in JSON; empty for a bare name. */
  readonly nameQuote: string;
  readonly spaced: boolean;
  readonly equals: boolean;
  readonly arrow: boolean;
  /** No sign at all (`--token x`, `password is x`): the value itself must look like a secret. */
  readonly loose: boolean;
}

/** `password=…`, `token: …`, `"api_key": "…"` (also escaped, inside JSON text), `API_TOKEN=…`, `--token …`. */
export function findAssignment(source: Source, at: number): Finding {
  const { text } = source;
  const start = nameStart(text, at);
  const end = nameEnd(text, at);
  if (reachesEnd(source, end)) return 'open';
  const reference = findReference(source, { start, end });
  if (reference !== undefined) return reference === 'open' ? 'open' : undefined;
  const name = text.slice(start, end);
  const secrecy = secrecyOf(text, start, name);
  if (secrecy === undefined) return undefined;
  if (!source.final && text.length - end < SIGN_LOOKAHEAD) return 'open';
  const sign = findSign(text, end, name);
  if (sign === undefined) return undefined;
  if (isJsonList(text, sign, secrecy)) return findJsonList(source, sign);
  if (secrecy === 'container') return undefined;
  const quote = matchAt(QUOTE, text, sign.end);
  if (quote !== undefined) return findQuoted(source, sign.end + quote.length, quote);
  return sign.arrow ? undefined : findBare(source, name, sign);
}

function secrecyOf(text: string, start: number, name: string): Secrecy | undefined {
  const secrecy = findSecrecy(name);
  if (secrecy !== undefined || !/^key$/i.test(name)) return secrecy;
  return KIND_OF_KEY.test(text.slice(Math.max(0, start - 8), start)) ? 'value' : undefined;
}

/** Several secrets under one name in JSON text. An object under a single secret's name is rather its description. */
function isJsonList(text: string, sign: Sign, secrecy: Secrecy): boolean {
  const bracket = text[sign.end];
  if (sign.nameQuote === '') return false;
  return bracket === '[' || (bracket === '{' && secrecy === 'container');
}

function findJsonList(source: Source, sign: Sign): Finding {
  const { text } = source;
  const quote = sign.nameQuote;
  const limit = Math.min(text.length, sign.end + MAX_LIST_CHARS);
  const close = closingBracket(text, sign.end, { quote, limit });
  if (close === undefined && !source.final && limit === text.length) return 'open';
  const end = close ?? limit;
  if (!text.slice(sign.end, end).includes(quote)) return undefined;
  return { start: sign.end, end, text: `${quote}${REDACTED}${quote}`, tail: LIST_TAIL };
}

function findSign(text: string, at: number, name: string): Sign | undefined {
  SIGN.lastIndex = at;
  const found = SIGN.exec(text);
  if (found) {
    const sign = found[2] ?? '';
    return {
      end: at + found[0].length,
      nameQuote: found[1] ?? '',
      spaced: (found[3] ?? '') !== '',
      equals: sign.includes('='),
      arrow: sign === '=>',
      loose: false,
    };
  }
  const loose =
    matchAt(SAID, text, at) ?? (name.startsWith('--') ? matchAt(FLAG, text, at) : undefined);
  if (loose === undefined) return undefined;
  const end = at + loose.length;
  return { end, nameQuote: '', spaced: true, equals: false, arrow: false, loose: true };
}

function findQuoted(source: Source, start: number, quote: string): Finding {
  const end = closingQuote(source.text, start, quote);
  if (reachesEnd(source, end)) return 'open';
  const value = source.text.slice(start, end);
  if (isHarmless(value) || value.includes(PEM_MARK)) return undefined;
  return { start, end, text: REDACTED, tail: QUOTED_TAIL };
}

function findBare(source: Source, name: string, sign: Sign): Finding {
  const { text } = source;
  const { start, pattern } = findBareStart(text, name, sign);
  const value = matchAt(pattern, text, start) ?? '';
  const end = start + value.length;
  if (reachesEnd(source, end + NEXT_SIGN_CHARS)) return 'open';
  if (value.length < MIN_BARE_CHARS || isHarmless(value) || isCode(value, sign)) return undefined;
  if (sign.loose && !looksRandom(value)) return undefined;
  if (value.includes(PEM_MARK) || isNextName(text, value, { end, spaced: sign.spaced })) {
    return undefined;
  }
  const isJsonNumber = sign.nameQuote !== '' && /^-?\d[\d.eE+-]*$/.test(value);
  // JSON text stays JSON: where a bare number stood, a string must stand.
  const replacement = isJsonNumber ? `${sign.nameQuote}${REDACTED}${sign.nameQuote}` : REDACTED;
  return { start, end, text: replacement, tail: BARE_TAIL };
}

function findBareStart(
  text: string,
  name: string,
  sign: Sign,
): { readonly start: number; readonly pattern: RegExp } {
  const start = sign.end;
  if (/authorization$/i.test(name)) {
    const many = matchAt(MANY_VALUES_SCHEME, text, start);
    if (many !== undefined) return { start: start + many.length, pattern: QUOTED_LINE };
    const one = matchAt(HEADER_SCHEME, text, start) ?? '';
    return { start: start + one.length, pattern: BARE };
  }
  const scheme = matchAt(SCHEME, text, start);
  if (scheme !== undefined) return { start: start + scheme.length, pattern: BARE };
  if (/cookie$/i.test(name) && !sign.equals && matchAt(COOKIE_PAIR, text, start) !== undefined) {
    return { start, pattern: LINE };
  }
  const isEnvironment = sign.equals && !sign.spaced && /^[A-Z][A-Z0-9_]+$/.test(name);
  return { start, pattern: isEnvironment ? ENVIRONMENT : BARE };
}

/**
 * `secret: token: x`, `a.token = b.token = x`, `Token token="x"`, `token: Promise<…>`: what looks like the value is
 * the next name, or a type. Taking it would leave the real value behind it.
 */
function isNextName(
  text: string,
  value: string,
  at: { readonly end: number; readonly spaced: boolean },
): boolean {
  if (at.spaced && (value.endsWith(':') || text[at.end] === '<')) return true;
  const next = text.slice(at.end, at.end + NEXT_SIGN_CHARS);
  const name = /^[ \t]{0,8}=/.test(next) ? value : /^["'`\\]/.test(next) ? withoutSign(value) : '';
  return name !== '' && findSecrecy(name) === 'value';
}

function withoutSign(value: string): string {
  return /^[\w.-]{1,64}[=:]$/.test(value) ? value.slice(0, -1) : '';
}

function looksRandom(value: string): boolean {
  return value.length >= MIN_LOOSE_CHARS && /[0-9!@#$%^&*+=]/.test(value);
}

function nameStart(text: string, at: number): number {
  const floor = Math.max(0, at - MAX_NAME_SIDE_CHARS);
  let start = at;
  while (start > floor && isNameChar(text.charCodeAt(start - 1))) start -= 1;
  return start;
}

function nameEnd(text: string, at: number): number {
  const ceiling = Math.min(text.length, at + MAX_NAME_SIDE_CHARS);
  let end = at;
  while (end < ceiling && isNameChar(text.charCodeAt(end))) end += 1;
  return end;
}

function isNameChar(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45
  );
}
