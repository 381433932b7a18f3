import { isSoundKey } from '../../../../core/reliability/idempotency/idempotency-key.ts';
import { flushToolKeys } from '../../../../operations/tools/tools.ts';
import { namingTool, parseToolName } from '../../admin-arguments.ts';
import { askTools } from '../../ask/ask-tools.ts';
import { defineCommand } from '../../program/command.ts';
import { parseError } from '../../program/errors.ts';

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
    const input = { params: { tool: name }, body: { key } };
    return namingTool(name, askTools(context, flushToolKeys, input));
  },
  fields: ({ via, answer: receipt }) => ({ ...receipt, via }),
  text: ({ answer: receipt }) =>
    `${receipt.tool}: ${receipt.flushed === 1 ? '1 key is' : `${receipt.flushed} keys are`} forgotten`,
});
