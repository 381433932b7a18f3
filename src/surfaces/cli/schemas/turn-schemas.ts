import type { CommandSchema } from './command-schema.ts';
import { routeMatch } from './inventory-schemas.ts';
import { count, flag, list, number, object, oneOf, orNull, text, texts } from './json-schema.ts';

const stopReason = oneOf(
  'completed',
  'timeout',
  'cancelled',
  'max_budget_reached',
  'max_turns_reached',
);
const turn = { prompt: text, output: text, stop_reason: stopReason, cancel_observed: flag };

/** Commands that do work through the core. */
export const TURN_SCHEMAS: Readonly<Record<string, CommandSchema>> = {
  'exec-command': {
    fields: { name: text, prompt: text, handled: flag, message: text, source_hint: text },
  },
  'exec-tool': {
    fields: { name: text, payload: text, handled: flag, message: text, source_hint: text },
  },
  bootstrap: {
    fields: {
      prompt: text,
      limit: count,
      setup: object({
        python_version: text,
        implementation: text,
        platform_name: text,
        test_command: text,
      }),
      routed_matches: list(routeMatch),
      command_execution_messages: texts,
      tool_execution_messages: texts,
      turn: object(turn),
      session_id: text,
      persisted_session_path: text,
      run_id: text,
    },
  },
  'turn-loop': {
    fields: {
      prompt: text,
      max_turns: count,
      turns_completed: count,
      timeout_seconds: orNull(number),
      continuation_prompt: orNull(text),
      turns: list(object({ ...turn, matched_commands: texts, matched_tools: texts })),
      final_stop_reason: orNull(stopReason),
      final_cancel_observed: flag,
      persisted_session_path: orNull(text),
    },
  },
};
