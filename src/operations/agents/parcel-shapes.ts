import { z } from 'zod';
import { MEMORY_ACCESSES } from '../../core/agents/agent.ts';
import { NEED_KINDS } from '../../core/parcels/import-report.ts';
import { storable } from '../fields.ts';
import { agentParams, approvalHeaders } from './agent-shapes.ts';

/** Whole agents in one file, as `/api/admin` gives and takes them. */
export { agentParams, approvalHeaders };

/** The bytes of a parcel, as they come: there is nothing to check before they are read. */
export const parcelBytes = z
  .unknown()
  .meta({ type: 'string', format: 'binary' }) as unknown as z.ZodType<AsyncIterable<Uint8Array>>;

/** Query values arrive as text. */
const flag = z
  .preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), z.boolean())
  .prefault(false);

/** Separated by commas. */
const words = (maxChars: number) => storable(maxChars).prefault('');

export const exportQuery = z.strictObject({
  with_audit: flag.meta({ description: 'With the logs of its runs, for people to read.' }),
});

export const importQuery = z.strictObject({
  preview: flag.meta({ description: 'Tells what would come of it, and stores nothing.' }),
  as: storable(80).min(1).optional().meta({ description: 'Another name for the agent.' }),
  trust: words(2_000).meta({ description: 'Public keys that count this once, by commas.' }),
  grant: words(4_000).meta({ description: 'Tools that it is granted here, by commas.' }),
  without_grants: flag.meta({ description: 'Leaves out what it was granted and is not here.' }),
  approve_pins: flag.meta({ description: 'Memories that are pinned there are pinned here.' }),
  principals: z
    .enum(['keep', 'skip'])
    .optional()
    .meta({ description: 'What becomes of what belongs to principals; refused when absent.' }),
});

const count = z.int().nonnegative();

export const importReport = z
  .object({
    outcome: z.enum(['preview', 'imported', 'present']),
    parcel: z.object({
      digest: z.string().meta({ description: 'SHA-256 of the manifest.' }),
      key_id: z.string(),
      public_key: z.string(),
      trust: z.enum(['own', 'trusted', 'given', 'unknown']),
    }),
    agent: z.object({
      agent_id: z.string(),
      slug: z.string(),
      name: z.string(),
      role: z.string(),
      model: z.string().nullable(),
      skills: z.array(z.string()),
      memory_access: z.enum(MEMORY_ACCESSES),
    }),
    creates: z.object({
      sessions: count,
      messages: count,
      memories: count,
      pinned: count,
      untrusted: count,
      facts: count,
      jobs: count,
      skills: count,
      capabilities: count,
      audit_events: count.meta({ description: 'Carried along, and never stored.' }),
    }),
    needs: z.array(
      z.object({
        kind: z.enum(NEED_KINDS),
        what: z.string(),
        blocking: z.boolean(),
        message: z.string(),
      }),
    ),
  })
  .meta({ id: 'AgentImport' });

export type ImportQueryShape = z.infer<typeof importQuery>;
export type ImportReportShape = z.infer<typeof importReport>;
