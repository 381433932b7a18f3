import { editConfig } from '../../ask/ask-config.ts';
import { defineCommand } from '../../program/command.ts';
import { parseError } from '../../program/errors.ts';
import { readText } from '../../read-message.ts';
import { isProviderKey, parseField, parseValue, showField, toPatch } from './config-field.ts';
import { formatSaved, toSavedFields } from './config-text.ts';

const COMMAND = 'config set';
/** As large as the file may be. */
const MAX_VALUE_CHARS = 1024 * 1024;

export const configSet = defineCommand({
  usage: 'FIELD VALUE | -',
  description:
    'VALUE is JSON, or else a text; - reads it from standard input. Objects and lists replace what was there. A value\n' +
    'that is not valid is refused, and the file stays as it was; else the version before is kept beside it as\n' +
    'config.json.bak. Through the running server, which applies what it can at once, else on the file.',
  args: { min: 2, max: 2 },
  options: {},
  examples: [
    'claw config set model.default ollama/llama3.1',
    `claw config set network.allowed_domains '["example.com"]'`,
  ],
  async run({ args: [field = '', given = ''] }, context) {
    const path = parseField(field, COMMAND);
    const value = parseValue(given === '-' ? await readValue(context.input) : given);
    if (value === null) {
      throw parseError('null is not a value', {
        target: COMMAND,
        hint: `claw config unset ${showField(path)} removes the field`,
      });
    }
    if (isProviderKey(path) && given !== '-') {
      context.live.warn(
        'a key on the command line stays in the history of the shell; claw secrets set reads it unseen',
      );
    }
    const { via, saved } = await editConfig(context, (config) => ({
      change: toPatch(config, path, value),
    }));
    return { via, field: showField(path), saved };
  },
  fields: toSavedFields,
  text: formatSaved,
});

async function readValue(input: Parameters<typeof readText>[1]): Promise<string> {
  const text = await readText(['-'], input, {
    command: COMMAND,
    what: 'value',
    maxChars: MAX_VALUE_CHARS,
    hint: 'give it on standard input, or as an argument',
  });
  // Programs that print a value end the line; the line's end is none of it.
  return text.replace(/\r?\n$/, '');
}
