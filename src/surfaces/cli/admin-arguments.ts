import { AGENT_REFERENCE_PATTERN } from '../../core/agents/resolve-agent.ts';
import { DEFAULT_AGENT_ID, RUN_ID_PATTERN } from '../../core/ids.ts';
import { naming, parseError } from './program/errors.ts';

/** Begins with a letter or digit: `..` would become another path on its way to a server. */
const TOOL_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;
const TOOL_PATTERN = /^(?:[A-Za-z0-9][A-Za-z0-9_.-]{0,127})?\*$/;
const MAX_NOTE_CHARS = 500;
const MAX_SHOWN_CHARS = 140;

/** An id of whatever kind, checked before it becomes part of a path or a query. */
export function parseId(
  argument: string | undefined,
  at: { readonly command: string; readonly thing: string; readonly hint: string },
): string {
  if (argument !== undefined && RUN_ID_PATTERN.test(argument)) return argument;
  throw parseError(`${show(argument)} is not the id of an ${at.thing}`, {
    target: at.command,
    hint: at.hint,
  });
}

/** Like `parseId`, for what has a pattern and an article of its own. */
export function parseName(
  argument: string | undefined,
  at: {
    readonly command: string;
    readonly pattern: RegExp;
    /** As in `the id of a job`. */
    readonly what: string;
    readonly hint: string;
  },
): string {
  if (argument !== undefined && at.pattern.test(argument)) return argument;
  throw parseError(`${show(argument)} is not ${at.what}`, { target: at.command, hint: at.hint });
}

export function parseToolName(argument: string | undefined, command: string): string {
  if (argument !== undefined && TOOL_NAME.test(argument)) return argument;
  throw parseError(`${show(argument)} is not a tool's name`, { target: command, hint: TOOLS_HINT });
}

/** A tool, or a prefix that ends in `*`. */
export function parseToolPattern(argument: string | undefined, command: string): string {
  if (argument !== undefined && TOOL_PATTERN.test(argument)) return argument;
  return parseToolName(argument, command);
}

export const NOTE_OPTION = {
  kind: 'text',
  value: 'TEXT',
  summary: 'why; kept with the decision',
} as const;

export function parseNote(note: string | undefined, command: string): string {
  if (note === undefined || note.length <= MAX_NOTE_CHARS) return note ?? '';
  throw parseError(`option --note must have at most ${MAX_NOTE_CHARS} characters`, {
    target: command,
  });
}

export const AGENT_OPTION = {
  kind: 'text',
  value: 'ID',
  summary: `whose (default ${DEFAULT_AGENT_ID})`,
} as const;

export function parseAgent(agent: string | undefined, command: string): string {
  return agent === undefined ? DEFAULT_AGENT_ID : parseAgentOption(agent, command);
}

export function parseAgentOption(agent: string, command: string): string {
  if (AGENT_REFERENCE_PATTERN.test(agent)) return agent;
  throw parseError(`option --agent must name an agent (it is ${show(agent)})`, {
    target: command,
    hint: AGENTS_HINT,
  });
}

export function parseAgentArgument(argument: string | undefined, command: string): string {
  const what = 'an id, slug or name of an agent';
  return parseName(argument, {
    command,
    pattern: AGENT_REFERENCE_PATTERN,
    what,
    hint: AGENTS_HINT,
  });
}

const AGENTS_HINT = 'claw agents list shows the agents there are';

const TOOLS_HINT = 'claw tool list shows the tools there are';

/** Says which tool was looked for when there is none, and which one was probably meant. */
export function namingTool<T>(
  name: string,
  lookup: Promise<T>,
  hint: string = TOOLS_HINT,
): Promise<T> {
  return naming({ thing: 'tool', name, hint: () => suggestTool(name, hint) }, lookup);
}

/** Loaded when something is wrong only. */
async function suggestTool(name: string, otherwise: string): Promise<string> {
  const [{ findClosestName }, { BUILT_IN_TOOLS }] = await Promise.all([
    import('../../core/find-closest-name.ts'),
    import('../../core/inventory/built-in-tools.ts'),
  ]);
  const known = BUILT_IN_TOOLS.flatMap((tool) => [tool.name, ...tool.aliases]);
  const closest = findClosestName(name, known);
  return closest === undefined ? otherwise : `did you mean ${closest}?`;
}

export function namingAgent<T>(name: string, lookup: Promise<T>): Promise<T> {
  return naming({ thing: 'agent', name, hint: AGENTS_HINT }, lookup);
}

function show(text: string | undefined): string {
  return JSON.stringify(text?.slice(0, MAX_SHOWN_CHARS) ?? '');
}
