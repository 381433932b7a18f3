import { routePrompt } from '../../../core/inventory/route-prompt.ts';
import { toOneLine } from '../print/plain-text.ts';
import { defineCommand } from '../program/command.ts';
import { parseError } from '../program/errors.ts';
import { loadInventory } from './inventory/load-inventory.ts';

const DEFAULT_LIMIT = 5;
const MAX_LIMIT = 200;
const MAX_CELL_CHARS = 300;

export const route = defineCommand({
  usage: 'PROMPT [--limit N]',
  description:
    'Finds the commands and tools that a prompt speaks of, by their names, files and summaries. The score is the share\n' +
    'of its words that match. The best command comes first, then the best tool, then the others. No model is asked.',
  args: { min: 1, max: 1 },
  options: {
    limit: {
      kind: 'number',
      value: 'N',
      summary: `how many matches, 1 to ${MAX_LIMIT} (default ${DEFAULT_LIMIT})`,
      min: 1,
      max: MAX_LIMIT,
      isWhole: true,
    },
  },
  examples: [
    'claw route "list my runs"',
    'claw route "edit a file" --limit 3 --output-format json',
  ],
  async run({ args: [prompt = ''], options: { limit = DEFAULT_LIMIT } }, context) {
    if (prompt.trim() === '') {
      throw parseError('the prompt must not be empty', {
        target: 'route',
        hint: 'usage: claw route PROMPT [--limit N]',
      });
    }
    const inventory = await loadInventory(context);
    return { prompt, limit, matches: routePrompt(inventory, prompt, limit) };
  },
  fields: ({ prompt, limit, matches }) => ({
    prompt,
    limit,
    match_count: matches.length,
    matches: matches.map(({ kind, name, score, sourceHint }) => ({
      kind,
      name,
      score,
      source_hint: sourceHint,
    })),
  }),
  text: ({ matches }) =>
    matches.length === 0
      ? '(no matches)'
      : matches
          .map(({ kind, name, score, sourceHint }) =>
            [kind, name, String(score), sourceHint]
              .map((cell) => toOneLine(cell, MAX_CELL_CHARS))
              .join('\t'),
          )
          .join('\n'),
});
