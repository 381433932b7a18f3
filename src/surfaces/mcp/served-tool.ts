import * as z from 'zod';
import { RuntimeError } from '../../core/errors.ts';
import type { NewsEvent } from '../../core/events/event.ts';
import type { JsonObject } from '../../core/json.ts';

/** A tool that callers of our server see. */
export interface ServedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly readOnly: boolean;
  readonly idempotent: boolean;
  /** Throws for everything but success. */
  run(input: JsonObject, call: ServedCall): Promise<ServedResult>;
}

/** Who waits for a tool. */
export interface ServedCall {
  readonly signal: AbortSignal;
  /** What happens in the run that is waited for. */
  readonly onEvents: (events: readonly NewsEvent[]) => void;
}

export interface ServedResult {
  readonly output: JsonObject;
  /** The run that did it, when the call made one. */
  readonly runId?: string;
}

export function defineServedTool<Input>(definition: {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodType<Input>;
  readonly readOnly: boolean;
  readonly idempotent?: boolean;
  readonly run: (input: Input, call: ServedCall) => Promise<JsonObject>;
}): ServedTool {
  const { $schema: _dialect, ...inputSchema } = z.toJSONSchema(definition.input, { io: 'input' });
  return {
    name: definition.name,
    description: definition.description,
    inputSchema: inputSchema as JsonObject,
    readOnly: definition.readOnly,
    idempotent: definition.readOnly || (definition.idempotent ?? false),
    async run(input, call) {
      return { output: await definition.run(parse(definition.input, input), call) };
    },
  };
}

function parse<Input>(schema: z.ZodType<Input>, input: JsonObject): Input {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const message = parsed.error.issues
    .slice(0, 5)
    .map((issue) => [...issue.path.map(String), issue.message].join(': '))
    .join('; ');
  throw new RuntimeError('tool_input_invalid', message);
}
