import type { AgentId } from '../../../core/ids.ts';
import { parseAgent } from '../admin-arguments.ts';
import { DIRECTORY_OPTION } from '../commands/sessions/transcript-access.ts';
import type { CliContext } from '../program/context.ts';
import { parseError } from '../program/errors.ts';
import { readText } from '../read-message.ts';

const DEFAULT_LIMIT = 5;
const MAX_LIMIT = 200;
const MAX_TIMEOUT_SECONDS = 86_400;
/** As many as `/v1` takes. */
export const MAX_PROMPT_CHARS = 256 * 1024;

/** Of the commands that take turns. */
export const TURN_OPTIONS = {
  limit: {
    kind: 'number',
    value: 'N',
    min: 1,
    max: MAX_LIMIT,
    isWhole: true,
    summary: `how many routed matches to report (default ${DEFAULT_LIMIT})`,
  },
  agent: { kind: 'text', value: 'ID', summary: 'the agent to ask (default agent_default)' },
  directory: DIRECTORY_OPTION,
  'timeout-seconds': {
    kind: 'number',
    value: 'S',
    min: -MAX_TIMEOUT_SECONDS,
    max: MAX_TIMEOUT_SECONDS,
    isWhole: false,
    summary: 'wall clock for all turns together; exit code 2 when it is over',
  },
} as const;

export function readPrompt(words: readonly string[], context: CliContext, command: string) {
  return readText(words, context.input, {
    command,
    what: 'prompt',
    maxChars: MAX_PROMPT_CHARS,
    hint: 'give it as an argument, or on standard input with -',
    longHint: 'put the text in a file of the workspace and name it',
  });
}

export function parseContinuation(text: string | undefined, command: string): string | undefined {
  if (text === undefined) return undefined;
  if (text.trim() !== '' && text.length <= MAX_PROMPT_CHARS) return text;
  throw parseError(
    `option --continuation-prompt must have 1 to ${MAX_PROMPT_CHARS} characters, not only blanks`,
    { target: command },
  );
}

export function parseLimit(limit: number | undefined): number {
  return limit ?? DEFAULT_LIMIT;
}

export function parseTurnAgent(agent: string | undefined, command: string): AgentId {
  return parseAgent(agent, command) as AgentId;
}

export function toMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1_000;
}
