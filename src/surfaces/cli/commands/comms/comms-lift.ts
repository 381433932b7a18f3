import { defineCommand } from '../../program/command.ts';
import { naming, parseError } from '../../program/errors.ts';
import { withComms } from './open-comms.ts';

const MAX_RECIPIENT_CHARS = 320;

export const commsLift = defineCommand({
  usage: 'RECIPIENT',
  description:
    'For an address whose owner asked for mail again, or whose mailbox works again. A later bounce or complaint\n' +
    'suppresses it again. Counts at once, also for a running server.',
  args: { min: 1, max: 1 },
  options: {},
  examples: ['claw comms lift user@example.com'],
  async run({ args }, context) {
    const recipient = args[0]?.trim() ?? '';
    if (recipient === '' || recipient.length > MAX_RECIPIENT_CHARS) {
      const message = `the recipient must have 1 to ${MAX_RECIPIENT_CHARS} characters`;
      throw parseError(message, { target: 'comms lift' });
    }
    const hint = 'claw comms suppressions lists digests of those that are';
    const wanted = { thing: 'suppression', name: recipient, hint };
    await withComms(context, (comms) => naming(wanted, comms.lift(recipient)));
    return recipient;
  },
  fields: (recipient) => ({ recipient, lifted: true }),
  text: (recipient) => `${recipient} may be written to again`,
});
