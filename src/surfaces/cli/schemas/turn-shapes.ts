import { z } from 'zod';
import { type AnswerShapes, anyObject, count, texts } from './answer-fields.ts';
import { routeMatch } from './inventory-shapes.ts';

const stopReason = z.enum([
  'completed',
  'timeout',
  'cancelled',
  'max_budget_reached',
  'max_turns_reached',
]);
const runId = z.string().nullable().meta({ description: 'the run that did it' });
const turn = z.object({
  prompt: z.string(),
  output: z.string(),
  stop_reason: stopReason,
  cancel_observed: z
    .boolean()
    .meta({ description: 'its run really ended as cancelled before the command did' }),
  run_id: runId,
  input_tokens: count,
  output_tokens: count,
});
const handled = z.boolean().meta({ description: 'whether the work was done' });
const persisted = {
  session_id: z.string(),
  persisted_session_path: z.string().nullable().meta({ description: 'null: nothing was written' }),
};

/** Commands that do work through the core. */
export const TURN_SHAPES: AnswerShapes = {
  'exec-command': z.object({
    name: z.string(),
    prompt: z.string(),
    handled,
    message: z.string(),
    source_hint: z.string(),
    run_id: z.string().optional().meta({ description: 'of a skill or plugin' }),
    result: anyObject
      .optional()
      .meta({ description: "the JSON members of this program's own command" }),
  }),
  'exec-tool': z.object({
    name: z.string(),
    payload: z.string(),
    handled,
    message: z.string(),
    source_hint: z.string(),
    run_id: z.string(),
    output: z.unknown().optional().meta({ description: 'what the tool answered' }),
    from_cache: z
      .boolean()
      .optional()
      .meta({ description: 'true: made before with this key, nothing was done again' }),
  }),
  bootstrap: z.object({
    prompt: z.string(),
    limit: count,
    setup: z.object({
      python_version: z.string().meta({ description: 'always empty: nothing here runs on Python' }),
      node_version: z.string(),
      implementation: z.string(),
      platform_name: z.string(),
      test_command: z.string(),
    }),
    routed_matches: z.array(routeMatch),
    command_execution_messages: texts,
    tool_execution_messages: texts,
    turn,
    run_id: runId,
    ...persisted,
  }),
  'turn-loop': z.object({
    prompt: z.string(),
    limit: count,
    max_turns: count,
    turns_completed: count,
    timeout_seconds: z.number().nullable(),
    continuation_prompt: z.string().nullable(),
    turns: z.array(turn.extend({ matched_commands: texts, matched_tools: texts })),
    final_stop_reason: stopReason.nullable(),
    final_cancel_observed: z.boolean(),
    ...persisted,
  }),
};
