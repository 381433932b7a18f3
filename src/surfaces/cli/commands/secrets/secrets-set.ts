import { storeSecret } from '../../../../operations/secrets/secrets.ts';
import { askSecrets } from '../../ask/ask-secrets.ts';
import { defineCommand } from '../../program/command.ts';
import { parseError } from '../../program/errors.ts';
import { readSecret } from './read-secret.ts';
import { parseSecretArgument } from './secrets-text.ts';

const COMMAND = 'secrets set';
/** More words than a value that somebody forgot to quote has, so that it is refused here and not quoted back. */
const MAX_WORDS = 1_000;

export const secretsSet = defineCommand({
  usage: 'NAME',
  description:
    'Reads the value from standard input, without the end of its last line, or asks for it on a terminal without\n' +
    'showing it. It replaces what was stored under that name and counts at once, also in a running server. Keys of\n' +
    'model providers are provider/openai/api_key and the like; a header of http.request uses {{secret:NAME}}.',
  args: { min: 1, max: MAX_WORDS },
  options: {},
  examples: [
    'claw secrets set provider/openai/api_key',
    'claw secrets set github/token < token.txt',
  ],
  async run({ args }, context) {
    const name = parseSecretArgument(args[0], COMMAND);
    if (args.length > 1) {
      throw parseError('the value of a secret is not taken from the command line', {
        target: COMMAND,
        hint: 'other users and the shell history see it there: give it on standard input, or type it when asked',
      });
    }
    const value = await readSecret(context, { command: COMMAND, what: `value of ${name}` });
    const { via } = await askSecrets(context, storeSecret, { body: { name, value } });
    return { via, name };
  },
  fields: ({ via, name }) => ({ name, stored: true, via }),
  text: ({ name }) => `secret ${name} is stored`,
});
