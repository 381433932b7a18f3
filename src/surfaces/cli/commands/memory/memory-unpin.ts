import { unpinMemory } from '../../../../operations/memory/memory.ts';
import { askMemory, assertMemory, namingMemory } from '../../ask/ask-memory.ts';
import { defineCommand } from '../../program/command.ts';
import { parseReader, READER_OPTION } from '../../reader-option.ts';
import { NO_HEADERS, parseMemoryArgument } from './memory-arguments.ts';

const COMMAND = 'memory unpin';

export const memoryUnpin = defineCommand({
  usage: 'MEMORY [--as AGENT]',
  description: 'Through the running server, else in this process.',
  args: { min: 1, max: 1 },
  options: READER_OPTION,
  examples: ['claw memory unpin mem_01jv8z4q0k6c'],
  async run({ args, options: { as } }, context) {
    const id = parseMemoryArgument(args[0], COMMAND);
    const reader = parseReader(as, COMMAND);
    await assertMemory(context, id, reader);
    const input = {
      query: { agent_id: reader },
      headers: NO_HEADERS,
      body: { memory_id: id },
    };
    return namingMemory(id, askMemory(context, unpinMemory, input));
  },
  fields: ({ via, answer }) => ({ ...answer, via }),
  text: ({ answer: { memory_id, priority_score: priority } }) =>
    `memory ${memory_id} is not pinned; its priority is ${priority}`,
});
