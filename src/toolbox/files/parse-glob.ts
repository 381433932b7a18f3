import { inputInvalid } from './file-errors.ts';

/** Whether one character of a path fits. */
export type Reads = (char: string) => boolean;

export type GlobNode =
  | { readonly kind: 'one'; readonly reads: Reads }
  /** `*`: any characters of one name. */
  | { readonly kind: 'star' }
  /** A whole segment `**` with its slash: any directories, or none. */
  | { readonly kind: 'directories' }
  /** `**` at the end: everything below. */
  | { readonly kind: 'rest' }
  | { readonly kind: 'choice'; readonly options: readonly GlobNodes[] };

export type GlobNodes = readonly GlobNode[];

const readsName: Reads = (char) => char !== '/';

/** Throws `tool_input_invalid` for a pattern that no path could be meant by. */
export function parseGlob(pattern: string): GlobNodes {
  if (pattern.startsWith('/')) throw globInvalid('must be relative to path, without a / in front');
  if (pattern.split('/').includes('..')) throw globInvalid('must not contain ..');
  const chars = [...pattern.replace(/^(?:\.\/)+/, '')];
  // A directory stands for what is in it, since only files are found.
  if (chars.at(-1) === '/') chars.push('*', '*');
  const nodes = parseSequence({ chars, at: 0 }, { inBraces: false, startsSegment: true });
  if (nodes.length === 0) throw globInvalid('must not be empty');
  return nodes;
}

interface Cursor {
  readonly chars: readonly string[];
  at: number;
}

interface Place {
  readonly inBraces: boolean;
  /** Whether a name begins here, so that `**` can be a whole segment. */
  readonly startsSegment: boolean;
}

function parseSequence(cursor: Cursor, { inBraces, startsSegment }: Place): GlobNodes {
  const nodes: GlobNode[] = [];
  let isStart = startsSegment;
  for (let char = cursor.chars[cursor.at]; char !== undefined; char = cursor.chars[cursor.at]) {
    if (inBraces && (char === ',' || char === '}')) break;
    nodes.push(parseNode(cursor, { inBraces, startsSegment: isStart }));
    isStart = cursor.chars[cursor.at - 1] === '/';
  }
  return nodes;
}

function parseNode(cursor: Cursor, place: Place): GlobNode {
  const char = cursor.chars[cursor.at] ?? '';
  cursor.at += 1;
  switch (char) {
    case '*':
      return parseStars(cursor, place);
    case '?':
      return { kind: 'one', reads: readsName };
    case '[':
      return { kind: 'one', reads: parseClass(cursor) };
    case '{':
      return parseChoice(cursor, place);
    case '\\':
      return literal(takeEscaped(cursor));
    default:
      return literal(char);
  }
}

function literal(expected: string): GlobNode {
  return { kind: 'one', reads: (char) => char === expected };
}

function takeEscaped(cursor: Cursor): string {
  const char = cursor.chars[cursor.at];
  if (char === undefined) throw globInvalid('must not end in a backslash');
  cursor.at += 1;
  return char;
}

function parseStars(cursor: Cursor, { inBraces, startsSegment }: Place): GlobNode {
  let count = 1;
  for (; cursor.chars[cursor.at] === '*'; cursor.at += 1) count += 1;
  if (count === 1 || !startsSegment) return { kind: 'star' };
  const after = cursor.chars[cursor.at];
  if (after === '/') {
    cursor.at += 1;
    return { kind: 'directories' };
  }
  const isLast = after === undefined || (inBraces && (after === ',' || after === '}'));
  return { kind: isLast ? 'rest' : 'star' };
}

function parseChoice(cursor: Cursor, { startsSegment }: Place): GlobNode {
  const options: GlobNodes[] = [];
  for (;;) {
    options.push(parseSequence(cursor, { inBraces: true, startsSegment }));
    const end = cursor.chars[cursor.at];
    cursor.at += 1;
    if (end === '}') return { kind: 'choice', options };
    if (end === undefined) throw globInvalid('has a { without its }; \\{ stands for the character');
  }
}

function parseClass(cursor: Cursor): Reads {
  const isNegated = ['!', '^'].includes(cursor.chars[cursor.at] ?? '');
  if (isNegated) cursor.at += 1;
  const ranges: (readonly [from: string, to: string])[] = [];
  // In first place a bracket is itself one of the characters.
  while (cursor.chars[cursor.at] !== ']' || ranges.length === 0) {
    const from = takeClassCharacter(cursor);
    const isRange = cursor.chars[cursor.at] === '-' && cursor.chars[cursor.at + 1] !== ']';
    if (isRange) cursor.at += 1;
    ranges.push([from, isRange ? takeClassCharacter(cursor) : from]);
  }
  cursor.at += 1;
  const isListed = (char: string) => ranges.some(([from, to]) => from <= char && char <= to);
  return (char) => char !== '/' && isListed(char) !== isNegated;
}

function takeClassCharacter(cursor: Cursor): string {
  const char = cursor.chars[cursor.at];
  if (char === undefined) throw globInvalid('has a [ without its ]; \\[ stands for the character');
  cursor.at += 1;
  return char === '\\' ? takeEscaped(cursor) : char;
}

function globInvalid(message: string): Error {
  return inputInvalid('pattern', `pattern ${message}`);
}
