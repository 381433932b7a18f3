import { editConfig } from '../../ask/ask-config.ts';
import { defineCommand } from '../../program/command.ts';
import { parseField, showField, toPatch } from './config-field.ts';
import { formatSaved, getValue, toSavedFields } from './config-text.ts';

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
    const { via, saved } = await editConfig(context, async (config) => {
      await getValue(config, path, context.parts);
      return { change: toPatch(config, path, null) };
    });
    return { via, field: showField(path), saved };
  },
  fields: toSavedFields,
  text: formatSaved,
});
