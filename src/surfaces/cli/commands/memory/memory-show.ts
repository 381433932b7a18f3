import { toJsonValue } from '../../../../core/json.ts';
import { getMemory } from '../../../../operations/memory/memory.ts';
import { askMemory, namingMemory } from '../../ask/ask-memory.ts';
import { defineCommand } from '../../program/command.ts';
import { parseReader, READER_OPTION } from '../../reader-option.ts';
import { NO_HEADERS, parseMemoryArgument } from './memory-arguments.ts';
import { formatMemory } from './memory-text.ts';

const COMMAND = 'memory show';

export const memoryShow = defineCommand({
  usage: 'MEMORY [--as AGENT]',
  description: 'Asks the running server, else looks in this process.',
  args: { min: 1, max: 1 },
  options: READER_OPTION,
  examples: ['claw memory show mem_01jv8z4q0k6c'],
  async run({ args, options }, context) {
    const id = parseMemoryArgument(args[0], COMMAND);
    const input = {
      params: { memory_id: id },
      query: { agent_id: parseReader(options.as, COMMAND) },
      headers: NO_HEADERS,
    };
    return namingMemory(id, askMemory(context, getMemory, input));
  },
  fields: ({ via, answer: memory }) => ({
    ...memory,
    metadata: toJsonValue(memory.metadata),
    via,
  }),
  text: ({ answer: memory }, style) => formatMemory(memory, style),
});
