import { readConfig } from '../../../../operations/config/config.ts';
import { askConfig } from '../../ask/ask-config.ts';
import { defineCommand } from '../../program/command.ts';
import { isProviderKey, parseField, showField } from './config-field.ts';
import { formatValue, getValue } from './config-text.ts';

const COMMAND = 'config get';

export const configGet = defineCommand({
  usage: '[FIELD]',
  description:
    'The file with its defaults filled in, or one field or section of it. Secrets are left out. What environment\n' +
    'variables and flags say otherwise is not shown. Asks the running server, else reads the file.',
  args: { min: 0, max: 1 },
  options: {},
  examples: ['claw config get', 'claw config get server.port'],
  async run({ args }, context) {
    const path = args[0] === undefined ? undefined : parseField(args[0], COMMAND);
    const { via, answer: document } = await askConfig(context, readConfig, {});
    if (path === undefined) return { via, field: undefined, value: document };
    const value = await getValue(document, path, context.parts);
    if (isProviderKey(path)) context.live.note('a key is stored, and never shown');
    return { via, field: showField(path), value };
  },
  fields: ({ via, field, value }) =>
    field === undefined ? { config: value, via } : { field, value, via },
  text: ({ value }) => formatValue(value),
});
