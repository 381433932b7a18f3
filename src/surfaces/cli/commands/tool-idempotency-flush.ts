import { isSoundKey } from '../../../core/reliability/idempotency-key.ts';
import { namingTool, parseToolName } from '../admin-arguments.ts';
import { defineCommand } from '../command.ts';
import { parseError } from '../errors.ts';
import { openAdmin, withAdmin } from '../open-admin.ts';

const COMMAND = 'tool idempotency flush';

export const toolIdempotencyFlush = defineCommand({
  usage: 'TOOL [KEY]',
  description:
    'Without KEY all keys of the tool. A flushed call may run again; the effect ledger keeps what it did the first\n' +
    'time. Through the running server, else on what a stopped one stored.',
  args: { min: 1, max: 2 },
  options: {},
  examples: [
    'claw tool idempotency flush http.request order-17',
    'claw tool idempotency flush fs.write',
  ],
  async run({ args }, context) {
    const name = parseToolName(args[0], COMMAND);
    const key = args[1];
    if (key !== undefined && !isSoundKey(key)) {
      throw parseError('the key is empty, too long or not well-formed text', { target: COMMAND });
    }
    return withAdmin(openAdmin(context), async (admin, via) => ({
      via,
      receipt: await namingTool(name, admin.flushKeys(name, key)),
    }));
  },
  fields: ({ via, receipt }) => ({ ...receipt, via }),
  text: ({ receipt }) =>
    `${receipt.tool}: ${receipt.flushed === 1 ? '1 key is' : `${receipt.flushed} keys are`} forgotten`,
});
