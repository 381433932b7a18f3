import { defined } from '../../defined.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import type { ToolRequest } from '../model.ts';

/** A model's wish to use a tool, as events have it. */
export function encodeCall({ callId, tool, input, malformed }: ToolRequest): JsonObject {
  return { id: callId, tool, input, ...defined({ malformed }) };
}

export function decodeCalls(value: JsonValue | undefined): ToolRequest[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isJsonObject).map((call) => ({
    callId: text(call['id']),
    tool: text(call['tool']),
    input: isJsonObject(call['input']) ? call['input'] : {},
    ...(typeof call['malformed'] === 'string' ? { malformed: call['malformed'] } : {}),
  }));
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
