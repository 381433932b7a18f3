import { SKILL_TOOLS } from '../../../../src/core/agents/agent-skills.ts';

/** One word to choose, what it is good for, and what it opens. */
export interface SkillWord {
  readonly word: string;
  readonly hint: string;
}

/** Of words that open the same tools, the one that is offered. */
const OFFERED: Readonly<Record<string, string>> = {
  browser: 'Reads pages and speaks to servers',
  terminal: 'Runs commands in the sandbox, and works on files',
  files: 'Reads and writes files of the workspace',
  memory: 'Remembers, and looks things up',
  schedule: 'Plans work for later',
  team: 'Hands work to other agents',
  github: 'Works on repositories',
  email: 'Sends mail',
  secrets: 'Sees the names of secrets, never their values',
  mcp: 'Uses tools of MCP servers',
};

/** What can be chosen: words that open tools, published skills, and whatever the agent has already. */
export function listSkillWords(
  published: readonly string[],
  chosen: readonly string[],
): readonly SkillWord[] {
  const words = Object.entries(OFFERED).map(([word, hint]) => ({
    word,
    hint: withTools(word, hint),
  }));
  const own = published.map((word) => ({ word, hint: 'A published skill' }));
  const known = new Set([...words, ...own].map(({ word }) => word));
  const others = chosen.filter((word) => !known.has(word));
  return [
    ...words,
    ...own,
    ...others.map((word) => ({ word, hint: withTools(word, 'As it was named') })),
  ];
}

function withTools(word: string, hint: string): string {
  const tools = SKILL_TOOLS[word];
  return tools === undefined ? hint : `${hint}: ${tools.join(', ')}`;
}
