import { matchesName } from '../policy/policy-rule.ts';

/** What an agent can do as a member of a team, whatever its skills. Grants decide here as everywhere. */
const ALWAYS: readonly string[] = [
  'time.now',
  'agent.*',
  'artifact.read',
  'decision.log',
  'memory.*',
  'metrics.get',
  'run.get',
  'run.list',
  'session.*',
  'skill.read',
];

const FILES = ['fs.*', 'code.search'];
const COMMANDS = ['shell.exec', ...FILES];

/** The skills that open tools, and which. A word that is not here names a skill that somebody published. */
export const SKILL_TOOLS: Readonly<Record<string, readonly string[]>> = {
  browser: ['http.request'],
  web: ['http.request'],
  terminal: COMMANDS,
  shell: COMMANDS,
  python: COMMANDS,
  code: FILES,
  files: FILES,
  email: ['resend.*'],
  github: ['github.*'],
  schedule: ['scheduler.*'],
  memory: ['memory.*'],
  team: ['agent.*', 'run.cancel'],
  secrets: ['secrets.list'],
  mcp: ['mcp__*'],
};

/** Whether an agent with these skills may use a tool that it is granted. None at all: it may. */
export function isWithinSkills(skills: readonly string[], tool: string): boolean {
  if (skills.length === 0) return true;
  const opened = skills.flatMap((skill) =>
    isBuiltInSkill(skill) ? (SKILL_TOOLS[skill] ?? []) : [skill],
  );
  return [...ALWAYS, ...opened].some((pattern) => matchesName(pattern, tool));
}

/** Whether a word stands for tools by itself, wherever it is said. */
export const isBuiltInSkill = (word: string): boolean => Object.hasOwn(SKILL_TOOLS, word);

/** Of published skills, those that an agent is told of. */
export function isToldOf(skills: readonly string[], published: string): boolean {
  return skills.length === 0 || skills.includes(published.toLowerCase());
}
