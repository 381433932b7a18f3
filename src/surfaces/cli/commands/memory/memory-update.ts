import { defined } from '../../../../core/defined.ts';
import { toJsonValue } from '../../../../core/json.ts';
import { changeMemory } from '../../../../operations/memory/memory.ts';
import { askMemory, assertMemory, namingMemory } from '../../ask/ask-memory.ts';
import { defineCommand } from '../../program/command.ts';
import { parseError } from '../../program/errors.ts';
import { parseProject, projectOption } from '../../project-option.ts';
import { parseReader, READER_OPTION } from '../../reader-option.ts';
import { NO_HEADERS, PRIORITY_OPTION, parseMemoryArgument } from './memory-arguments.ts';

const COMMAND = 'memory update';

export const memoryUpdate = defineCommand({
  usage: 'MEMORY [--content TEXT] [--priority N] [--project ID] [--tag TAG]… [--as AGENT]',
  description:
    'What is given changes, the rest stays; --tag replaces all tags. Its agent and its source stay: they say where it\n' +
    'comes from. Through the running server, else in this process.',
  args: { min: 1, max: 1 },
  options: {
    content: { kind: 'text', value: 'TEXT', summary: 'what it says' },
    priority: PRIORITY_OPTION,
    project: projectOption('what it belongs to'),
    tag: { kind: 'list', value: 'TAG', summary: 'to find it by; may be given several times' },
    ...READER_OPTION,
  },
  examples: ['claw memory update mem_01jv8z4q0k6c --priority 9 --tag preferences'],
  async run({ args, options: { content, priority, project, tag, as } }, context) {
    const id = parseMemoryArgument(args[0], COMMAND);
    const projectId = parseProject(project, COMMAND);
    const metadata = {
      ...defined({ project_id: projectId }),
      ...(tag.length === 0 ? {} : { tags: [...tag] }),
    };
    const body = {
      ...defined({ content, priority_score: priority }),
      ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    };
    if (Object.keys(body).length === 0) {
      throw parseError('it is not said what is to change', {
        target: COMMAND,
        hint: 'claw help memory update lists what can',
      });
    }
    const reader = parseReader(as, COMMAND);
    await assertMemory(context, id, reader);
    const input = {
      params: { memory_id: id },
      query: { agent_id: reader },
      headers: NO_HEADERS,
      body,
    };
    return namingMemory(id, askMemory(context, changeMemory, input));
  },
  fields: ({ via, answer: memory }) => ({
    ...memory,
    metadata: toJsonValue(memory.metadata),
    via,
  }),
  text: ({ answer: { id } }) => `memory ${id} is changed`,
});
