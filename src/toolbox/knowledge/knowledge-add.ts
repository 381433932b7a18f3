import * as z from 'zod';
import { defined } from '../../core/defined.ts';
import {
  type Facts,
  MAX_OBJECT_CHARS,
  MAX_RELATION_CHARS,
  MAX_SUBJECT_CHARS,
} from '../../core/knowledge/facts.ts';
import { DEFAULT_PROJECT_ID } from '../../core/projects/project-id.ts';
import type { Runs } from '../../core/runs/runs.ts';
import { defineTool, type Tool } from '../../core/tools/tool.ts';
import { requiredTextField } from '../mail/mail-fields.ts';
import { findProject } from '../runs/find-project.ts';
import { projectField } from '../runs/project-field.ts';
import { describeFact, type FactView, repairFact } from './fact-view.ts';

const input = z.strictObject({
  subject: requiredTextField({ name: 'subject', maxChars: MAX_SUBJECT_CHARS }).describe(
    'What it is about.',
  ),
  relation: requiredTextField({ name: 'relation', maxChars: MAX_RELATION_CHARS }).describe(
    'How the two hang together, as in "runs on".',
  ),
  object: requiredTextField({ name: 'object', maxChars: MAX_OBJECT_CHARS }).describe(
    'What is said of it.',
  ),
  replaces: z
    .boolean({ error: 'replaces must be true or false' })
    .describe('True when what else was so for this subject and relation is so no longer.')
    .optional(),
  project_id: projectField('The project of this run when left out.').optional(),
});

export interface KnowledgeToolDeps {
  readonly facts: Pick<Facts, 'add' | 'list'>;
  readonly runs: Pick<Runs, 'get'>;
}

interface Added extends FactView {
  readonly added: boolean;
  readonly replaced: readonly string[];
}

/** The same fact again is the same fact, so a call may be repeated. */
export function createKnowledgeAdd({ facts, runs }: KnowledgeToolDeps): Tool {
  return defineTool<z.infer<typeof input>, Added>({
    name: 'knowledge.add',
    description:
      'Put a fact on record for this project: subject, relation and object. Others find it, and it stays until it is replaced.',
    effect: 'write',
    idempotent: true,
    serves: 'everyone',
    source: 'src/toolbox/knowledge/knowledge-add.ts',
    input,
    repair: repairFact,
    summarize: (_, { subject, relation }) => `noted what ${subject} ${relation}`,

    async execute({ subject, relation, object, replaces, project_id }, ctx) {
      const { fact, isNew, replaced } = await facts.add({
        owner: ctx.principal,
        agent: ctx.agentId,
        projectId: project_id ?? (await findProject(runs, ctx)) ?? DEFAULT_PROJECT_ID,
        source: 'agent',
        ...{ subject, relation, object },
        ...defined({ isReplacing: replaces }),
      });
      return { added: isNew, ...describeFact(fact), replaced };
    },
  });
}
