import { pinMemory } from '../../../../operations/memory/memory.ts';
import { askMemory, assertMemory, namingMemory } from '../../ask/ask-memory.ts';
import { defineCommand } from '../../program/command.ts';
import { hintingPolicy } from '../../program/errors.ts';
import { parseReader, READER_OPTION } from '../../reader-option.ts';
import { NO_HEADERS, parseMemoryArgument } from './memory-arguments.ts';

const COMMAND = 'memory pin';
const DEFAULT_REASON = 'pinned by hand';

export const memoryPin = defineCommand({
  usage: 'MEMORY [--reason TEXT] [--approved] [--as AGENT]',
  description:
    'Pinned memories are seen in every project and come first in the context of runs. What strangers wrote is pinned\n' +
    'with --approved only: read it before. Through the running server, else in this process.',
  args: { min: 1, max: 1 },
  options: {
    reason: {
      kind: 'text',
      value: 'TEXT',
      summary: `why; kept with it (default ${DEFAULT_REASON})`,
    },
    approved: { kind: 'flag', summary: 'also when it is not trusted' },
    ...READER_OPTION,
  },
  examples: ['claw memory pin mem_01jv8z4q0k6c --reason "critical platform dependency"'],
  async run({ args, options: { reason = DEFAULT_REASON, approved, as } }, context) {
    const id = parseMemoryArgument(args[0], COMMAND);
    const reader = parseReader(as, COMMAND);
    await assertMemory(context, id, reader);
    const input = {
      query: { agent_id: reader },
      headers: NO_HEADERS,
      body: { memory_id: id, reason, approved },
    };
    const pinning = hintingPolicy(
      'read it, then pin it with --approved',
      askMemory(context, pinMemory, input),
    );
    return namingMemory(id, pinning);
  },
  fields: ({ via, answer }) => ({ ...answer, via }),
  text: ({ answer: { memory_id } }) => `memory ${memory_id} is pinned`,
});
