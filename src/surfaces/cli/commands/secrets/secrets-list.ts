import { listSecrets } from '../../../../operations/secrets/secrets.ts';
import { askSecrets } from '../../ask/ask-secrets.ts';
import { toOneLine } from '../../print/plain-text.ts';
import { defineCommand } from '../../program/command.ts';

const MAX_SHOWN_CHARS = 200;

export const secretsList = defineCommand({
  usage: '',
  description:
    'Names only, in order: a value that was stored is used by its name and never shown again. Asks the running\n' +
    'server, else reads the secret store.',
  args: { min: 0, max: 0 },
  options: {},
  examples: ['claw secrets list', 'claw secrets list --output-format json'],
  run: (_, context) => askSecrets(context, listSecrets, {}),
  fields: ({ via, answer: { keys } }) => ({ keys_count: keys.length, keys, via }),
  text: ({ answer: { keys } }) =>
    keys.length === 0
      ? '(no secrets)'
      : keys.map((name) => toOneLine(name, MAX_SHOWN_CHARS)).join('\n'),
});
