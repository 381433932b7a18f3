import { RUN_ID_PATTERN } from '../../../../core/ids.ts';
import { MAX_CONTENT_CHARS } from '../../../../core/memory/given-memory.ts';
import { parseAgentOption, parseName } from '../../admin-arguments.ts';
import { parseProject, projectOption } from '../../project-option.ts';
import type { TextQuestion } from '../../read-message.ts';
import { parseReader, READER_OPTION } from '../../reader-option.ts';

const MAX_PRIORITY = 15;

export const PRIORITY_OPTION = {
  kind: 'number',
  value: 'N',
  min: 0,
  max: MAX_PRIORITY,
  isWhole: true,
  summary: 'how much it matters, 0 to 15',
} as const;

/** What a search and a list leave out. */
export const WISH_OPTIONS = {
  ...READER_OPTION,
  project: projectOption('only of this project'),
  author: { kind: 'text', value: 'AGENT', summary: 'only what this agent wrote' },
  session: { kind: 'text', value: 'ID', summary: 'only of this conversation' },
  source: { kind: 'text', value: 'NAME', summary: 'only of this source, as in chat or web' },
  tag: { kind: 'list', value: 'TAG', summary: 'only with this tag; may be given several times' },
} as const;

interface Wishes {
  readonly as: string | undefined;
  readonly project: string | undefined;
  readonly author: string | undefined;
  readonly session: string | undefined;
  readonly source: string | undefined;
  readonly tag: readonly string[];
}

export function toWishes({ as, project, author, session, source, tag }: Wishes, command: string) {
  return {
    agent_id: parseReader(as, command),
    project_id: parseProject(project, command),
    author_id: author === undefined ? undefined : parseAgentOption(author, command),
    session_id: session,
    source,
    tags: tag.length === 0 ? undefined : tag.join(','),
  };
}

export function parseMemoryArgument(argument: string | undefined, command: string): string {
  return parseName(argument, {
    command,
    pattern: RUN_ID_PATTERN,
    what: 'the id of a memory',
    hint: 'ids look like mem_01jv8z4q0k6c; claw memory list shows them',
  });
}

export function toContentQuestion(command: string): TextQuestion {
  return {
    command,
    what: 'text',
    argument: 'TEXT',
    maxChars: MAX_CONTENT_CHARS,
    hint: 'give it as an argument, or on standard input',
    longHint: 'split it, and import the parts with one session_id',
  };
}

/** No header is sent: the reader is told as a parameter. */
export const NO_HEADERS = {
  'x-clawos-agent-id': undefined,
  'x-clawos-pin-approved': undefined,
} as const;
