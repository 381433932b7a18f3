import type { CommandEntry } from './command-entry.ts';

/** Agents and their conversations. */
export const SESSION_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'agents list',
    summary: 'List the agents',
    group: 'Agents and sessions',
    load: async () => (await import('./commands/agents-list.ts')).agentsList,
  },
  {
    name: 'agents show',
    summary: 'Show an agent: role, model, instructions',
    group: 'Agents and sessions',
    load: async () => (await import('./commands/agents-show.ts')).agentsShow,
  },
  {
    name: 'agents create',
    summary: 'Create an agent',
    group: 'Agents and sessions',
    load: async () => (await import('./commands/agents-create.ts')).agentsCreate,
  },
  {
    name: 'agents update',
    summary: 'Change an agent',
    group: 'Agents and sessions',
    load: async () => (await import('./commands/agents-update.ts')).agentsUpdate,
  },
  {
    name: 'sessions list',
    summary: 'List conversations, last updated first',
    group: 'Agents and sessions',
    load: async () => (await import('./commands/sessions-list.ts')).sessionsList,
  },
  {
    name: 'sessions show',
    summary: 'Show where a conversation takes place and how far it has got',
    group: 'Agents and sessions',
    load: async () => (await import('./commands/sessions-show.ts')).sessionsShow,
  },
  {
    name: 'sessions messages',
    summary: 'Show what was said in a conversation',
    group: 'Agents and sessions',
    load: async () => (await import('./commands/sessions-messages.ts')).sessionsMessages,
  },
  {
    name: 'sessions close',
    summary: 'End a conversation; it stays readable',
    group: 'Agents and sessions',
    load: async () => (await import('./commands/sessions-close.ts')).sessionsClose,
  },
  {
    name: 'sessions compact',
    summary: 'Let the model hear a summary of what was said so far',
    group: 'Agents and sessions',
    load: async () => (await import('./commands/sessions-compact.ts')).sessionsCompact,
  },
  {
    name: 'sessions fork',
    summary: 'Branch a new conversation off another',
    group: 'Agents and sessions',
    load: async () => (await import('./commands/sessions-fork.ts')).sessionsFork,
  },
];
