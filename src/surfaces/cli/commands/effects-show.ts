import { parseId } from '../admin-arguments.ts';
import { defineCommand } from '../command.ts';
import { EFFECT_ID, formatEffect, namingEffect, toEffectFields } from '../effect-text.ts';
import { openLedger, withAdmin } from '../open-admin.ts';

export const effectsShow = defineCommand({
  usage: 'EFFECT',
  description: 'Asks the running server, else reads the database.',
  args: { min: 1, max: 1 },
  options: {},
  examples: ['claw effects show req_01jv8z4q0k6c'],
  async run({ args }, context) {
    const id = parseId(args[0], { command: 'effects show', ...EFFECT_ID });
    return withAdmin(openLedger(context), async (admin, via) => ({
      via,
      effect: await namingEffect(id, admin.getEffect(id)),
    }));
  },
  fields: ({ via, effect }) => ({ ...toEffectFields(effect), via }),
  text: ({ effect }, style) => formatEffect(effect, style),
});
