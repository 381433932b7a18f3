import type { CommandEntry } from '../../program/command-entry.ts';

const group = 'Knowledge';

/** What agents give each other, what was learned of it, and the projects all that belongs to. */
export const KNOWLEDGE_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'handoff',
    summary: 'Hand work over from one agent to another',
    group,
    load: async () => (await import('../handoff/handoff.ts')).handoff,
  },
  {
    name: 'handoff list',
    summary: 'List hand-offs, newest first',
    group,
    load: async () => (await import('../handoff/handoff-list.ts')).handoffList,
  },
  {
    name: 'handoff show',
    summary: 'Show a hand-off and what came of it',
    group,
    load: async () => (await import('../handoff/handoff-show.ts')).handoffShow,
  },
  {
    name: 'knowledge feed',
    summary: 'What was learned and done in a project, newest first',
    group,
    load: async () => (await import('./knowledge-feed.ts')).knowledgeFeed,
  },
  {
    name: 'knowledge graph',
    summary: 'How it hangs together',
    group,
    load: async () => (await import('./knowledge-graph.ts')).knowledgeGraph,
  },
  {
    name: 'knowledge facts',
    summary: 'List facts that hold now',
    group,
    load: async () => (await import('./knowledge-facts.ts')).knowledgeFacts,
  },
  {
    name: 'knowledge add',
    summary: 'Put a fact on record',
    group,
    load: async () => (await import('./knowledge-add.ts')).knowledgeAdd,
  },
  {
    name: 'knowledge forget',
    summary: 'Delete a fact',
    group,
    load: async () => (await import('./knowledge-forget.ts')).knowledgeForget,
  },
  {
    name: 'projects list',
    summary: 'List projects with what is to do and done',
    group,
    load: async () => (await import('../projects/projects-list.ts')).projectsList,
  },
  {
    name: 'projects status',
    summary: 'How a project is doing, and who works in it',
    group,
    load: async () => (await import('../projects/projects-status.ts')).projectsStatus,
  },
  {
    name: 'projects events',
    summary: 'What agents say and do in a project, newest first',
    group,
    load: async () => (await import('../projects/projects-events.ts')).projectsEvents,
  },
];
