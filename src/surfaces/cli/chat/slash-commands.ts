export interface SlashCommand {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  readonly maxArgs: number;
  /** Changes the conversation, so it waits until nothing is going on there. */
  readonly needsRest: boolean;
}

const command = (
  usage: string,
  summary: string,
  { maxArgs = 0, needsRest = false }: { maxArgs?: number; needsRest?: boolean } = {},
): SlashCommand => ({ name: usage.split(' ')[0] ?? usage, usage, summary, maxArgs, needsRest });

export const SLASH_COMMANDS: readonly SlashCommand[] = [
  command('/help', 'show this'),
  command('/new', 'begin another conversation; this one is kept', { needsRest: true }),
  command('/sessions', 'list the conversations there are'),
  command('/resume [ID]', 'go on with another conversation', { maxArgs: 1, needsRest: true }),
  command('/agents', 'list the agents'),
  command('/agent [ID]', 'say who answers, or talk to another agent', {
    maxArgs: 1,
    needsRest: true,
  }),
  command(
    '/model [REF]',
    'show or change the model of the agent; default: the one of the runtime',
    {
      maxArgs: 1,
    },
  ),
  command('/tools', 'list what the agent may use'),
  command('/cost', 'show tokens and cost of this conversation'),
  command('/compact', 'let the agent hear a summary of this conversation from now on', {
    needsRest: true,
  }),
  command('/approve [ID]', 'let a call happen', { maxArgs: 1 }),
  command('/deny [ID]', 'refuse a call', { maxArgs: 1 }),
  command('/exit', 'end the chat, as Ctrl-D does'),
];

const ALIASES: Readonly<Record<string, string>> = { '/quit': '/exit', '/chats': '/sessions' };

/** A direct call of a tool is for the runtime, not for the chat. */
const PASSED_ON = '/tool';

export type ParsedInput =
  | { readonly kind: 'message' }
  | { readonly kind: 'unknown'; readonly word: string }
  | { readonly kind: 'usage'; readonly usage: string }
  | {
      readonly kind: 'command';
      readonly command: SlashCommand;
      readonly argument: string | undefined;
    };

/** Only a word of letters behind the slash is a command: a path is part of a message. */
export function parseInput(text: string): ParsedInput {
  if (!/^\/[a-z]+(?:\s|$)/i.test(text)) return { kind: 'message' };
  const [word = '', ...args] = text.trim().split(/\s+/, 3);
  const typed = word.toLowerCase();
  if (typed === PASSED_ON) return { kind: 'message' };
  const name = Object.hasOwn(ALIASES, typed) ? ALIASES[typed] : typed;
  const found = SLASH_COMMANDS.find((known) => known.name === name);
  if (!found) return { kind: 'unknown', word };
  if (args.length > found.maxArgs) return { kind: 'usage', usage: found.usage };
  return { kind: 'command', command: found, argument: args[0] };
}

export interface Completions {
  readonly sessions: readonly string[];
  readonly agents: readonly string[];
}

export interface Completed {
  /** The text with what all options have in common. */
  readonly text: string;
  /** More than one when it is not clear which. */
  readonly options: readonly string[];
}

/** What Tab makes of the text. Undefined when there is nothing to complete. */
export function completeInput(text: string, known: Completions): Completed | undefined {
  const [, word = '', gap = '', argument = ''] = /^(\/[a-z]*)(\s*)(\S*)$/i.exec(text) ?? [];
  if (word === '') return undefined;
  if (gap === '') return complete('', word, [...SLASH_COMMANDS.map(({ name }) => name)]);
  return complete(`${word} `, argument, toArguments(word, known));
}

function toArguments(word: string, known: Completions): readonly string[] {
  if (word === '/resume') return known.sessions;
  return word === '/agent' ? known.agents : [];
}

function complete(before: string, begun: string, names: readonly string[]): Completed | undefined {
  const options = names.filter((name) => name.startsWith(begun));
  const [first] = options;
  if (first === undefined) return undefined;
  const shared = options.reduce(sharedStart, first);
  const isOnly = options.length === 1 && before === '';
  return { text: `${before}${shared}${isOnly ? ' ' : ''}`, options };
}

function sharedStart(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return a.slice(0, length);
}
