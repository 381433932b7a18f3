import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import type { Redactor } from '../redact/redact.ts';
import type { ToolTrait } from '../tools/tool.ts';
import type { FinishedCall, PreparedCall } from '../tools/tool-runner.ts';
import { countChars, cutText } from './cut-text.ts';
import type { MessageDraft, SessionMessage, ToolRecord } from './session.ts';

const MAX_OUTPUT_CHARS = 4_000;
const MAX_TEXT_CHARS = 2_000;
const MAX_ARGUMENTS_CHARS = 1_000;
const MAX_NAME_CHARS = 128;

/** A record of ours is far shorter. What is longer came from elsewhere and is not worth parsing. */
const MAX_RECORD_UNITS = 128 * 1024;

/** What a session remembers of a call. Redacted before it is cut: half a secret would not be known as one. */
export function toToolMessage(
  redactor: Redactor,
  call: PreparedCall,
  { payload }: Pick<FinishedCall, 'payload'>,
): MessageDraft {
  // A model may ask for a tool of any name, under any id.
  const tool = cutText(redactor.redactText(call.envelope.tool), MAX_NAME_CHARS);
  const id = cutText(redactor.redactText(call.envelope.callId), MAX_NAME_CHARS);
  const error = isJsonObject(payload['error']) ? payload['error'] : undefined;
  const code = text(error?.['code']);
  const message = redactor.redactText(text(error?.['message']));
  const traits = call.tool?.traits ?? [];
  const content: ToolRecord = {
    tool,
    id,
    // The summary of a failure is its error once more.
    summary: error ? '' : cutText(redactor.redactText(text(payload['summary'])), MAX_TEXT_CHARS),
    output: error ? '' : toExcerpt(redactor, payload['output']),
    error: error ? cutText(`${code}: ${message}`, MAX_TEXT_CHARS) : '',
    error_code: code,
    error_message: cutText(message, MAX_TEXT_CHARS),
    arguments: toArguments(redactor, call.input),
    ...(call.tool === undefined ? {} : { effect: call.tool.effect }),
    ...(traits.length === 0 ? {} : { traits }),
  };
  return { role: 'tool', content, toolName: tool, toolCallId: id };
}

/** A stored tool message, whoever wrote it: anything that is not a record of ours is taken for the tool's output. */
export function parseToolRecord(message: SessionMessage): ToolRecord {
  const stored = parseObject(message.content, MAX_RECORD_UNITS);
  const { effect, traits } = stored ?? {};
  return {
    tool: cutText(message.toolName ?? text(stored?.['tool']), MAX_NAME_CHARS) || 'unknown',
    id: cutText(message.toolCallId ?? text(stored?.['id']), MAX_NAME_CHARS) || 'unknown',
    summary: text(stored?.['summary']),
    output: stored ? text(stored['output']) : message.content,
    error: text(stored?.['error']),
    error_code: text(stored?.['error_code']),
    error_message: text(stored?.['error_message']),
    arguments: text(stored?.['arguments']),
    ...(effect === 'read' || effect === 'write' ? { effect } : {}),
    ...(Array.isArray(traits) ? { traits: traits.filter(isTrait) } : {}),
  };
}

/** The arguments of a recorded call; empty when they were not kept. */
export function parseArguments(record: ToolRecord): JsonObject {
  return parseObject(record.arguments, 2 * MAX_ARGUMENTS_CHARS) ?? {};
}

const TRAITS: ReadonlySet<unknown> = new Set<ToolTrait>([
  'untrusted_input',
  'secret_data',
  'outward_effect',
]);

export function isTrait(value: unknown): value is ToolTrait {
  return TRAITS.has(value);
}

function toExcerpt(redactor: Redactor, output: JsonValue | undefined): string {
  if (output === undefined || output === null) return '';
  if (isJsonObject(output) && Object.keys(output).length === 0) return '';
  return cutText(canonicalJson(redactor.redact(output, '').value), MAX_OUTPUT_CHARS);
}

function toArguments(redactor: Redactor, input: JsonObject): string {
  const json = canonicalJson(redactor.redact(input, '').value);
  const isLong = json.length > 2 * MAX_ARGUMENTS_CHARS || countChars(json) > MAX_ARGUMENTS_CHARS;
  return isLong ? '' : json;
}

function parseObject(json: string, maxUnits: number): JsonObject | undefined {
  if (json === '' || json.length > maxUnits) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
