import { openSecrets } from '../../ask/ask-secrets.ts';
import { visiting } from '../../ask/place.ts';
import { defineCommand } from '../../program/command.ts';
import { readSecret } from './read-secret.ts';

const COMMAND = 'secrets rotate';
const NEXT_STEP = 'set OPENCLAWSSY_MASTER_KEY to the new key, and restart the server if one runs';

export const secretsRotate = defineCommand({
  usage: '',
  description:
    'Makes a new master key file and encrypts every value with it; a crash at any moment loses nothing, and a running\n' +
    'server notices. When the key comes from OPENCLAWSSY_MASTER_KEY, the new one is read from standard input or asked\n' +
    'for on a terminal: 32 bytes in base64 or hex, kept by you before it is used. Backups of the secret store need the\n' +
    'key that they were made with. Works in this process, also beside a server. Nodes that share a database need the new\n' +
    'key at once: see docs/secrets.md.',
  args: { min: 0, max: 0 },
  options: {},
  examples: [
    'claw secrets rotate',
    'openssl rand -base64 32 > new.key && claw secrets rotate < new.key',
  ],
  run: (_, context) =>
    visiting(context, openSecrets, async ({ secrets }) => {
      const { masterKeyFrom } = secrets;
      if (masterKeyFrom === 'file') return { masterKeyFrom, rotated: await secrets.rotate() };
      const newKey = await readSecret(context, { command: COMMAND, what: 'new master key' });
      return { masterKeyFrom, rotated: await secrets.rotate({ newKey: newKey.trim() }) };
    }),
  fields: ({ masterKeyFrom, rotated }) => ({
    rotated,
    master_key_from: masterKeyFrom,
    next_steps: masterKeyFrom === 'environment' ? [NEXT_STEP] : [],
    via: 'local',
  }),
  text: ({ masterKeyFrom, rotated }) =>
    [
      `${rotated} secret(s) are encrypted with a new master key`,
      ...(masterKeyFrom === 'environment' ? [NEXT_STEP] : []),
    ].join('\n'),
});
