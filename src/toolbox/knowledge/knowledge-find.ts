import * as z from 'zod';
import { defined } from '../../core/defined.ts';
import {
  MAX_OBJECT_CHARS,
  MAX_RELATION_CHARS,
  MAX_SUBJECT_CHARS,
} from '../../core/knowledge/facts.ts';
import { DEFAULT_PROJECT_ID } from '../../core/projects/project-id.ts';
import { defineTool, type Tool } from '../../core/tools/tool.ts';
import { adoptAlias } from '../files/repair-arguments.ts';
import { textField } from '../mail/mail-fields.ts';
import { findProject } from '../runs/find-project.ts';
import { projectField } from '../runs/project-field.ts';
import { describeFact, type FactView, repairFact } from './fact-view.ts';
import type { KnowledgeToolDeps } from './knowledge-add.ts';

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
const LIMIT_MESSAGE = `limit must be a whole number from 1 to ${MAX_LIMIT}`;

const input = z.strictObject({
  about: textField({ name: 'about', maxChars: MAX_OBJECT_CHARS })
    .describe('A word that the subject, the relation or the object has in it.')
    .optional(),
  subject: textField({ name: 'subject', maxChars: MAX_SUBJECT_CHARS })
    .describe('Only facts about exactly this.')
    .optional(),
  relation: textField({ name: 'relation', maxChars: MAX_RELATION_CHARS })
    .describe('Only facts with exactly this relation.')
    .optional(),
  project_id: projectField('The project of this run when left out.').optional(),
  limit: z
    .int({ error: LIMIT_MESSAGE })
    .min(1, LIMIT_MESSAGE)
    .max(MAX_LIMIT, LIMIT_MESSAGE)
    .describe(`The most facts to tell; ${DEFAULT_LIMIT} when left out.`)
    .optional(),
});

interface FoundFacts {
  /** Newest first. */
  readonly facts: readonly FactView[];
}

export function createKnowledgeFind({ facts, runs }: KnowledgeToolDeps): Tool {
  return defineTool<z.infer<typeof input>, FoundFacts>({
    name: 'knowledge.find',
    description: 'Look up facts that hold now in this project, newest first.',
    effect: 'read',
    // Anybody may have put them on record.
    traits: ['untrusted_input'],
    serves: 'everyone',
    source: 'src/toolbox/knowledge/knowledge-find.ts',
    input,
    repair: (raw) => repairFact(adoptAlias(raw, 'about', ['query', 'q', 'text'])),
    summarize: (_, { facts: found }) => `found ${found.length} fact(s)`,

    async execute({ about, subject, relation, project_id, limit = DEFAULT_LIMIT }, ctx) {
      const found = await facts.list({
        owner: ctx.principal,
        reader: ctx.agentId,
        projectId: project_id ?? (await findProject(runs, ctx)) ?? DEFAULT_PROJECT_ID,
        limit,
        ...defined({
          text: about || undefined,
          subject: subject || undefined,
          relation: relation || undefined,
        }),
      });
      return { facts: found.facts.map(describeFact) };
    },
  });
}
