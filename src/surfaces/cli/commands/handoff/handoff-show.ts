import { getHandoff } from '../../../../operations/handoffs/handoffs.ts';
import { parseId } from '../../admin-arguments.ts';
import { askHandoffs } from '../../ask/ask-knowledge.ts';
import { defineCommand } from '../../program/command.ts';
import { formatHandoff } from './handoff-text.ts';

export const handoffShow = defineCommand({
  usage: 'HANDOFF',
  description:
    'How far it is, and what came of it. Asks the running server, else reads the database.',
  args: { min: 1, max: 1 },
  options: {},
  examples: ['claw handoff show handoff_01jv8z4q0k6c'],
  run({ args }, context) {
    const hint = 'claw handoff list shows those there are';
    const id = parseId(args[0], { command: 'handoff show', thing: 'hand-off', hint });
    return askHandoffs(context, getHandoff, { params: { handoff_id: id } });
  },
  // `error` is the envelope's own.
  fields: ({ via, answer: { error: failure, ...handoff } }) => ({ ...handoff, failure, via }),
  text: ({ answer }, style) => formatHandoff(answer, style),
});
