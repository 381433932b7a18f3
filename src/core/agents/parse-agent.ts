import { defined } from '../defined.ts';
import { RuntimeError, toRuntimeError } from '../errors.ts';
import { AGENT_ID_PATTERN, type AgentId } from '../ids.ts';
import type { Models } from '../loop/model.ts';
import type { Redactor } from '../redact/redact.ts';
import type { Agent, AgentChange } from './agent.ts';
import { chooseModel } from './agent-runtime.ts';
import { isReservedName } from './agent-slug.ts';
import type { GivenAgent } from './agents.ts';

export interface ParseDeps {
  readonly models: Pick<Models, 'describe'>;
  readonly redactor: Pick<Redactor, 'redactText'>;
}

/** What is stored of what was given: texts redacted, the model one that exists, skills once each and none blank. */
export async function parseAgent(
  deps: ParseDeps,
  given: GivenAgent,
  current?: Agent,
): Promise<AgentChange> {
  const { runtime, skills, memoryAccess, voiceId, personalityTemplate } = given;
  const redact = (text: string) => deps.redactor.redactText(text);
  const place = { runtime, model: given.model, current: current?.model };
  const model = await asInput(chooseModel(deps.models, place));
  if (typeof model === 'string') await asInput(deps.models.describe(model));
  return {
    ...(given.name === undefined ? {} : { name: redact(parseName(given.name)) }),
    ...(given.role === undefined ? {} : { role: redact(given.role.trim()) }),
    ...(model === undefined ? {} : { model: model ?? undefined }),
    ...(given.instructions === undefined ? {} : { instructions: redact(given.instructions) }),
    ...defined({ personalityTemplate }),
    ...(voiceId === undefined ? {} : { voiceId: voiceId ?? undefined }),
    ...(skills === undefined ? {} : { skills: parseSkills(skills) }),
    ...defined({ memoryAccess }),
  };
}

export function parseAgentId(given: string): AgentId {
  if (isReservedName(given)) {
    throw new RuntimeError(
      'invalid_input',
      `agent_id must not be ${given}: /api/agents has a use for it`,
    );
  }
  if (AGENT_ID_PATTERN.test(given)) return given as AgentId;
  throw new RuntimeError('invalid_input', 'agent_id must be 1 to 64 letters, digits, _ or -');
}

function parseName(given: string): string {
  const name = given.trim();
  if (name === '') throw invalidName('must not be empty');
  // It stands in tables, prompts and addresses; what hides or ends a line there makes one agent look like another.
  if (UNSEEN.test(name)) throw invalidName('must be one line without invisible control characters');
  if (!SEEN.test(name)) throw invalidName('must have a visible character');
  return name;
}

/** Not the joiner U+200D, which emoji and some scripts need. */
const UNSEEN =
  /[\p{Cc}\u00ad\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/u;
/** Blank Braille is a letter to Unicode. */
const SEEN = /[^\s\u2800\p{Default_Ignorable_Code_Point}]/u;

function invalidName(what: string): RuntimeError {
  return new RuntimeError('invalid_input', `name ${what}`, { details: { field: 'name' } });
}

function parseSkills(given: readonly string[]): readonly string[] {
  return [...new Set(given.map((skill) => skill.trim().toLowerCase()))].filter(
    (skill) => skill !== '',
  );
}

/** A model that can't be had is a mistake of whoever named it. */
async function asInput<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (thrown) {
    const { code, message } = toRuntimeError(thrown);
    if (code !== 'provider_misconfigured') throw thrown;
    throw new RuntimeError('invalid_input', message, { cause: thrown });
  }
}
