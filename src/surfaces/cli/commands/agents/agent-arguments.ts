import { MEMORY_ACCESSES } from '../../../../core/agents/agent.ts';
import { AGENT_RUNTIMES } from '../../../../core/agents/agent-runtime.ts';
import { defined } from '../../../../core/defined.ts';
import type {
  AgentFieldsShape,
  ApprovalHeadersShape,
} from '../../../../operations/agents/agent-shapes.ts';
import type { OptionValues } from '../../program/command.ts';
import type { InputStream } from '../../program/context.ts';
import { hintingPolicy, parseError } from '../../program/errors.ts';
import { readText } from '../../read-message.ts';

/** As many as `/api/admin` takes. */
const MAX_CHARS = {
  name: 80,
  role: 200,
  model: 256,
  template: 128,
  voice: 128,
  instructions: 16_384,
} as const;

export const SKILL_OPTION = {
  kind: 'list',
  value: 'SKILL',
  summary: 'what it may use of what it is granted; repeatable (none: all of it)',
} as const;

export const MEMORY_OPTIONS = {
  memory: {
    kind: 'choice',
    value: 'ACCESS',
    choices: MEMORY_ACCESSES,
    summary: 'global: it shares its memory; private: it keeps it to itself',
  },
  'approve-global-memory': {
    kind: 'flag',
    summary: 'say that global memory was approved, where that is required',
  },
} as const;

export const AGENT_OPTIONS = {
  name: { kind: 'text', value: 'TEXT', summary: 'how people call it' },
  role: { kind: 'text', value: 'TEXT', summary: 'what it is there for, in a few words' },
  model: { kind: 'text', value: 'PROVIDER/NAME', summary: 'the model it speaks with' },
  runtime: {
    kind: 'choice',
    value: 'RUNTIME',
    choices: AGENT_RUNTIMES,
    summary:
      'where it lives; openclaw: in the gateway, as --model openclaw/AGENT or its default one',
  },
  instructions: {
    kind: 'text',
    value: 'TEXT',
    summary: 'what the model is told about itself; - reads standard input',
  },
  template: { kind: 'text', value: 'NAME', summary: 'the personality its soul is made from' },
  voice: { kind: 'text', value: 'VOICE', summary: 'the voice it speaks with' },
  skill: SKILL_OPTION,
  ...MEMORY_OPTIONS,
} as const;

type AgentOptions = OptionValues<typeof AGENT_OPTIONS>;

export async function readAgentOptions(
  options: AgentOptions,
  input: InputStream,
  command: string,
): Promise<AgentFieldsShape> {
  const { name, role, model, runtime, instructions, template, voice, skill, memory } = options;
  for (const field of ['name', 'role', 'model', 'template', 'voice'] as const) {
    assertShort(field, options[field], { word: `option --${field}`, command });
  }
  return {
    ...defined({ name, role, model, runtime, memory_access: memory }),
    ...defined({ personality_template: template, voice_id: voice }),
    ...(skill.length === 0 ? {} : { skills: [...skill] }),
    ...(instructions === undefined
      ? {}
      : { instructions: await readInstructions(instructions, input, command) }),
  };
}

/** Said of the word that the command has for it. */
export function assertShort(
  field: 'name' | 'role' | 'model' | 'template' | 'voice',
  text: string | undefined,
  { word, command }: { readonly word: string; readonly command: string },
): void {
  if ((text ?? '').length <= MAX_CHARS[field]) return;
  throw parseError(`${word} must have at most ${MAX_CHARS[field]} characters`, { target: command });
}

export function toApprovalHeaders(
  options: Pick<AgentOptions, 'approve-global-memory'>,
): ApprovalHeadersShape {
  return options['approve-global-memory'] ? { 'x-clawos-global-memory-approved': 'true' } : {};
}

export function hintingApproval<T>(work: Promise<T>): Promise<T> {
  return hintingPolicy('--approve-global-memory says that it was approved', work);
}

function readInstructions(given: string, input: InputStream, command: string): Promise<string> {
  return readText([given], input, {
    command,
    what: 'text of --instructions',
    maxChars: MAX_CHARS.instructions,
    hint: 'give it with --instructions, or on standard input with --instructions -',
  });
}
