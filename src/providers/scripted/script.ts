import * as z from 'zod';
import { RuntimeError } from '../../core/errors.ts';
import { isJsonObject, type JsonObject } from '../../core/json.ts';

const MAX_STEPS = 1_000;

const count = z.number().int().min(0);

const step = z.strictObject({
  /** One delta, or several. */
  text: z.union([z.string(), z.array(z.string())]).optional(),
  toolCalls: z
    .array(
      z.strictObject({
        tool: z.string(),
        input: z.custom<JsonObject>(isJsonObject, 'must be an object').default({}),
        callId: z.string().optional(),
        /** Text in place of arguments that can be read. */
        malformed: z.string().optional(),
      }),
    )
    .optional(),
  usage: z
    .strictObject({
      /** Null: not reported. */
      inputTokens: count.nullable(),
      outputTokens: count.nullable(),
      cachedInputTokens: count.exactOptional(),
    })
    .optional(),
  finish: z.enum(['stop', 'tool_calls', 'length', 'content_filter', 'other']).optional(),
  /** Thrown instead of an answer; with `times`, only by the first that many attempts of this process. */
  error: z
    .strictObject({
      status: z.number().int().optional(),
      message: z.string().optional(),
      retryAfterMs: count.optional(),
      times: count.optional(),
    })
    .optional(),
  /** Waited before the first part. */
  delayMs: count.optional(),
  /** Waited before each text delta. */
  deltaDelayMs: count.optional(),
  /** Ends the stream after its parts, without a finish. */
  cut: z.boolean().optional(),
  /** Sends nothing more after the text, until the caller aborts. */
  hang: z.boolean().optional(),
});

const script = z.strictObject({
  toolCalls: z.enum(['native', 'text']).default('native'),
  steps: z.array(step).max(MAX_STEPS),
});

export type Script = z.output<typeof script>;
export type ScriptInput = z.input<typeof script>;
export type ScriptStep = Script['steps'][number];

export function parseScript(value: unknown, source: string): Script {
  const result = script.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join('.') || 'script'}: ${issue.message}`);
  throw new RuntimeError('provider_misconfigured', `${source}: ${problems.join('; ')}`);
}
