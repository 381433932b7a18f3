import type { Word } from './command.ts';
import { parseWord, type WordContext } from './parse-word.ts';
import type { Source } from './source.ts';
import { refuse } from './unparseable.ts';

export interface HereDocument {
  readonly delimiter: string;
  /** Tabs at the beginning of its lines are taken off. */
  readonly isIndented: boolean;
  /** A quoted delimiter switches expansion off. */
  readonly isVerbatim: boolean;
}

export interface Redirection {
  readonly writes?: Word;
  readonly hereDocument?: HereDocument;
}

// Longest first, so that none is taken for the beginning of another.
const OPERATORS = ['<<<', '<<-', '>>', '>|', '>&', '<<', '<&', '<>', '>', '<'] as const;

const CLOSED_LINE = /^(?:[^'"`\\(]|'[^']*'|"[^"`$\\]*")*$/;

/** Files that a redirection may always write to. */
const SINKS = new Set(['/dev/null', '/dev/stdout', '/dev/stderr']);

/** Reads a redirection with its target when one begins here. */
export function parseRedirection(ctx: WordContext): Redirection | undefined {
  const { source } = ctx;
  let digits = 0;
  while (/\d/.test(source.peek(digits))) digits += 1;
  if (digits > 0 && source.peek(digits) !== '<' && source.peek(digits) !== '>') return undefined;
  if (digits > 0 && source.peek(digits + 1) === '(') return undefined;
  const isOperator = (operator: string) =>
    [...operator].every((char, index) => source.peek(digits + index) === char);
  const operator = OPERATORS.find(isOperator);
  if (operator === undefined) return undefined;
  source.skip(digits + operator.length);
  while (source.peek() === ' ' || source.peek() === '\t') source.skip(1);
  const target = parseWord(ctx);
  if (target.text === '' && target.isBare && target.isLiteral)
    refuse('a redirection has no target');
  // The shell itself opens a connection for these names.
  if (/^\/+dev\/+(?:tcp|udp)\//.test(target.text)) refuse('a redirection leads to the network');
  if (operator === '<<' || operator === '<<-') {
    // A quote that is open at the end of the line would make it unclear where the body starts.
    if (!CLOSED_LINE.test(source.peekLine())) refuse('a here-document is not followed');
    return { hereDocument: toHereDocument(target, operator === '<<-') };
  }
  if (operator === '<' || operator === '<<<') return {};
  const isCopy = operator === '<&' || operator === '>&';
  if (isCopy && target.isLiteral && /^(?:\d+-?|-)$/.test(target.text)) return {};
  return target.isLiteral && SINKS.has(target.text) ? {} : { writes: target };
}

function toHereDocument(target: Word, isIndented: boolean): HereDocument {
  if (!target.isLiteral || /[$`\n]/.test(target.text)) refuse('a here-document is not followed');
  return { delimiter: target.text, isIndented, isVerbatim: !target.isBare };
}

/** Takes the bodies that follow a line, and gives those in which the shell would expand something. */
export function takeHereDocuments(source: Source, pending: HereDocument[]): readonly string[] {
  const bodies: string[] = [];
  for (const { delimiter, isIndented, isVerbatim } of pending.splice(0)) {
    const lines: string[] = [];
    for (;;) {
      if (source.isAtEnd) refuse('a here-document does not end');
      const line = source.takeLine();
      if ((isIndented ? line.replace(/^\t+/, '') : line) === delimiter) break;
      lines.push(line);
    }
    // A continued line could join with the delimiter, so that the body ends elsewhere than it seems.
    if (!isVerbatim && lines.some((line) => line.endsWith('\\')))
      refuse('a here-document is continued');
    if (!isVerbatim) bodies.push(lines.join('\n'));
  }
  return bodies;
}
