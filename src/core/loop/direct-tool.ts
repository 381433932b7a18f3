import { RuntimeError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import type { ToolRequest } from './model.ts';

const DIRECT_CALL_ID = 'tool-1';
const PATTERN = /^\/tool\s+(\S+)\s*([\s\S]*)$/;

/** `/tool <name> <json>` as the whole message runs that tool without a model. Undefined for any other message. */
export function parseDirectTool(message: string): ToolRequest | undefined {
  const match = PATTERN.exec(message.trim());
  if (!match) return undefined;
  const [, tool = '', json = ''] = match;
  return { callId: DIRECT_CALL_ID, tool, input: parseInput(json.trim()) };
}

function parseInput(json: string): JsonObject {
  if (json === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw new RuntimeError(
      'invalid_input',
      '/tool needs JSON after the tool name, as in /tool fs.list {"path": "."}',
      { cause },
    );
  }
  if (!isJsonObject(value))
    throw new RuntimeError('invalid_input', '/tool needs a JSON object after the tool name');
  return value;
}
