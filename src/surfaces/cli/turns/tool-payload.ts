import { isJsonObject, type JsonObject } from '../../../core/json.ts';
import { parseError } from '../program/errors.ts';

/** What a plain text means to a tool. A test compares these names with what the tools take. */
export const MAIN_FIELDS: Readonly<Record<string, string>> = {
  'artifact.read': 'artifact',
  'code.search': 'pattern',
  'fs.append': 'path',
  'fs.delete': 'path',
  'fs.edit': 'path',
  'fs.glob': 'pattern',
  'fs.list': 'path',
  'fs.read': 'path',
  'fs.write': 'path',
  'http.request': 'url',
  'run.cancel': 'run_id',
  'run.get': 'run_id',
  'scheduler.pause': 'id',
  'scheduler.remove': 'id',
  'scheduler.resume': 'id',
  'session.close': 'session_id',
  'shell.exec': 'command',
};

/** A tool is called with one message, which has a bound of its own. */
const MAX_PAYLOAD_CHARS = 200_000;

/** JSON for an object; any other text goes into the field that the tool is about. */
export function parseToolPayload(tool: string, payload: string): JsonObject {
  const text = payload.trim();
  if (text.length > MAX_PAYLOAD_CHARS) {
    throw refuse(`the payload has more than ${MAX_PAYLOAD_CHARS} characters`);
  }
  if (text === '') return {};
  const value = parseJson(text);
  if (isJsonObject(value)) return value;
  if (text.startsWith('{')) {
    throw refuse(
      'the payload begins like a JSON object and is none',
      'check its quotes and commas',
    );
  }
  const field = MAIN_FIELDS[tool];
  if (field !== undefined) return { [field]: payload };
  throw refuse(`${tool} needs a JSON object as its payload`, `claw tool show ${tool} tells which`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refuse(message: string, hint?: string): Error {
  return parseError(message, { target: 'exec-tool', hint });
}
