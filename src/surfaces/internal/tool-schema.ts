import { z } from 'zod';

/** What `tools/execute` takes and answers, for its documentation; what it refuses, it refuses in words of its own. */
const object = z.record(z.string(), z.unknown());

const executeShape = z.object({
  tool_pack: z.enum(['coding.v1', 'comms.v1']),
  mode: z.enum(['execute', 'replay']).optional().meta({ default: 'execute' }),
  run_id: z
    .string()
    .optional()
    .meta({ description: 'A run of the user, whose log the call is part of.' }),
  thread_id: z.string().optional().meta({ description: 'As in the run.' }),
  user_id: z.int().optional().meta({ description: 'When given, that of the header.' }),
  manifest: object
    .optional()
    .meta({ description: 'An integration manifest. Wins over manifest_ref.' }),
  manifest_ref: z
    .object({
      tool_id: z.string().optional(),
      integration_id: z.string().optional(),
      version: z.int().min(1).optional(),
    })
    .optional()
    .meta({ description: 'An entry of the registry, the latest version unless one is named.' }),
  request: z.looseObject({
    integration_id: z.string(),
    operation: z.enum(['get_issue', 'get_pull_request', 'add_issue_comment', 'send_email']),
    tool_call_id: z
      .string()
      .optional()
      .meta({ description: 'With a run, the id that the call is known by ever after.' }),
  }),
  policy: z
    .looseObject({
      authorization_id: z.string().optional(),
      authorization_mode: z.string().optional(),
      write_approved: z.boolean().optional(),
      consent_granted: z.boolean().optional(),
      budget: object.optional(),
      policy: object.optional(),
    })
    .optional(),
});

/** Anything parses: the contract lists all that is wrong with a body at once. */
export const executeBody = z.unknown().meta(documentOf(executeShape));

const hash = z.string().meta({ description: '64 hex digits.' });
const state = z.enum(['succeeded', 'blocked', 'failed']);
const decision = z.enum(['allowed', 'denied']);
const reasonCode = z.string().meta({ examples: ['policy_allowed.default'] });
const version = z.literal('runtime-policy-reasons.v1');

export const executeAnswer = z
  .object({
    data: z.object({
      integration_id: z.string(),
      provider: z.string(),
      operation: z.string(),
      state,
      decision,
      reason_code: reasonCode,
      message: z.string().optional().meta({ description: 'Why it did not succeed, for people.' }),
      effect: z.enum(['unknown']).optional().meta({
        description: 'The write failed and may have happened all the same.',
      }),
      policy: z.object({
        decision,
        reason_code: reasonCode,
        reason_codes_version: version,
        evaluation_hash: hash,
      }),
      provider_result: object.nullable(),
      receipt: z.object({
        receipt_id: z.string().meta({ examples: ['coding_1f0a9c3b5d7e2f4a6b8c0d1e'] }),
        replay_hash: hash,
        integration_id: z.string(),
        provider: z.string(),
        operation: z.string(),
        state,
        decision,
        reason_code: reasonCode,
        reason_codes_version: version,
        evaluation_hash: hash,
        result_hash: hash,
        manifest: z.object({
          integration_id: z.string(),
          manifest_version: z.string(),
          version: z.int().nullable().meta({
            description: 'Of the tool spec; null for a manifest that came with the call.',
          }),
        }),
        request: z
          .object({ operation: z.string(), input: object })
          .meta({ description: 'The checked arguments, without secrets.' }),
      }),
      run_id: z.string().nullable(),
      tool_call_id: z.string(),
      idempotent_replay: z.boolean(),
    }),
  })
  .meta({ id: 'ToolExecution' });

export type ExecuteAnswer = z.infer<typeof executeAnswer>;

export const executeHeaders = z.looseObject({
  'x-oa-user-id': z.string().optional().meta({ description: 'Required: whom the call is for.' }),
});

function documentOf(shape: z.ZodType): Record<string, unknown> {
  const { $schema: _dialect, ...document } = z.toJSONSchema(shape, { io: 'input' });
  return document;
}
