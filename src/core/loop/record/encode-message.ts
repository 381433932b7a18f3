import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import type { Message } from '../model.ts';
import { decodeCalls, encodeCall } from './encode-call.ts';

/** A message of a conversation that an event holds by value. */
export function encodeMessage(message: Message): JsonObject {
  const { role, text } = message;
  switch (message.role) {
    case 'user':
      return { role, text };
    case 'assistant':
      return { role, text, tool_calls: message.toolCalls.map(encodeCall) };
    case 'tool':
      return { role, text, tool: message.tool, tool_call_id: message.callId, ok: message.ok };
  }
}

export function decodeMessages(value: JsonValue | undefined): Message[] {
  return Array.isArray(value) ? value.filter(isJsonObject).map(decodeMessage) : [];
}

function decodeMessage(stored: JsonObject): Message {
  const { role, tool_call_id: callId, tool, ok } = stored;
  const text = textOf(stored['text']);
  switch (role) {
    case 'assistant':
      return { role, text, toolCalls: decodeCalls(stored['tool_calls']) };
    case 'tool':
      return { role, callId: textOf(callId), tool: textOf(tool), ok: ok !== false, text };
    default:
      return { role: 'user', text };
  }
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
