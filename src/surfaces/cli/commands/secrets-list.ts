import { defineCommand } from '../command.ts';
import { openSecrets } from '../open-secrets.ts';
import { toOneLine } from '../plain-text.ts';

const MAX_SHOWN_CHARS = 200;

export const secretsList = defineCommand({
  usage: '',
  description:
    'Names only, in order: a value that was stored is used by its name and never shown again. Asks the running\n' +
    'server, else reads the secret store.',
  args: { min: 0, max: 0 },
  options: {},
  examples: ['claw secrets list', 'claw secrets list --output-format json'],
  async run(_, context) {
    const { via, secrets } = await openSecrets(context);
    return { via, keys: await secrets.list() };
  },
  fields: ({ via, keys }) => ({ keys_count: keys.length, keys: [...keys], via }),
  text: ({ keys }) =>
    keys.length === 0
      ? '(no secrets)'
      : keys.map((name) => toOneLine(name, MAX_SHOWN_CHARS)).join('\n'),
});
