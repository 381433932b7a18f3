import { HTML_ENTITIES } from './html-entities.ts';

/** A text with its escapes undone, which knows where each of its characters came from. */
export interface DecodedView {
  readonly text: string;
  /** Where in the escaped text the character at `position` begins; the whole escape, never a part of one. */
  toStart(position: number): number;
  /** Where in the escaped text the character before `position` ends. */
  toEnd(position: number): number;
}

/** As URLs, JSON, programs and web pages write a character that they can't or need not write as itself. */
const ESCAPE =
  /%[0-9A-Fa-f]{2}|\\(?:u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|["'\\/bfnrt])|&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,23});/g;

/** The beginning of one at the end of a text. A run of backslashes is read from its first: two of them are one. */
const OPEN_ESCAPE =
  /(?:%[0-9A-Fa-f]?|\\+(?:u[0-9A-Fa-f]{0,3}|x[0-9A-Fa-f]?)?|&(?:#[0-9]{0,7}|#[xX][0-9A-Fa-f]{0,6}|[A-Za-z][A-Za-z0-9]{0,23})?)$/;
const LONGEST_ESCAPE = 32;

/** Undoes one layer of escapes. Undefined when there is none. */
export function decodeView(text: string): DecodedView | undefined {
  ESCAPE.lastIndex = 0;
  const marks: Mark[] = [];
  let decoded = '';
  let cursor = 0;
  for (let hit = ESCAPE.exec(text); hit !== null; hit = ESCAPE.exec(text)) {
    const [written] = hit;
    const plain = decodeEscape(written);
    if (plain === undefined) continue;
    decoded += text.slice(cursor, hit.index);
    const start = decoded.length;
    decoded += plain;
    cursor = hit.index + written.length;
    marks.push({ start, end: decoded.length, sourceStart: hit.index, sourceEnd: cursor });
  }
  if (marks.length === 0) return undefined;
  return {
    text: decoded + text.slice(cursor),
    toStart(position) {
      const mark = lastMark(marks, (one) => one.start <= position);
      if (mark === undefined) return position;
      return position < mark.end ? mark.sourceStart : mark.sourceEnd + position - mark.end;
    },
    toEnd(position) {
      const mark = lastMark(marks, (one) => one.start < position);
      if (mark === undefined) return position;
      return position <= mark.end ? mark.sourceEnd : mark.sourceEnd + position - mark.end;
    },
  };
}

/** Where an escape begins that the text ends in the middle of; its length when there is none. */
export function openEscapeStart(text: string): number {
  const from = Math.max(0, text.length - LONGEST_ESCAPE);
  const at = text.slice(from).search(OPEN_ESCAPE);
  return at === -1 ? text.length : from + at;
}

interface Mark {
  readonly start: number;
  readonly end: number;
  readonly sourceStart: number;
  readonly sourceEnd: number;
}

function lastMark(marks: readonly Mark[], holds: (mark: Mark) => boolean): Mark | undefined {
  let low = 0;
  let high = marks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const mark = marks[middle];
    if (mark !== undefined && holds(mark)) low = middle + 1;
    else high = middle;
  }
  return marks[low - 1];
}

const CONTROLS: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const MAX_CODE_POINT = 0x10ffff;

/** Undefined for what is no escape after all, or is as plain as it gets. */
function decodeEscape(written: string): string | undefined {
  if (written.startsWith('%')) return decodeByte(written, written.slice(1));
  if (written.startsWith('&')) return decodeEntity(written.slice(1, -1));
  const kind = written.charAt(1);
  if (kind === 'u') return String.fromCharCode(Number.parseInt(written.slice(2), 16));
  if (kind === 'x') return decodeByte(written, written.slice(2));
  return CONTROLS[kind] ?? kind;
}

/** Bytes of longer characters stay bytes, in one spelling: which of them make a character is not ours to find out. */
function decodeByte(written: string, digits: string): string | undefined {
  const byte = Number.parseInt(digits, 16);
  if (byte < 0x80) return String.fromCharCode(byte);
  const plain = `%${digits.toUpperCase()}`;
  return plain === written ? undefined : plain;
}

function decodeEntity(name: string): string | undefined {
  if (!name.startsWith('#')) return HTML_ENTITIES.get(name);
  const isHex = name.charAt(1) === 'x' || name.charAt(1) === 'X';
  const code = isHex ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  return code <= MAX_CODE_POINT ? String.fromCodePoint(code) : undefined;
}
