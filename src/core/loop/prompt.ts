import { defined } from '../defined.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { type ClientTool, decodeClientTools, encodeClientTools } from '../threads/client-tool.ts';
import type { Message, ModelSettings } from './model.ts';
import { decodeMessages, encodeMessage } from './record/encode-message.ts';

/**
 * What a run is given in place of one message by a caller that has the conversation itself: all of it, and how the model
 * is to answer. A run with a prompt takes the results of its caller's tools as frames and ends with its answer.
 */
export interface Prompt {
  /** Beside those of its agent, for this run alone. */
  readonly instructions: string;
  /** What the conversation tells its model as the system; it stays with the conversation. */
  readonly system: readonly string[];
  readonly messages: readonly Message[];
  /** Tools that the caller carries out itself. */
  readonly clientTools: readonly ClientTool[];
  readonly settings: ModelSettings;
}

/** One result that a caller gives to its model. Callers send as much with the conversation itself. */
export const MAX_GIVEN_CHARS = 2_000_000;

export function encodePrompt(prompt: Prompt): JsonObject {
  const { instructions, system, messages, clientTools, settings } = prompt;
  return {
    instructions,
    system: [...system],
    messages: messages.map(encodeMessage),
    client_tools: encodeClientTools(clientTools),
    settings: encodeSettings(settings),
  };
}

export function decodePrompt(value: JsonValue | undefined): Prompt | undefined {
  if (!isJsonObject(value)) return undefined;
  const { system, messages, settings } = value;
  return {
    instructions: text(value['instructions']),
    system: Array.isArray(system) ? system.map(text) : [],
    messages: decodeMessages(messages),
    clientTools: decodeClientTools(value['client_tools']),
    settings: isJsonObject(settings) ? decodeSettings(settings) : {},
  };
}

function encodeSettings(settings: ModelSettings): JsonObject {
  const { stop, json, toolChoice } = settings;
  return defined({
    temperature: settings.temperature,
    top_p: settings.topP,
    presence_penalty: settings.presencePenalty,
    frequency_penalty: settings.frequencyPenalty,
    seed: settings.seed,
    max_output_tokens: settings.maxOutputTokens,
    stop: stop && [...stop],
    json: json && (defined({ ...json }) as JsonObject),
    tool_choice: typeof toolChoice === 'object' ? { tool: toolChoice.tool } : toolChoice,
    single_call: settings.singleCall,
  });
}

function decodeSettings(value: JsonObject): ModelSettings {
  const { stop, json, tool_choice: choice } = value;
  return defined({
    temperature: number(value['temperature']),
    topP: number(value['top_p']),
    presencePenalty: number(value['presence_penalty']),
    frequencyPenalty: number(value['frequency_penalty']),
    seed: number(value['seed']),
    maxOutputTokens: number(value['max_output_tokens']),
    stop: Array.isArray(stop) ? stop.map(text) : undefined,
    json: isJsonObject(json) ? decodeSchema(json) : undefined,
    toolChoice: decodeChoice(choice),
    singleCall: value['single_call'] === true ? (true as const) : undefined,
  });
}

function decodeSchema(value: JsonObject): NonNullable<ModelSettings['json']> {
  const { name, description, schema } = value;
  return defined({
    name: typeof name === 'string' ? name : undefined,
    description: typeof description === 'string' ? description : undefined,
    schema: isJsonObject(schema) ? schema : undefined,
  });
}

function decodeChoice(value: JsonValue | undefined): ModelSettings['toolChoice'] {
  if (value === 'none' || value === 'required') return value;
  return isJsonObject(value) ? { tool: text(value['tool']) } : undefined;
}

function number(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
