import * as z from 'zod';
import { RUN_ID_PATTERN } from '../../core/ids.ts';
import { defineTool, type Tool } from '../../core/tools/tool.ts';
import { adoptAlias } from '../files/repair-arguments.ts';
import { requiredTextField } from '../mail/mail-fields.ts';
import type { MemoryToolsDeps } from './memory-tools-deps.ts';

const input = z.strictObject({
  memory_id: requiredTextField({ name: 'memory_id', maxChars: 128 })
    .regex(RUN_ID_PATTERN, 'memory_id must have 1 to 128 letters, digits, _ or -')
    .describe('The memory to pin, as memory.search names it.'),
  reason: requiredTextField({ name: 'reason', maxChars: 500 }).describe('Why it matters for all.'),
});

interface Pinned {
  readonly memory_id: string;
  readonly pinned: true;
  readonly priority_score: number;
  readonly summary: string;
}

/** What is pinned enters the context of every run that may see it, so a person has to say yes to each. */
export function createMemoryPin({ memories }: Pick<MemoryToolsDeps, 'memories'>): Tool {
  return defineTool<z.infer<typeof input>, Pinned>({
    name: 'memory.pin',
    description:
      'Pin a memory, so that every project sees it first. A person is asked whether it may be pinned.',
    effect: 'write',
    idempotent: true,
    serves: 'everyone',
    source: 'src/toolbox/memory/memory-pin.ts',
    input,
    judge: () => ({
      decision: 'ask',
      reason: 'pin_needs_approval',
      message: 'what is pinned is told to every run that may see it',
    }),
    repair: (raw) => adoptAlias(raw, 'memory_id', ['id', 'memory']),
    summarize: (_, { summary }) => summary,

    async execute({ memory_id, reason }, { agentId, principal }) {
      const viewer = { owner: principal, reader: agentId };
      // The call was approved, or it would not be made.
      const memory = await memories.pin(memory_id, viewer, { reason, isApproved: true });
      return {
        memory_id: memory.id,
        pinned: true,
        priority_score: memory.priorityScore,
        summary: `pinned ${memory.id}`,
      };
    },
  });
}
