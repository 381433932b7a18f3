import { EFFECT_STATUSES } from '../../../../core/effects/effect.ts';
import { listEffects } from '../../../../operations/effects/effects.ts';
import { parseToolName } from '../../admin-arguments.ts';
import { askEffects } from '../../ask/ask-effects.ts';
import { DEFAULT_LIMIT, pageOptions, parseRunOption, RUN_OPTION } from '../../page-options.ts';
import { formatDate, formatTable, moreLine } from '../../print/layout.ts';
import { toOneLine } from '../../print/plain-text.ts';
import { defineCommand } from '../../program/command.ts';
import { toEffectFields } from './effect-text.ts';

const MAX_LIMIT = 200;

export const effectsList = defineCommand({
  usage: '[--status STATUS] [--run RUN] [--tool TOOL] [--limit N] [--cursor CURSOR]',
  description:
    'Every call of a tool that changes the world has a row, written before the call is made. An unknown one was sent\n' +
    'and never answered: claw effects resolve settles it. Newest first. Asks the running server, else reads the database.',
  args: { min: 0, max: 0 },
  options: {
    status: {
      kind: 'choice',
      value: 'STATUS',
      choices: EFFECT_STATUSES,
      summary: `only those with this status: ${EFFECT_STATUSES.join(', ')}`,
    },
    run: RUN_OPTION,
    tool: { kind: 'text', value: 'TOOL', summary: 'only those of this tool' },
    ...pageOptions(MAX_LIMIT),
  },
  examples: [
    'claw effects list --status unknown',
    'claw effects list --run run_01jv8z4q0k6c --output-format json',
  ],
  async run({ options }, context) {
    const { status, tool, cursor, limit = DEFAULT_LIMIT } = options;
    const query = {
      status,
      run_id: parseRunOption(options.run, 'effects list'),
      tool: tool === undefined ? undefined : parseToolName(tool, 'effects list'),
      limit,
      cursor,
    };
    return askEffects(context, listEffects, { query });
  },
  fields: ({ via, answer: { effects, next_cursor } }) => ({
    effects_count: effects.length,
    effects: effects.map(toEffectFields),
    next_cursor,
    via,
  }),
  text({ answer: { effects, next_cursor: next } }, style) {
    if (effects.length === 0) return '(no effects)';
    const rows = effects.map((effect) => [
      effect.id,
      effect.status,
      formatDate(effect.updated_at),
      toOneLine(effect.tool, 60),
      effect.run_id,
    ]);
    return [formatTable(rows), ...moreLine(next, style)].join('\n');
  },
});
