import { defined } from '../defined.ts';
import { RuntimeError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../json.ts';
import type { ToolRequest } from './model.ts';

const DIRECT_CALL_ID = 'tool-1';
const COMMAND = /^\/tool\s+/;
/** Its value is a word, or a JSON string where it holds more than that. */
const OPTION = /^--(idempotency-key|call-id)[\s=]+("(?:[^"\\]|\\.)*"|[^\s"]\S*)\s+/;
const CALL = /^(\S+)\s*([\s\S]*)$/;
const PLAIN_WORD = /^[A-Za-z0-9_.:/-]+$/;

export interface DirectTool {
  readonly tool: string;
  readonly input: JsonObject;
  /** The caller's own name for this attempt. */
  readonly callId?: string | undefined;
  readonly idempotencyKey?: string | undefined;
}

/** The message that `parseDirectTool` reads as this call. */
export function toDirectMessage({ tool, input, callId, idempotencyKey }: DirectTool): string {
  return [
    '/tool',
    ...(idempotencyKey === undefined ? [] : ['--idempotency-key', quote(idempotencyKey)]),
    ...(callId === undefined ? [] : ['--call-id', quote(callId)]),
    tool,
    JSON.stringify(input),
  ].join(' ');
}

/** Whether the message is one call of a tool, well-formed or not, and nothing that a model is asked. */
export function isDirectMessage(message: string): boolean {
  return COMMAND.test(message.trim());
}

/**
 * `/tool [--idempotency-key KEY] [--call-id ID] <name> <json>` as the whole message runs that tool without a model.
 * Undefined for any other message.
 */
export function parseDirectTool(message: string): ToolRequest | undefined {
  const text = message.trim();
  const begin = COMMAND.exec(text);
  if (!begin) return undefined;
  const { options, rest } = readOptions(text.slice(begin[0].length));
  const match = CALL.exec(rest);
  if (!match) return undefined;
  const [, tool = '', json = ''] = match;
  const idempotencyKey = options.get('idempotency-key');
  return {
    callId: options.get('call-id') ?? DIRECT_CALL_ID,
    tool,
    input: parseInput(json.trim()),
    ...defined({ idempotencyKey }),
  };
}

function readOptions(text: string): { readonly options: Map<string, string>; rest: string } {
  const options = new Map<string, string>();
  let rest = text;
  for (let match = OPTION.exec(rest); match; match = OPTION.exec(rest)) {
    const [whole, name = '', value = ''] = match;
    if (options.has(name)) throw invalid(`/tool has --${name} twice`);
    options.set(name, value.startsWith('"') ? unquote(value) : value);
    rest = rest.slice(whole.length);
  }
  return { options, rest };
}

function quote(value: string): string {
  return PLAIN_WORD.test(value) ? value : JSON.stringify(value);
}

function unquote(value: string): string {
  try {
    return String(JSON.parse(value));
  } catch (cause) {
    throw new RuntimeError('invalid_input', 'an option of /tool is not a JSON string', { cause });
  }
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
  if (!isJsonObject(value)) throw invalid('/tool needs a JSON object after the tool name');
  return value;
}

function invalid(message: string): RuntimeError {
  return new RuntimeError('invalid_input', message);
}
