import type { CommandEntry } from '../../program/command-entry.ts';

/** Agents and their conversations. */
export const SESSION_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'agents list',
    summary: 'List the agents',
    group: 'Agents and sessions',
    load: async () => (await import('../agents/agents-list.ts')).agentsList,
  },
  {
    name: 'agents show',
    summary: 'Show an agent: role, model, instructions',
    group: 'Agents and sessions',
    load: async () => (await import('../agents/agents-show.ts')).agentsShow,
  },
  {
    name: 'agents create',
    summary: 'Create an agent',
    group: 'Agents and sessions',
    load: async () => (await import('../agents/agents-create.ts')).agentsCreate,
  },
  {
    name: 'agents update',
    summary: 'Change an agent',
    group: 'Agents and sessions',
    load: async () => (await import('../agents/agents-update.ts')).agentsUpdate,
  },
  {
    name: 'agents spawn',
    summary: 'Make an agent with a personality',
    group: 'Agents and sessions',
    load: async () => (await import('../agents/agents-spawn.ts')).agentsSpawn,
  },
  {
    name: 'agents permissions',
    summary: 'Change what an agent may use and remember',
    group: 'Agents and sessions',
    load: async () => (await import('../agents/agents-permissions.ts')).agentsPermissions,
  },
  {
    name: 'agents sleep',
    summary: 'Put an agent to sleep',
    group: 'Agents and sessions',
    load: async () => (await import('../agents/set-status.ts')).agentsSleep,
  },
  {
    name: 'agents wake',
    summary: 'Wake an agent up',
    group: 'Agents and sessions',
    load: async () => (await import('../agents/set-status.ts')).agentsWake,
  },
  {
    name: 'agents delete',
    summary: 'Delete an agent',
    group: 'Agents and sessions',
    load: async () => (await import('../agents/agents-delete.ts')).agentsDelete,
  },
  {
    name: 'agents export',
    summary: 'Write a whole agent into one file',
    group: 'Agents and sessions',
    load: async () => (await import('../agents/agents-export.ts')).agentsExport,
  },
  {
    name: 'agents import',
    summary: 'Take in an agent from a file',
    group: 'Agents and sessions',
    load: async () => (await import('../agents/agents-import.ts')).agentsImport,
  },
  {
    name: 'sessions list',
    summary: 'List conversations, last updated first',
    group: 'Agents and sessions',
    load: async () => (await import('./sessions-list.ts')).sessionsList,
  },
  {
    name: 'sessions show',
    summary: 'Show where a conversation takes place and how far it has got',
    group: 'Agents and sessions',
    load: async () => (await import('./sessions-show.ts')).sessionsShow,
  },
  {
    name: 'sessions messages',
    summary: 'Show what was said in a conversation',
    group: 'Agents and sessions',
    load: async () => (await import('./sessions-messages.ts')).sessionsMessages,
  },
  {
    name: 'sessions close',
    summary: 'End a conversation; it stays readable',
    group: 'Agents and sessions',
    load: async () => (await import('./sessions-close.ts')).sessionsClose,
  },
  {
    name: 'sessions compact',
    summary: 'Let the model hear a summary of what was said so far',
    group: 'Agents and sessions',
    load: async () => (await import('./sessions-compact.ts')).sessionsCompact,
  },
  {
    name: 'sessions fork',
    summary: 'Branch a new conversation off another',
    group: 'Agents and sessions',
    load: async () => (await import('./sessions-fork.ts')).sessionsFork,
  },
];
