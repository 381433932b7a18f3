import { defined } from '../../../../core/defined.ts';
import { DEFAULT_AGENT_ID } from '../../../../core/ids.ts';
import { DEFAULT_PROJECT_ID } from '../../../../core/projects/project-id.ts';
import { ingestMemory } from '../../../../operations/memory/memory.ts';
import { namingAgent, parseAgentOption } from '../../admin-arguments.ts';
import { askMemory } from '../../ask/ask-memory.ts';
import { defineCommand } from '../../program/command.ts';
import { parseProject, projectOption } from '../../project-option.ts';
import { readText } from '../../read-message.ts';
import { PRIORITY_OPTION, toContentQuestion } from './memory-arguments.ts';

const COMMAND = 'memory add';
export const DEFAULT_SOURCE = 'chat';

export const memoryAdd = defineCommand({
  usage:
    'TEXT [--agent AGENT] [--project ID] [--source NAME] [--tag TAG]… [--priority N] [options]',
  description:
    'Without TEXT, or with -, it is read from standard input. The same text again is the same memory, and counts for\n' +
    'more. Through the running server, else in this process.',
  args: { min: 0, max: 1_000 },
  options: {
    agent: { kind: 'text', value: 'AGENT', summary: `whose it is (default ${DEFAULT_AGENT_ID})` },
    project: projectOption(`what it belongs to (default ${DEFAULT_PROJECT_ID})`),
    source: {
      kind: 'text',
      value: 'NAME',
      summary: `where it comes from (default ${DEFAULT_SOURCE}); web and tool are not trusted`,
    },
    session: { kind: 'text', value: 'ID', summary: 'the conversation it belongs to' },
    tag: { kind: 'list', value: 'TAG', summary: 'to find it by; may be given several times' },
    at: { kind: 'text', value: 'TIME', summary: 'when it was said, as in 2026-02-18T09:00:00Z' },
    priority: PRIORITY_OPTION,
    key: { kind: 'text', value: 'KEY', summary: 'your name for it: the same again is one memory' },
  },
  examples: [
    'claw memory add "The user prefers React over Vue" --tag preferences',
    'claw memory add --project proj_001 --source file - < decision.md',
  ],
  async run({ args, options }, context) {
    const { agent = DEFAULT_AGENT_ID, source = DEFAULT_SOURCE, session, at, priority } = options;
    const agentId = parseAgentOption(agent, COMMAND);
    const projectId = parseProject(options.project, COMMAND) ?? DEFAULT_PROJECT_ID;
    const content = await readText(args, context.input, toContentQuestion(COMMAND));
    const body = {
      content,
      metadata: {
        agent_id: agentId,
        project_id: projectId,
        source,
        ...defined({ session_id: session, timestamp: at }),
        ...(options.tag.length === 0 ? {} : { tags: [...options.tag] }),
      },
      ...defined({ priority_score: priority, key: options.key }),
    };
    const headers = { 'idempotency-key': undefined };
    return namingAgent(agentId, askMemory(context, ingestMemory, { headers, body }));
  },
  fields: ({ via, answer: { memory_id } }) => ({ memory_id, via }),
  text: ({ answer: { memory_id } }) => `remembered as ${memory_id}`,
});
