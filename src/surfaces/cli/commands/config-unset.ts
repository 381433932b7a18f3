import { defineCommand } from '../command.ts';
import { parseField, showField, toPatch } from '../config-field.ts';
import { formatSaved, getValue, toSavedFields } from '../config-text.ts';
import { withAccess } from '../open-access.ts';
import { CONFIG } from '../open-config.ts';

export const configUnset = defineCommand({
  usage: 'FIELD',
  description:
    'Its default holds again. The version before is kept beside the file as config.json.bak. Through the running\n' +
    'server, which applies what it can at once, else on the file.',
  args: { min: 1, max: 1 },
  options: {},
  examples: ['claw config unset server.port'],
  async run({ args: [field = ''] }, context) {
    const path = parseField(field, 'config unset');
    return withAccess(context, CONFIG, async (config, via) => {
      const document = await config.read();
      await getValue(document, path, context.parts);
      const saved = await config.patch(toPatch(document, path, null));
      return { via, field: showField(path), saved };
    });
  },
  fields: toSavedFields,
  text: formatSaved,
});
