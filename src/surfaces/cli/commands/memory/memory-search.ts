import { toJsonValue } from '../../../../core/json.ts';
import { searchMemory } from '../../../../operations/memory/memory.ts';
import { namingAgent } from '../../admin-arguments.ts';
import { askMemory } from '../../ask/ask-memory.ts';
import { toOneLine } from '../../print/plain-text.ts';
import { defineCommand } from '../../program/command.ts';
import { readText } from '../../read-message.ts';
import { NO_HEADERS, toWishes, WISH_OPTIONS } from './memory-arguments.ts';
import { MAX_CELL_CHARS } from './memory-text.ts';

const COMMAND = 'memory search';
const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;
const MAX_QUERY_CHARS = 4_000;

export const memorySearch = defineCommand({
  usage: 'QUERY [--as AGENT] [--project ID] [--source NAME] [--tag TAG]… [--explain] [--limit N]',
  description:
    'The best ones first, with a score between 0 and 1. --explain tells which signals brought each of them. Asks the\n' +
    'running server, else looks in this process.',
  args: { min: 0, max: 1_000 },
  options: {
    ...WISH_OPTIONS,
    explain: { kind: 'flag', summary: 'say why each was found' },
    limit: {
      kind: 'number',
      value: 'N',
      min: 1,
      max: MAX_LIMIT,
      isWhole: true,
      summary: `at most this many (default ${DEFAULT_LIMIT}, at most ${MAX_LIMIT})`,
    },
  },
  examples: [
    'claw memory search what stack does the user prefer',
    'claw memory search websocket port --project proj_001 --explain',
  ],
  async run({ args, options }, context) {
    const { limit = DEFAULT_LIMIT, explain } = options;
    const q = await readText(args, context.input, {
      command: COMMAND,
      what: 'query',
      argument: 'QUERY',
      maxChars: MAX_QUERY_CHARS,
      hint: 'say what to look for',
    });
    const wishes = toWishes(options, COMMAND);
    const query = {
      ...wishes,
      q,
      limit,
      ...(explain ? { explain: 'true' as const } : {}),
    };
    const asked = askMemory(context, searchMemory, { query, headers: NO_HEADERS });
    return namingAgent(wishes.agent_id ?? wishes.author_id ?? '', asked);
  },
  fields: ({ via, answer: { query, results, degraded } }) => ({
    query,
    results_count: results.length,
    results: toJsonValue(results),
    degraded,
    via,
  }),
  text({ answer: { results, degraded } }, style) {
    const lines = results.flatMap(({ id, score, content, metadata, why }) => [
      `${score.toFixed(2)}  ${style.dim(id)}  ${toOneLine(content, MAX_CELL_CHARS)}`,
      ...(why === undefined
        ? []
        : [
            style.dim(
              `      ${metadata.source}, ${metadata.timestamp.slice(0, 10)}: ${describeWhy(why)}`,
            ),
          ]),
    ]);
    const notice = degraded ? ['(by words alone: the embedder did not answer)'] : [];
    return [
      ...(lines.length === 0 ? ['(nothing is remembered about that)'] : lines),
      ...notice,
    ].join('\n');
  },
});

function describeWhy(why: Readonly<Record<string, number>>): string {
  return Object.entries(why)
    .map(([signal, amount]) => `${signal} ${amount.toFixed(3)}`)
    .join(', ');
}
