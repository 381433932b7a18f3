import { removeSecret } from '../../../../operations/secrets/secrets.ts';
import { askSecrets } from '../../ask/ask-secrets.ts';
import { defineCommand } from '../../program/command.ts';
import { namingSecret, parseSecretArgument } from './secrets-text.ts';

export const secretsDelete = defineCommand({
  usage: 'NAME',
  description:
    'For good. Whatever uses the secret fails from its next use on. Through the running server, else in this process.',
  args: { min: 1, max: 1 },
  options: {},
  examples: ['claw secrets delete github/token'],
  async run({ args }, context) {
    const name = parseSecretArgument(args[0], 'secrets delete');
    const asked = askSecrets(context, removeSecret, { params: { '*': name } });
    const { via } = await namingSecret(name, asked);
    return { via, name };
  },
  fields: ({ via, name }) => ({ name, deleted: true, via }),
  text: ({ name }) => `secret ${name} is deleted`,
});
