import type { GivenAgent } from '../../core/agents/agents.ts';
import { AGENT_ID_PATTERN } from '../../core/ids.ts';
import { parseName } from './admin-arguments.ts';
import type { OptionValues } from './command.ts';
import type { InputStream } from './context.ts';
import { parseError } from './errors.ts';
import { readText } from './read-message.ts';

/** As many as `/api/admin` takes. */
const MAX_CHARS = { name: 80, role: 200, model: 256, instructions: 16_384 } as const;

export const AGENT_OPTIONS = {
  name: { kind: 'text', value: 'TEXT', summary: 'how people call it' },
  role: { kind: 'text', value: 'TEXT', summary: 'what it is there for, in a few words' },
  model: { kind: 'text', value: 'PROVIDER/NAME', summary: 'the model it speaks with' },
  instructions: {
    kind: 'text',
    value: 'TEXT',
    summary: 'what the model is told about itself; - reads standard input',
  },
} as const;

export async function readAgentOptions(
  options: OptionValues<typeof AGENT_OPTIONS>,
  input: InputStream,
  command: string,
): Promise<GivenAgent> {
  const { name, role, model, instructions } = options;
  for (const field of ['name', 'role', 'model'] as const) {
    if ((options[field] ?? '').length <= MAX_CHARS[field]) continue;
    const problem = `option --${field} must have at most ${MAX_CHARS[field]} characters`;
    throw parseError(problem, { target: command });
  }
  return {
    ...(name === undefined ? {} : { name }),
    ...(role === undefined ? {} : { role }),
    ...(model === undefined ? {} : { model }),
    ...(instructions === undefined
      ? {}
      : { instructions: await readInstructions(instructions, input, command) }),
  };
}

function readInstructions(given: string, input: InputStream, command: string): Promise<string> {
  return readText([given], input, {
    command,
    what: 'text of --instructions',
    maxChars: MAX_CHARS.instructions,
    hint: 'give it with --instructions, or on standard input with --instructions -',
  });
}

export function parseAgentArgument(argument: string | undefined, command: string): string {
  return parseName(argument, {
    command,
    pattern: AGENT_ID_PATTERN,
    what: 'the id of an agent',
    hint: 'ids have 1 to 64 letters, digits, _ or -; claw agents list shows them',
  });
}
