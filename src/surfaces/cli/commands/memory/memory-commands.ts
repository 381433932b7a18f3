import type { CommandEntry } from '../../program/command-entry.ts';

const group = 'Memory';

/** What agents remember. */
export const MEMORY_COMMANDS: readonly CommandEntry[] = [
  {
    name: 'memory add',
    summary: 'Remember a text',
    group,
    load: async () => (await import('./memory-add.ts')).memoryAdd,
  },
  {
    name: 'memory search',
    summary: 'Find memories by words and by meaning',
    group,
    load: async () => (await import('./memory-search.ts')).memorySearch,
  },
  {
    name: 'memory list',
    summary: 'List memories, newest first',
    group,
    load: async () => (await import('./memory-list.ts')).memoryList,
  },
  {
    name: 'memory show',
    summary: 'Show a memory with all that is known of it',
    group,
    load: async () => (await import('./memory-show.ts')).memoryShow,
  },
  {
    name: 'memory update',
    summary: 'Change a memory',
    group,
    load: async () => (await import('./memory-update.ts')).memoryUpdate,
  },
  {
    name: 'memory pin',
    summary: 'Let every project see a memory first',
    group,
    load: async () => (await import('./memory-pin.ts')).memoryPin,
  },
  {
    name: 'memory unpin',
    summary: 'Give a memory back the priority it had',
    group,
    load: async () => (await import('./memory-unpin.ts')).memoryUnpin,
  },
  {
    name: 'memory delete',
    summary: 'Forget a memory for good',
    group,
    load: async () => (await import('./memory-delete.ts')).memoryDelete,
  },
  {
    name: 'memory status',
    summary: 'Tell how many memories there are and how far they are embedded',
    group,
    load: async () => (await import('./memory-status.ts')).memoryStatus,
  },
  {
    name: 'memory import',
    summary: 'Remember the texts of a file, one JSON object in each line',
    group,
    load: async () => (await import('./memory-import.ts')).memoryImport,
  },
];
