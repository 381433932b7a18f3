import { getEffect } from '../../../../operations/effects/effects.ts';
import { parseId } from '../../admin-arguments.ts';
import { askEffects, namingEffect } from '../../ask/ask-effects.ts';
import { defineCommand } from '../../program/command.ts';
import { EFFECT_ID, formatEffect, toEffectFields } from './effect-text.ts';

export const effectsShow = defineCommand({
  usage: 'EFFECT',
  description: 'Asks the running server, else reads the database.',
  args: { min: 1, max: 1 },
  options: {},
  examples: ['claw effects show req_01jv8z4q0k6c'],
  async run({ args }, context) {
    const id = parseId(args[0], { command: 'effects show', ...EFFECT_ID });
    return namingEffect(id, askEffects(context, getEffect, { params: { effect_id: id } }));
  },
  fields: ({ via, answer: effect }) => ({ ...toEffectFields(effect), via }),
  text: ({ answer: effect }, style) => formatEffect(effect, style),
});
