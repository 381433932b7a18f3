import { toJsonValue } from '../../../../core/json.ts';
import { listMemory } from '../../../../operations/memory/memory.ts';
import { namingAgent } from '../../admin-arguments.ts';
import { askMemory } from '../../ask/ask-memory.ts';
import { DEFAULT_LIMIT, pageOptions } from '../../page-options.ts';
import { formatFittedTable } from '../../print/fitted-table.ts';
import { formatDate, moreLine } from '../../print/layout.ts';
import { toOneLine } from '../../print/plain-text.ts';
import { defineCommand } from '../../program/command.ts';
import { NO_HEADERS, toWishes, WISH_OPTIONS } from './memory-arguments.ts';
import { MAX_CELL_CHARS } from './memory-text.ts';

const COMMAND = 'memory list';
const MAX_LIMIT = 200;

export const memoryList = defineCommand({
  usage:
    '[--as AGENT] [--project ID] [--author AGENT] [--pinned] [--limit N] [--cursor CURSOR] [options]',
  description: 'Newest first. Asks the running server, else looks in this process.',
  args: { min: 0, max: 0 },
  options: {
    ...WISH_OPTIONS,
    pinned: { kind: 'flag', summary: 'only what is pinned' },
    ...pageOptions(MAX_LIMIT),
  },
  examples: ['claw memory list --project proj_001', 'claw memory list --as lince --pinned'],
  run({ options }, context) {
    const { limit = DEFAULT_LIMIT, cursor, pinned } = options;
    const wishes = toWishes(options, COMMAND);
    const query = { ...wishes, limit, cursor, ...(pinned ? { pinned: 'true' as const } : {}) };
    const asked = askMemory(context, listMemory, { query, headers: NO_HEADERS });
    return namingAgent(wishes.agent_id ?? wishes.author_id ?? '', asked);
  },
  fields: ({ via, answer: { memories, next_cursor } }) => ({
    memories_count: memories.length,
    memories: toJsonValue(memories),
    next_cursor,
    via,
  }),
  text({ answer: { memories, next_cursor: next } }, style) {
    if (memories.length === 0) return ['(no memories)', ...moreLine(next, style)].join('\n');
    const rows = memories.map(({ id, content, priority_score, pinned, metadata }) => [
      id,
      formatDate(metadata.timestamp),
      toOneLine(metadata.agent_id, MAX_CELL_CHARS),
      toOneLine(metadata.project_id, MAX_CELL_CHARS),
      `${priority_score}${pinned ? '*' : ''}`,
      toOneLine(content, MAX_CELL_CHARS),
    ]);
    const headers = ['MEMORY', 'SAID', 'AGENT', 'PROJECT', 'PRIORITY', 'TEXT'];
    const table = formatFittedTable({ headers, rows, cuttable: [2, 3, 5] }, style);
    return [table, ...moreLine(next, style)].join('\n');
  },
});
