import { resolveEffect } from '../../../../operations/effects/effects.ts';
import { NOTE_OPTION, parseId, parseNote } from '../../admin-arguments.ts';
import { askEffects, assertEffect, namingEffect } from '../../ask/ask-effects.ts';
import { defineCommand } from '../../program/command.ts';
import { parseError } from '../../program/errors.ts';
import { EFFECT_ID, toEffectFields } from './effect-text.ts';

const COMMAND = 'effects resolve';
const OUTCOMES = ['confirmed', 'failed'] as const;

export const effectsResolve = defineCommand({
  usage: 'EFFECT --status confirmed|failed [--note TEXT]',
  description:
    'For an effect that was sent and never answered: look at the other side first, then say what happened. Once; an\n' +
    'effect whose outcome is known is refused. Through the running server, else in this process.',
  args: { min: 1, max: 1 },
  options: {
    status: {
      kind: 'choice',
      value: 'STATUS',
      choices: OUTCOMES,
      summary: 'confirmed: it happened; failed: it did not',
    },
    note: NOTE_OPTION,
  },
  examples: [
    'claw effects resolve req_01jv8z4q0k6c --status confirmed --note "invoice 17 is there"',
    'claw effects resolve req_01jv8z4q0k6c --status failed',
  ],
  async run({ args, options }, context) {
    const id = parseId(args[0], { command: COMMAND, ...EFFECT_ID });
    const note = parseNote(options.note, COMMAND);
    const { status } = options;
    if (status === undefined) {
      throw parseError('option --status is missing', {
        target: COMMAND,
        hint: 'say --status confirmed or --status failed',
      });
    }
    await assertEffect(context, id);
    const input = { params: { effect_id: id }, body: { status, note } };
    return namingEffect(id, askEffects(context, resolveEffect, input));
  },
  fields: ({ via, answer: effect }) => ({ ...toEffectFields(effect), via }),
  text: ({ answer: effect }) => `effect ${effect.id} is ${effect.status}`,
});
