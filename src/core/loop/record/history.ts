import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import type { ToolTrait } from '../../tools/tool.ts';
import type { Message } from '../model.ts';
import { decodeMessages, encodeMessage } from './encode-message.ts';

/** What a fork knows of the run that it goes on from: by value, since that run's events may be gone one day. */
export interface History {
  readonly messages: readonly Message[];
  readonly exposure: readonly ToolTrait[];
}

export function encodeHistory({ messages, exposure }: History): JsonObject {
  return { messages: messages.map(encodeMessage), exposure };
}

export function decodeHistory(value: JsonValue | undefined): History | undefined {
  if (!isJsonObject(value)) return undefined;
  const { messages, exposure } = value;
  return {
    messages: decodeMessages(messages),
    exposure: Array.isArray(exposure) ? (exposure as ToolTrait[]) : [],
  };
}
