import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server';
import type { Agent } from '../../core/agents/agent.ts';
import type { AgentReader } from '../../core/agents/agents.ts';
import type { ReadSoul } from '../../core/agents/souls.ts';
import { RuntimeError } from '../../core/errors.ts';
import { OPERATOR } from '../../core/principal.ts';
import type { SkillLine, SkillShelf } from '../../core/skills/skill-shelf.ts';
import { MAX_MESSAGE_CHARS } from './schema.ts';

export interface PromptsDeps {
  readonly agents: Pick<AgentReader, 'list' | 'resolve'>;
  readonly readSoul: ReadSoul;
  readonly skills: Pick<SkillShelf, 'listForPrompt' | 'read'>;
}

/** Agents and published skills as prompts: what they are told, for a model on the other side. */
export interface Prompts {
  list(): Promise<Prompt[]>;
  /** Throws `not_found`, and `invalid_input` when an argument is missing or too long. */
  get(name: string, given: Readonly<Record<string, string>>): Promise<GetPromptResult>;
  /** What an argument may be; empty when it may be anything. Throws `not_found`. */
  suggest(name: string, argument: string): Promise<readonly string[]>;
}

const AGENT = 'agent_';
const SKILL = 'skill_';
const MAX_AGENTS = 500;
const MAX_DESCRIPTION_CHARS = 500;

const TASK = { name: 'task', description: 'What is to be done.', required: true };
const WITH_SKILL = { name: 'skill', description: 'A skill to follow.', required: false };
const AS_AGENT = { name: 'agent', description: 'The agent to speak as.', required: false };

export function createPrompts(deps: PromptsDeps): Prompts {
  const listSkills = () => deps.skills.listForPrompt(OPERATOR);
  const listAgents = async () => (await deps.agents.list({ limit: MAX_AGENTS })).agents;

  async function readAgent(reference: string): Promise<string> {
    const agent = await deps.readSoul(await deps.agents.resolve(reference));
    return `You are ${agent.name}, ${agent.role}.\n\n${agent.instructions}`;
  }

  async function readSkill(name: string): Promise<string> {
    const { file } = await deps.skills.read({ principal: OPERATOR, name });
    return `Follow this skill.\n\n${file.content}`;
  }

  return {
    async list() {
      const [agents, skills] = await Promise.all([listAgents(), listSkills()]);
      return [...agents.map(toAgentPrompt), ...skills.map(toSkillPrompt)];
    },

    async get(name, { agent, skill, ...given }) {
      const { kind, bearer } = parseName(name);
      const task = checkTask(given['task']);
      const asAgent = kind === 'agent' ? bearer : agent;
      const withSkill = kind === 'skill' ? bearer : skill;
      const parts = await Promise.all([
        ...(asAgent ? [readAgent(asAgent)] : []),
        ...(withSkill ? [readSkill(withSkill)] : []),
      ]);
      const text = [...parts, task].join('\n\n');
      return { messages: [{ role: 'user', content: { type: 'text', text } }] };
    },

    async suggest(name, argument) {
      const { kind, bearer } = parseName(name);
      if (kind === 'agent') await deps.agents.resolve(bearer);
      else await deps.skills.read({ principal: OPERATOR, name: bearer });
      if (kind === 'agent' && argument === WITH_SKILL.name) {
        return (await listSkills()).map((skill) => skill.name);
      }
      if (kind === 'skill' && argument === AS_AGENT.name) {
        return (await listAgents()).map((agent) => agent.slug);
      }
      return [];
    },
  };
}

function toAgentPrompt({ slug, name, role }: Agent): Prompt {
  return {
    name: `${AGENT}${slug}`,
    title: name,
    description: `Speak as ${name}, ${role}`.slice(0, MAX_DESCRIPTION_CHARS),
    arguments: [TASK, WITH_SKILL],
  };
}

function toSkillPrompt({ name, description }: SkillLine): Prompt {
  return {
    name: `${SKILL}${name}`,
    title: name,
    description: description.slice(0, MAX_DESCRIPTION_CHARS),
    arguments: [TASK, AS_AGENT],
  };
}

function parseName(name: string): { readonly kind: 'agent' | 'skill'; readonly bearer: string } {
  if (name.startsWith(AGENT)) return { kind: 'agent', bearer: name.slice(AGENT.length) };
  if (name.startsWith(SKILL)) return { kind: 'skill', bearer: name.slice(SKILL.length) };
  throw new RuntimeError('not_found', `there is no prompt named ${name.slice(0, 100)}`, {
    details: { thing: 'prompt' },
  });
}

function checkTask(task: string | undefined): string {
  if (task === undefined || task.trim() === '') {
    throw new RuntimeError('invalid_input', 'the argument task is required');
  }
  if (task.length > MAX_MESSAGE_CHARS) {
    throw new RuntimeError('invalid_input', `the task is over ${MAX_MESSAGE_CHARS} characters`);
  }
  return task;
}
