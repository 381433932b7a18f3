import { z } from 'zod';
import { requestEnvelopeSchema, responseEnvelopeSchema } from '../../core/reliability/envelope.ts';
import { agentId } from '../fields.ts';

/** Contract 5's envelopes on `/v1`. The contract names their members, so they are not in snake case here. */
const { toolId, executionId, idempotencyKey, payload } = requestEnvelopeSchema.shape;

const MAX_TEXT_CHARS = 256;
const text = z.string().min(1).max(MAX_TEXT_CHARS);

const metadata = z
  .looseObject({
    agent: agentId
      .optional()
      .meta({ description: 'Whose grants apply; `agent_default` when left out.' }),
    callerId: text.optional(),
    traceId: z.string().max(MAX_TEXT_CHARS).optional().meta({
      description: 'A W3C trace id (32 hexadecimal digits) becomes the trace of the call.',
    }),
    timestamp: text.optional(),
  })
  .meta({ description: 'Who calls, its trace and its time. What is not named here is ignored.' });

export const executeToolBody = z
  .strictObject({
    toolId: toolId
      .regex(/^[^\s-]\S*$/, { error: 'must be the name of a tool' })
      .meta({ description: 'The name of a tool, or an alias of it.' }),
    executionId: executionId.meta({
      description:
        'The caller’s name for this attempt, a UUID of version 4; `tool_call_id` in the log.',
    }),
    idempotencyKey: idempotencyKey.meta({
      description:
        'The same key with the same payload is one execution, with another payload a conflict.',
    }),
    payload: payload.meta({ type: 'object', description: 'The arguments of the tool.' }),
    metadata: metadata.optional(),
  })
  .meta({
    examples: [
      {
        toolId: 'fs.write',
        executionId: '7b0f2f0e-5a51-4a39-9a5c-0c5a1d5d7a11',
        idempotencyKey: 'report-2026-02-15',
        payload: { path: 'report.md', content: 'All well.' },
        metadata: { agent: 'agent_default', callerId: 'ci' },
      },
    ],
  });

export const executeToolAnswer = responseEnvelopeSchema.omit({ isResultLost: true }).meta({
  examples: [
    { status: 'success', data: { path: 'report.md' }, durationMs: 4, fromCache: false },
    {
      status: 'error',
      error: { code: 'policy.denied', message: 'fs.write is not granted', retriable: false },
      durationMs: 0,
      fromCache: false,
    },
  ],
});

export type ExecuteToolBody = z.infer<typeof executeToolBody>;
export type ExecuteToolAnswer = z.infer<typeof executeToolAnswer>;
