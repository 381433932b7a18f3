import { RuntimeError } from '../errors.ts';
import type { Agent } from './agent.ts';
import type { AgentFiles } from './agent-files.ts';
import type { PersonalityTemplate } from './agents.ts';
import { CODER_PERSONALITY } from './personalities/coder.ts';
import { CREATIVE_PERSONALITY } from './personalities/creative.ts';
import { DEFAULT_PERSONALITY } from './personalities/default.ts';
import { OPERATOR_PERSONALITY } from './personalities/operator.ts';
import { RESEARCHER_PERSONALITY } from './personalities/researcher.ts';
import { SECURITY_PERSONALITY } from './personalities/security.ts';

/** Those there are without anybody writing one. A file of the same name goes first. */
const BUILT_IN: ReadonlyMap<string, string> = new Map([
  ['coder', CODER_PERSONALITY],
  ['creative', CREATIVE_PERSONALITY],
  ['default', DEFAULT_PERSONALITY],
  ['default-security', SECURITY_PERSONALITY],
  ['operator', OPERATOR_PERSONALITY],
  ['researcher', RESEARCHER_PERSONALITY],
]);

export const DEFAULT_TEMPLATE = 'default';

type Templates = Pick<AgentFiles, 'findTemplate' | 'listTemplates'>;

/** Throws `invalid_input` for one that there is not, with those that there are. */
export async function getTemplate(files: Templates, name: string): Promise<string> {
  const found = (await files.findTemplate(name)) ?? BUILT_IN.get(name);
  if (found !== undefined) return found;
  const known = await listNames(files);
  throw new RuntimeError(
    'invalid_input',
    `personality_template must be one of ${known.join(', ')}`,
    { details: { field: 'personality_template', templates: known } },
  );
}

/** By name. */
export async function listTemplates(files: Templates): Promise<readonly PersonalityTemplate[]> {
  const found = await Promise.all(
    (await listNames(files)).map(async (name) => {
      const written = await files.findTemplate(name);
      const text = written ?? BUILT_IN.get(name);
      // One that is gone by now is none.
      return text === undefined ? [] : [{ name, text, isBuiltIn: written === undefined }];
    }),
  );
  return found.flat();
}

async function listNames(files: Templates): Promise<readonly string[]> {
  return [...new Set([...BUILT_IN.keys(), ...(await files.listTemplates())])].sort();
}

type Named = Pick<Agent, 'name' | 'role' | 'voiceId' | 'skills'>;

/** A word in double braces that nobody knows stays as it is: it may be meant for whoever reads it. */
export function renderSoul(template: string, agent: Named): string {
  const values: Readonly<Record<string, string>> = {
    agent_name: agent.name,
    agent_role: agent.role === '' ? 'an assistant' : agent.role,
    voice_id: agent.voiceId ?? 'none',
    skills: agent.skills.length === 0 ? 'none in particular' : agent.skills.join(', '),
  };
  return template.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, word: string) =>
    Object.hasOwn(values, word) ? (values[word] ?? whole) : whole,
  );
}
