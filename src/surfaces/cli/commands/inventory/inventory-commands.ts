import type { CommandEntry } from '../../program/command-entry.ts';

/** What there is: for scripts, without a server, a database or a key. */
export const INVENTORY_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'bootstrap-graph',
    summary: 'List what happens when the server starts',
    group: 'Inventory',
    load: async () => (await import('../bootstrap-graph.ts')).bootstrapGraph,
  },
  {
    name: 'command-graph',
    summary: 'Count the commands of this program, of plugins and of skills',
    group: 'Inventory',
    load: async () => (await import('../command-graph.ts')).commandGraph,
  },
  {
    name: 'route',
    summary: 'Find the commands and tools that a prompt speaks of',
    group: 'Inventory',
    load: async () => (await import('../route.ts')).route,
  },
  {
    name: 'show-command',
    summary: 'Show where a command is defined and what it is for',
    group: 'Inventory',
    load: async () => (await import('../show-command.ts')).showCommand,
  },
  {
    name: 'show-tool',
    summary: 'Show where a tool is defined and what it is for',
    group: 'Inventory',
    load: async () => (await import('../show-tool.ts')).showTool,
  },
  {
    name: 'tool-pool',
    summary: 'List the built-in tools, or some of them',
    group: 'Inventory',
    load: async () => (await import('../tool-pool.ts')).toolPool,
  },
];
