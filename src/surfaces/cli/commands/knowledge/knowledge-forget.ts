import { RUN_ID_PATTERN } from '../../../../core/ids.ts';
import { removeFact } from '../../../../operations/knowledge/knowledge.ts';
import { parseName } from '../../admin-arguments.ts';
import { askKnowledge } from '../../ask/ask-knowledge.ts';
import { defineCommand } from '../../program/command.ts';

const COMMAND = 'knowledge forget';

export const knowledgeForget = defineCommand({
  usage: 'FACT',
  description: 'As if it had never been said. Through the running server, else in this process.',
  args: { min: 1, max: 1 },
  options: {},
  examples: ['claw knowledge forget fact_01jv8z4q0k6c'],
  run({ args }, context) {
    const id = parseName(args[0], {
      command: COMMAND,
      pattern: RUN_ID_PATTERN,
      what: 'the id of a fact',
      hint: 'claw knowledge facts shows those there are',
    });
    return askKnowledge(context, removeFact, { params: { fact_id: id }, query: {}, headers: {} });
  },
  fields: ({ via, answer }) => ({ ...answer, via }),
  text: ({ answer }) => `${answer.fact_id} is deleted`,
});
