import type { CommandSchema } from './command-schema.ts';
import { routeMatch } from './inventory-schemas.ts';
import {
  anyObject,
  anything,
  count,
  described,
  flag,
  list,
  number,
  object,
  oneOf,
  orNull,
  text,
  texts,
} from './json-schema.ts';

const stopReason = oneOf(
  'completed',
  'timeout',
  'cancelled',
  'max_budget_reached',
  'max_turns_reached',
);
const runId = orNull(described(text, 'the run that did it'));
const turn = {
  prompt: text,
  output: text,
  stop_reason: stopReason,
  cancel_observed: described(flag, 'its run really ended as cancelled before the command did'),
  run_id: runId,
  input_tokens: count,
  output_tokens: count,
};
const handled = described(flag, 'whether the work was done');
const persisted = {
  session_id: text,
  persisted_session_path: orNull(described(text, 'null: nothing was written')),
};

/** Commands that do work through the core. */
export const TURN_SCHEMAS: Readonly<Record<string, CommandSchema>> = {
  'exec-command': {
    fields: { name: text, prompt: text, handled, message: text, source_hint: text },
    optional: {
      run_id: described(text, 'of a skill or plugin'),
      result: described(anyObject, "the JSON members of this program's own command"),
    },
  },
  'exec-tool': {
    fields: { name: text, payload: text, handled, message: text, source_hint: text, run_id: text },
    optional: {
      output: described(anything, 'what the tool answered'),
      from_cache: described(flag, 'true: made before with this key, nothing was done again'),
    },
  },
  bootstrap: {
    fields: {
      prompt: text,
      limit: count,
      setup: object({
        python_version: described(text, 'always empty: nothing here runs on Python'),
        node_version: text,
        implementation: text,
        platform_name: text,
        test_command: text,
      }),
      routed_matches: list(routeMatch),
      command_execution_messages: texts,
      tool_execution_messages: texts,
      turn: object(turn),
      run_id: runId,
      ...persisted,
    },
  },
  'turn-loop': {
    fields: {
      prompt: text,
      limit: count,
      max_turns: count,
      turns_completed: count,
      timeout_seconds: orNull(number),
      continuation_prompt: orNull(text),
      turns: list(object({ ...turn, matched_commands: texts, matched_tools: texts })),
      final_stop_reason: orNull(stopReason),
      final_cancel_observed: flag,
      ...persisted,
    },
  },
};
