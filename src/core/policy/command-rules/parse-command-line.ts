import type { ParsedLine, SimpleCommand, Word } from './command.ts';
import { type HereDocument, parseRedirection, takeHereDocuments } from './parse-redirection.ts';
import { isProcessSubstitution, parseQuoted, parseWord, type WordContext } from './parse-word.ts';
import { createSource, type Source } from './source.ts';
import { refuse, Unparseable } from './unparseable.ts';

const MAX_LINE_CHARS = 16 * 1024;
const MAX_COMMANDS = 100;
const MAX_DEPTH = 10;

/** After these a command follows; for what the line could run they are punctuation. */
const PUNCTUATION = new Set([
  '!',
  '{',
  '}',
  'if',
  'then',
  'elif',
  'else',
  'fi',
  'while',
  'until',
  'do',
  'done',
]);
/** What follows these has a grammar of its own, in which a command could hide. */
const NOT_FOLLOWED = new Set(['case', 'esac', 'select', 'function', 'coproc', '[[', ']]', 'in']);
const ASSIGNMENT = /^([A-Za-z_]\w*)\+?=/;

/**
 * Finds every command that a line of shell would run: in pipes, chains, subshells, substitutions, loops and
 * here-documents. The parser leans to one side: it may find commands that never run, it must not miss one that does.
 * What it is not sure of is unparseable.
 */
export function parseCommandLine(line: string): ParsedLine {
  const commands: SimpleCommand[] = [];
  try {
    if (line.length > MAX_LINE_CHARS) refuse(`it is longer than ${MAX_LINE_CHARS} characters`);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    if (/[\x00-\x08\x0b-\x1f\x7f]/.test(line)) refuse('it has control characters');
    parseText({ commands, depth: 0 }, line);
    return { outcome: 'parsed', commands };
  } catch (thrown) {
    if (thrown instanceof Unparseable) return { outcome: 'unparseable', reason: thrown.message };
    throw thrown;
  }
}

interface Level {
  readonly commands: SimpleCommand[];
  readonly depth: number;
}

function parseText(level: Level, text: string): void {
  const source = createSource(text);
  parseList(level, source, '');
  if (!source.isAtEnd) refuse('a parenthesis is closed that was not opened');
}

function createWordContext(
  level: Level,
  source: Source,
  pending: readonly HereDocument[],
): WordContext {
  // Shells differ in where the body of a here-document starts when a substitution follows it.
  const assertNonePending = () => {
    if (pending.length > 0) refuse('a here-document is not followed');
  };
  return {
    source,
    parseUntilParenthesis() {
      assertNonePending();
      parseList(level, source, ')');
    },
    parseText(text) {
      assertNonePending();
      parseText(level, text);
    },
  };
}

/** Parses commands up to `end`, which it takes. */
function parseList(level: Level, source: Source, end: ')' | ''): void {
  if (level.depth > MAX_DEPTH) refuse(`it is nested deeper than ${MAX_DEPTH} levels`);
  const inner: Level = { commands: level.commands, depth: level.depth + 1 };
  const pending: HereDocument[] = [];
  const ctx = createWordContext(inner, source, pending);
  let hasCommand = false;
  for (;;) {
    skipBlanks(source);
    const char = source.peek();
    if (char === '' || char === ')') {
      if (char !== end) refuse(char === '' ? 'it ends too early' : 'a parenthesis is unexpected');
      if (pending.length > 0) refuse('a here-document has no body');
      if (char === ')') source.skip(1);
      return;
    }
    if (char === '\n') {
      source.skip(1);
      for (const body of takeHereDocuments(source, pending)) {
        parseQuoted(createWordContext(inner, createSource(body), []), '');
      }
    } else if (char === ';' || char === '|' || char === '&') {
      // `&>` too: to bash it is a redirection, to other shells the end of a command and the start of the next.
      if (source.startsWith(';;') || source.startsWith(';&')) refuse('a case is not followed');
      const isJoined = hasCommand && source.startsWith('&>');
      source.skip(1);
      hasCommand = false;
      if (isJoined) parseSimple(inner, ctx, { pending, followsCommand: true });
    } else if (char === '#') {
      while (!source.isAtEnd && source.peek() !== '\n') source.skip(1);
    } else if (char === '(') {
      if (source.peek(1) === '(') refuse('arithmetic is not followed');
      source.skip(1);
      parseList(inner, source, ')');
    } else {
      hasCommand = parseSimple(inner, ctx, { pending, followsCommand: false });
    }
  }
}

interface Surroundings {
  readonly pending: HereDocument[];
  readonly followsCommand: boolean;
}

/** Returns whether there was a program to run. */
function parseSimple(
  level: Level,
  ctx: WordContext,
  { pending, followsCommand }: Surroundings,
): boolean {
  const { source } = ctx;
  const words: Word[] = [];
  const assigned: string[] = [];
  const writes: Word[] = [];
  for (;;) {
    skipBlanks(source);
    const char = source.peek();
    if (char === '(') refuse('a function or an array is not followed');
    if (['', '\n', ';', '|', '&', ')', '#'].includes(char)) break;
    const redirection = isProcessSubstitution(source) ? undefined : parseRedirection(ctx);
    if (redirection !== undefined) {
      if (redirection.writes) writes.push(redirection.writes);
      if (redirection.hereDocument) pending.push(redirection.hereDocument);
      continue;
    }
    const word = parseWord(ctx);
    const name = words.length === 0 ? ASSIGNMENT.exec(word.bareStart)?.[1] : undefined;
    if (name !== undefined) assigned.push(name);
    else if (words.length === 0 && isReserved(word)) {
      if (assigned.length > 0 || writes.length > 0) refuse('a reserved word is out of place');
      return false;
    } else {
      // The subscript of an array is arithmetic, which can run commands.
      if (words.length === 0 && /^\w+\[.*=/.test(word.text)) refuse('an array is not followed');
      words.push(word);
    }
  }
  if (words.length === 0 && assigned.length === 0 && writes.length === 0) return false;
  if (isLoopHead(words)) return false;
  level.commands.push({ words, assigned, writes, followsCommand });
  if (level.commands.length > MAX_COMMANDS) refuse(`it has more than ${MAX_COMMANDS} commands`);
  return words.length > 0;
}

function isReserved({ text, isBare }: Word): boolean {
  if (!isBare) return false;
  if (NOT_FOLLOWED.has(text)) refuse(`${text} is not followed`);
  return PUNCTUATION.has(text);
}

/** `for name in words` runs nothing by itself; the commands in its words have been collected already. */
function isLoopHead([first, name, keyword]: readonly Word[]): boolean {
  if (first?.text !== 'for' || !first.isBare) return false;
  const isPlain = name?.isBare === true && /^[a-z_][a-z0-9_]*$/.test(name.text);
  if (!isPlain || (keyword !== undefined && keyword.text !== 'in'))
    refuse('a loop is not followed');
  return true;
}

function skipBlanks(source: Source): void {
  for (;;) {
    if (source.peek() === ' ' || source.peek() === '\t') source.skip(1);
    else if (source.startsWith('\\\n')) source.skip(2);
    else return;
  }
}
