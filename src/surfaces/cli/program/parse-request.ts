import type { Command, CommandInput, OptionSpecs } from './command.ts';
import type { CommandEntry } from './command-entry.ts';
import { COMMAND_TABLE, findEntry, HELP_ENTRY, listSubcommands } from './command-table.ts';
import { parseError } from './errors.ts';
import { GLOBAL_OPTIONS } from './global-options.ts';
import { type OptionValue, readOptions, type Suggest, tokenize } from './parse-options.ts';

/** What the command line asks for. */
export type Request =
  | { readonly kind: 'help'; readonly words: readonly string[]; readonly globals: Globals }
  | {
      readonly kind: 'command';
      readonly entry: CommandEntry;
      readonly command: Command;
      readonly input: CommandInput<OptionSpecs>;
      readonly globals: Globals;
    };

export interface Globals {
  readonly root: string | undefined;
  readonly noColor: boolean;
}

/** Stands for the command in an envelope when there is none. */
export const MISSING = '<missing>';

/** The command words as far as they are known, for the envelope of whatever goes wrong. */
export function findAttempted(argv: readonly string[]): string {
  const words = findWords(argv);
  return findCommand(words)?.name ?? words[0] ?? MISSING;
}

/** Whether a command line names no command and asks for none: options that hold for all of them at most. */
export function isBareLine(argv: readonly string[]): boolean {
  return tokenizeGlobals(argv).every(
    (token) => token.kind === 'option' && token.name !== 'help' && token.name !== 'version',
  );
}

export async function parseRequest(argv: readonly string[], suggest: Suggest): Promise<Request> {
  const words = findWords(argv);
  const tokens = tokenizeGlobals(argv);
  const firstWord = tokens.findIndex((token) => token.kind === 'positional');
  const before = firstWord === -1 ? tokens : tokens.slice(0, firstWord);
  // Options of a command may follow it only: before it nobody knows which of them take a value.
  const early = toGlobals(await readOptions(before, GLOBAL_OPTIONS, { command: MISSING, suggest }));
  const asked = new Set(tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : [])));
  if (words.length === 0 && asked.has('version'))
    return parseCommand(['version', ...argv], suggest);
  if (words[0] === HELP_ENTRY.name) return { kind: 'help', words: words.slice(1), globals: early };
  if (asked.has('help'))
    return { kind: 'help', words: await knownWords(words, suggest), globals: early };
  return parseCommand(argv, suggest);
}

async function parseCommand(argv: readonly string[], suggest: Suggest): Promise<Request> {
  const words = findWords(argv);
  const entry = await getEntry(words, suggest);
  const command = await entry.load();
  const specs = { ...GLOBAL_OPTIONS, ...command.options };
  const tokens = tokenize(argv, specs);
  const values = await readOptions(tokens, specs, { command: entry.name, suggest });
  const args = tokens
    .flatMap((token) => (token.kind === 'positional' ? [token.value] : []))
    .slice(entry.name.split(' ').length);
  assertCount(args, command, entry.name);
  return {
    kind: 'command',
    entry,
    command,
    input: { args, options: values as CommandInput<OptionSpecs>['options'] },
    globals: toGlobals(values),
  };
}

function toGlobals(values: Readonly<Record<string, OptionValue>>): Globals {
  const root = values['root'];
  return {
    root: typeof root === 'string' ? root : undefined,
    noColor: values['no-color'] === true,
  };
}

const tokenized = new WeakMap<readonly string[], ReturnType<typeof tokenize>>();

/** Kept: several ask the same about one command line, and cutting it up takes longer than all else here. */
function tokenizeGlobals(argv: readonly string[]): ReturnType<typeof tokenize> {
  const tokens = tokenized.get(argv) ?? tokenize(argv, GLOBAL_OPTIONS);
  tokenized.set(argv, tokens);
  return tokens;
}

/** The words of a command's name, and behind them its arguments. */
function findWords(argv: readonly string[]): string[] {
  return tokenizeGlobals(argv).flatMap((token) =>
    token.kind === 'positional' ? [token.value] : [],
  );
}

/** The part of the words that names a command or a group; the rest are its arguments. */
async function knownWords(words: readonly string[], suggest: Suggest): Promise<string[]> {
  if (words.length === 0 || listSubcommands(words.join(' ')).length > 0) return [...words];
  return (await getEntry(words, suggest)).name.split(' ');
}

/** `tool circuit-breaker open` has three words, no command has more. */
const MAX_NAME_WORDS = 3;

/** The command that begins the words, if they begin with one: `handoff list` before `handoff` with an argument. */
function findCommand(words: readonly string[]): CommandEntry | undefined {
  for (let count = Math.min(words.length, MAX_NAME_WORDS); count > 0; count -= 1) {
    const entry = findEntry(words.slice(0, count).join(' '));
    if (entry) return entry;
  }
  return undefined;
}

/** Finds the command that words name, or throws saying what was probably meant. */
export async function getEntry(words: readonly string[], suggest: Suggest): Promise<CommandEntry> {
  const [first] = words;
  if (first === undefined) {
    throw parseError('no command was given', { target: MISSING, hint: 'claw help lists them' });
  }
  const entry = findCommand(words);
  if (entry) return entry;
  if (listSubcommands(first).length === 0) throw await unknownCommand(first, suggest);
  throw await unknownSubcommand(words, suggest);
}

async function unknownSubcommand(words: readonly string[], suggest: Suggest): Promise<Error> {
  const group = findGroup(words);
  const target = words[0] ?? MISSING;
  const subcommands = listSubcommands(group).map(({ name }) => name.slice(group.length + 1));
  const hint = `claw ${group} has ${subcommands.join(', ')}`;
  const next = words[group.split(' ').length];
  if (next === undefined) return parseError(`${group} needs a subcommand`, { target, hint });
  const closest = await suggest(next, subcommands);
  return parseError(`unknown command ${JSON.stringify(`${group} ${next}`)}`, {
    target,
    hint: closest === undefined ? hint : `did you mean claw ${group} ${closest}?`,
  });
}

/** The longest run of words that commands begin with. */
function findGroup(words: readonly string[]): string {
  let group = words[0] ?? '';
  for (const word of words.slice(1)) {
    if (listSubcommands(`${group} ${word}`).length === 0) break;
    group = `${group} ${word}`;
  }
  return group;
}

async function unknownCommand(word: string, suggest: Suggest): Promise<Error> {
  const known = [...COMMAND_TABLE.map(({ name }) => name.split(' ')[0] ?? name), HELP_ENTRY.name];
  const closest = await suggest(word, [...new Set(known)]);
  return parseError(`unknown command ${JSON.stringify(word)}`, {
    target: word,
    hint: closest === undefined ? 'claw help lists the commands' : `did you mean claw ${closest}?`,
  });
}

function assertCount(args: readonly string[], command: Command, name: string): void {
  const { min, max } = command.args;
  if (args.length >= min && args.length <= max) return;
  const problem =
    args.length < min
      ? `argument ${nameArgument(command.usage, args.length)} is missing`
      : `unexpected argument ${JSON.stringify(args[max] ?? '')}`;
  throw parseError(problem, {
    target: name,
    hint: `usage: claw ${name} ${command.usage}`.trimEnd(),
  });
}

/** What the usage line calls an argument that is needed; those stand first in it. */
function nameArgument(usage: string, place: number): string {
  const [needed = ''] = usage.split(/\s(?=\[|-)|\s\|\s/);
  return needed.split(' ')[place] ?? usage;
}
