import { findAssignment, MAX_NAME_SIDE_CHARS } from './find-assignment.ts';
import {
  findCredentials,
  findPrivateKey,
  findUrlPassword,
  MAX_PEM_CHARS,
} from './find-credentials.ts';
import { findToken, TOKEN_PREFIXES } from './find-token.ts';
import type { Finding, Source, Span } from './finding.ts';

const SCHEMES = ['bearer', 'basic'];
const PEM_BEGIN = '-----BEGIN';
const SECRET_NAMES = [
  ...['token', 'secret', 'passw', 'passphrase', 'passcode', '_pass', 'pwd', 'key'],
  ...['authorization', 'cookie', 'credential', 'otp'],
];
const URL_MARK = '://';

/**
 * Every secret begins with, or stands right after, one of these. Most texts hold none, so this one pass is what
 * redaction costs; each rule then looks only at the place it was called to, and none looks further than a bound or
 * than what it consumes, so the whole is linear in the length of the text.
 */
const TRIGGER = new RegExp(
  [TOKEN_PREFIXES, SCHEMES, [PEM_BEGIN], SECRET_NAMES, [URL_MARK]]
    .map((words) => `(${words.map(escapeDots).join('|')})`)
    .join('|'),
  'gi',
);

/** Every proper beginning of one, in small letters: text that ends in it may go on as a secret. */
const BEGINNINGS = beginningsOf([
  ...[...TOKEN_PREFIXES, ...SCHEMES, PEM_BEGIN],
  ...[...SECRET_NAMES, URL_MARK],
]);
const LONGEST_BEGINNING = Math.max(...[...BEGINNINGS].map(({ length }) => length));

function escapeDots(word: string): string {
  return word.replaceAll('.', '\\.');
}

function beginningsOf(words: readonly string[]): ReadonlySet<string> {
  const beginnings = new Set<string>();
  for (const word of words) {
    for (let end = 1; end < word.length; end += 1) beginnings.add(word.slice(0, end).toLowerCase());
  }
  return beginnings;
}

/** How much of the text before a place the rules may look back at. */
export const CONTEXT_CHARS = MAX_NAME_SIDE_CHARS + 16;

/** An undecided stretch longer than this is decided on what is there. */
export const MAX_OPEN_CHARS = MAX_PEM_CHARS + 512;

export interface Scan {
  readonly spans: readonly Span[];
  /** Everything before this is decided, whatever text may follow. */
  readonly settled: number;
}

/** Finds the secrets in `text` from `from` on. What lies before `from` is context only. */
export function scanSecrets(text: string, from: number, final: boolean): Scan {
  TRIGGER.lastIndex = from;
  let hit = TRIGGER.exec(text);
  if (hit === null) return { spans: NONE, settled: settledEnd(text, from, final) };
  const source: Source = { text, final, pemEnd: undefined };
  const spans: Span[] = [];
  let cursor = from;
  while (hit !== null) {
    const finding = evaluate(hit, source);
    if (finding === 'open') return { spans, settled: hit.index };
    if (finding !== undefined) {
      spans.push(finding);
      cursor = finding.end;
    }
    // One further and not past the trigger: a scan that starts anywhere then finds the same as one from the start.
    TRIGGER.lastIndex = finding === undefined ? hit.index + 1 : finding.end;
    hit = TRIGGER.exec(text);
  }
  return { spans, settled: settledEnd(text, cursor, final) };
}

export function replaceSpans(text: string, from: number, scan: Scan): string {
  let result = '';
  let cursor = from;
  for (const span of scan.spans) {
    result += text.slice(cursor, span.start) + span.text;
    cursor = span.end;
  }
  return result + text.slice(cursor, scan.settled);
}

const NONE: readonly Span[] = [];

/** Nothing that comes can reach back before a beginning that the text ends in. */
function settledEnd(text: string, cursor: number, final: boolean): number {
  if (final) return text.length;
  const earliest = Math.max(cursor, text.length - LONGEST_BEGINNING);
  for (let start = earliest; start < text.length; start += 1) {
    if (BEGINNINGS.has(text.slice(start).toLowerCase())) return start;
  }
  return text.length;
}

function evaluate(hit: RegExpExecArray, source: Source): Finding {
  if (hit[1] !== undefined) return findToken(source, hit.index);
  if (hit[2] !== undefined) return findCredentials(source, hit.index);
  if (hit[3] !== undefined) return findPrivateKey(source, hit.index);
  if (hit[4] !== undefined) return findAssignment(source, hit.index);
  return findUrlPassword(source, hit.index);
}
