import * as z from 'zod';
import { MAX_TAG_CHARS, parsePriority } from '../../core/memory/given-memory.ts';
import { DEFAULT_PROJECT_ID } from '../../core/projects/project-id.ts';
import { defineTool, type Tool, type ToolContext } from '../../core/tools/tool.ts';
import { adoptAlias } from '../files/repair-arguments.ts';
import { callKey } from '../mail/call-key.ts';
import { requiredTextField, textField } from '../mail/mail-fields.ts';
import type { MemoryToolsDeps } from './memory-tools-deps.ts';

const MAX_CONTENT_CHARS = 20_000;
const PRIORITY_MESSAGE = 'priority_score must be a whole number from 0 to 15';

const input = z.strictObject({
  content: requiredTextField({ name: 'content', maxChars: MAX_CONTENT_CHARS }).describe(
    'What to remember, as a sentence that is understood by itself.',
  ),
  tags: z
    .array(textField({ name: 'tag', maxChars: MAX_TAG_CHARS }))
    .max(32)
    .describe('A few words to find it by.')
    .optional(),
  priority_score: z
    .int({ error: PRIORITY_MESSAGE })
    .min(0, PRIORITY_MESSAGE)
    .max(15, PRIORITY_MESSAGE)
    .describe('How much it matters, 0 to 15; 5 when left out.')
    .optional(),
  project_id: textField({ name: 'project_id', maxChars: 128 })
    .describe('The project it belongs to; that of the run when left out.')
    .optional(),
});

interface Written {
  readonly memory_id: string;
  readonly outcome: string;
  readonly summary: string;
}

/** The key is the call's own: one that is repeated after a crash is still one memory, and no reinforcement. */
export function createMemoryWrite({
  memories,
  findProject,
}: Pick<MemoryToolsDeps, 'memories' | 'findProject'>): Tool {
  return defineTool<z.infer<typeof input>, Written>({
    name: 'memory.write',
    description:
      'Remember something for later runs: what the user wants remembered, a decision, a lasting fact. Not for what only this run needs.',
    effect: 'write',
    sendsKey: true,
    serves: 'everyone',
    source: 'src/toolbox/memory/memory-write.ts',
    input,
    repair: (raw) => adoptAlias(raw, 'content', ['text', 'fact', 'memory', 'note']),
    summarize: (_, { summary }) => summary,

    async execute({ content, tags = [], priority_score, project_id }, ctx) {
      const projectId = project_id || (await findProject(ctx.runId)) || DEFAULT_PROJECT_ID;
      const { id, outcome } = await memories.ingest({
        owner: ctx.principal,
        agent: ctx.agentId,
        projectId,
        content,
        source: toSource(ctx),
        tags: tags.filter((tag) => tag !== ''),
        ...(priority_score === undefined ? {} : { priorityScore: parsePriority(priority_score) }),
        key: ctx.idempotencyKey ?? callKey(ctx),
      });
      const summary = outcome === 'reinforced' ? 'this was known already' : 'remembered it';
      return { memory_id: id, outcome, summary };
    },
  });
}

/** A run that has read what strangers wrote may be repeating them. */
function toSource({ exposure = [] }: ToolContext): string {
  return exposure.includes('untrusted_input') ? 'tool' : 'chat';
}
