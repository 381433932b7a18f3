import { addFact } from '../../../../operations/knowledge/knowledge.ts';
import { askKnowledge } from '../../ask/ask-knowledge.ts';
import { toOneLine } from '../../print/plain-text.ts';
import { defineCommand } from '../../program/command.ts';
import { parseError } from '../../program/errors.ts';
import { requireProject } from '../../project-argument.ts';
import { projectOption } from '../../project-option.ts';
import { parseReader } from '../../reader-option.ts';

const COMMAND = 'knowledge add';
/** As many as `/api` takes. */
const MAX_CHARS = { subject: 200, relation: 100, object: 2_000 } as const;
const MAX_SHOWN_CHARS = 120;

export const knowledgeAdd = defineCommand({
  usage: 'SUBJECT RELATION OBJECT --project ID [--agent AGENT] [--replaces]',
  description:
    'A fact that holds already stays as it is. Through the running server, else in this process.',
  args: { min: 3, max: 3 },
  options: {
    project: projectOption('the project it belongs to (needed)'),
    agent: { kind: 'text', value: 'AGENT', summary: 'the agent that says so' },
    replaces: { kind: 'flag', summary: 'what else was so for this subject and relation ends' },
  },
  examples: [
    'claw knowledge add "websocket endpoint" "listens on" "port 18789" --project proj_001',
  ],
  run({ args, options: { project, agent, replaces } }, context) {
    const body = {
      project_id: requireProject(project, COMMAND),
      subject: parseTerm(args[0], 'subject'),
      relation: parseTerm(args[1], 'relation'),
      object: parseTerm(args[2], 'object'),
      source: 'user',
      agent_id: parseReader(agent, COMMAND),
      replaces,
    };
    return askKnowledge(context, addFact, { body });
  },
  fields: ({ via, answer }) => ({ ...answer, via }),
  text({ answer: { fact, replaced } }) {
    const ended = replaced.length === 0 ? '' : `, ${replaced.length} fact(s) ended`;
    return `${fact.fact_id}: ${toOneLine(fact.subject, MAX_SHOWN_CHARS)} is on record${ended}`;
  },
});

function parseTerm(given: string | undefined, name: keyof typeof MAX_CHARS): string {
  const text = given?.trim() ?? '';
  const isKept = !text.includes('\0') && text.isWellFormed();
  if (text !== '' && text.length <= MAX_CHARS[name] && isKept) return text;
  throw parseError(`the ${name} must be text of 1 to ${MAX_CHARS[name]} characters`, {
    target: COMMAND,
  });
}
