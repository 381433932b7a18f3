import { type Finding, matchAt, reachesEnd, type Source } from './finding.ts';
import { REDACTED } from './redact.ts';

/** A header's scheme word, its white space and one character of its value fit in here. */
const SCHEME_LOOKAHEAD = 40;
const SCHEME = /(?<![A-Za-z0-9_])(?:bearer|basic)[ \t]{1,8}/iy;
const CREDENTIALS = /(?:\[REDACTED\]|[A-Za-z0-9._~+/=-])*/y;
const TAIL = /[A-Za-z0-9._~+/=-]*/y;
const MIN_BEARER_CHARS = 4;
const MIN_BASIC_CHARS = 8;

/** What follows "bearer" in a sentence about it. */
const BEARER_PROSE =
  /^(?:tokens?|auth|authentication|authorization|scheme|schemes|headers?|credentials?|format|type|realm|prefix|name|access|secrets?|with|that|this|from|must|should|will|only|and|bonds?|shares?)[.]?$/i;

/** `Bearer x` and `Basic x`, wherever they stand. */
export function findCredentials(source: Source, at: number): Finding {
  const { text } = source;
  if (!source.final && text.length - at < SCHEME_LOOKAHEAD) return 'open';
  const scheme = matchAt(SCHEME, text, at);
  if (scheme === undefined) return undefined;
  const start = at + scheme.length;
  const value = matchAt(CREDENTIALS, text, start) ?? '';
  const end = start + value.length;
  if (reachesEnd(source, end)) return 'open';
  const isSecret = scheme[1] === 'e' || scheme[1] === 'E' ? isBearer(value) : isBasic(value);
  return isSecret ? { start, end, text: REDACTED, tail: TAIL } : undefined;
}

function isBearer(value: string): boolean {
  return (
    value.length >= MIN_BEARER_CHARS && !/^[.=~+/-]*$/.test(value) && !BEARER_PROSE.test(value)
  );
}

/**
 * English has "basic understanding", "Basic TypeScript", "basic 2026-02-19"; base64 of `user:password` has a digit,
 * padding or decodes to a pair, never begins with a slash, and is never all hexadecimal.
 */
function isBasic(value: string): boolean {
  if (value.length < MIN_BASIC_CHARS || !/^[A-Za-z0-9+][A-Za-z0-9+/]*=*$/.test(value)) return false;
  return (/[0-9=]/.test(value) && !/^[0-9a-f]*$/.test(value)) || decodesToPair(value);
}

function decodesToPair(value: string): boolean {
  if (value.length % 4 === 1) return false;
  return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(atob(value));
}

const USER_NAME = /:\/\/[^\s/?#@:"'`<>\\]{0,256}/y;
const USER_INFO = /:\/\/[^\s/?#@:"'`<>\\]{0,256}:/y;
const PASSWORD = /[^\s/?#"'`<>\\]*/y;

/** The password in `scheme://user:password@host`. The user name stays: it tells an operator which login it was. */
export function findUrlPassword(source: Source, at: number): Finding {
  const { text } = source;
  const lead = matchAt(USER_INFO, text, at);
  if (lead === undefined) {
    const run = matchAt(USER_NAME, text, at) ?? '';
    return reachesEnd(source, at + run.length) ? 'open' : undefined;
  }
  const start = at + lead.length;
  const run = matchAt(PASSWORD, text, start) ?? '';
  if (reachesEnd(source, start + run.length)) return 'open';
  const length = run.lastIndexOf('@');
  if (length <= 0) return undefined;
  return { start, end: start + length, text: REDACTED, tail: PASSWORD };
}

/** Longer than any private key in use (a 16384 bit RSA key has 12 400 characters). */
export const MAX_PEM_CHARS = 16_384;
const PEM_LOOKAHEAD = 80;
const PEM_BEGIN = /-----BEGIN (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----/y;
const PEM_END = /-----END [A-Z0-9 ]{0,48}-----/y;
const PEM_BODY = /(?:(?!-----)[A-Za-z0-9+/=\s\\:,-])*/y;
const PEM_TAIL = /[A-Za-z0-9+/=\s\\]*/y;

/** A private key with its frame. One that was cut off before its end mark is still a secret. */
export function findPrivateKey(source: Source, at: number): Finding {
  const { text } = source;
  if (!source.final && text.length - at < PEM_LOOKAHEAD) return 'open';
  const begin = matchAt(PEM_BEGIN, text, at);
  if (begin === undefined) return undefined;
  const start = at + begin.length;
  const close = findPemEnd(source, start);
  if (close !== -1 && close - start <= MAX_PEM_CHARS) {
    if (!source.final && text.length - close < PEM_LOOKAHEAD) return 'open';
    const mark = matchAt(PEM_END, text, close) ?? '-----END';
    return { start: at, end: close + mark.length, text: REDACTED, tail: PEM_TAIL };
  }
  if (!source.final && text.length - start < MAX_PEM_CHARS + PEM_LOOKAHEAD) return 'open';
  const body = matchAt(PEM_BODY, text, start) ?? '';
  return { start: at, end: start + body.length, text: REDACTED, tail: PEM_TAIL };
}

function findPemEnd(source: Source, from: number): number {
  if (source.pemEnd === undefined || (source.pemEnd !== -1 && source.pemEnd < from)) {
    source.pemEnd = source.text.indexOf('-----END', from);
  }
  return source.pemEnd;
}
