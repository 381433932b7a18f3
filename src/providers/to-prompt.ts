import type {
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
} from '@ai-sdk/provider';
import type { Message, ModelRequest } from '../core/loop/model.ts';
import { createWireNames, type WireNames } from './wire-names.ts';

type ToolMessage = Extract<LanguageModelV3Message, { role: 'tool' }>;
type ToolResult = Extract<ToolMessage['content'][number], { type: 'tool-result' }>;

/** What our names and ids are called on this provider's wire. */
interface Wire {
  readonly names: WireNames;
  /** Ids pass the same sieve: one taken from another model's text may hold anything. */
  readonly ids: WireNames;
}

/** A conversation may begin with a message of ours, and some providers refuse one that the user did not begin. */
export const OPENING = '(The conversation begins with your message.)';

/** OpenAI's limit is the lowest. */
const MAX_ID_CHARS = 40;

/**
 * The conversation as the SDK takes it. Providers refuse a result without its call and a call without its result;
 * a shortened history can hold both, so the first becomes text and the second gets a result that says so.
 */
export function toPrompt(request: ModelRequest, names: WireNames): LanguageModelV3Prompt {
  const prompt: LanguageModelV3Prompt = [];
  const wire: Wire = { names, ids: createWireNames([], MAX_ID_CHARS) };
  if (request.system !== '') prompt.push({ role: 'system', content: request.system });
  const open = new Map<string, string>();
  if (request.messages[0]?.role === 'assistant') {
    prompt.push({ role: 'user', content: [{ type: 'text', text: OPENING }] });
  }

  for (const message of request.messages) {
    if (message.role === 'tool' && open.delete(message.callId)) {
      prompt.push({ role: 'tool', content: [toResult(message, wire)] });
      continue;
    }
    closeCalls(prompt, open, wire);
    if (message.role === 'assistant') {
      const parts = toAssistantParts(message, wire);
      if (parts.length > 0) prompt.push({ role: 'assistant', content: parts });
      for (const call of message.toolCalls) open.set(call.callId, call.tool);
    } else {
      const text = message.role === 'tool' ? describeResult(message) : message.text;
      prompt.push({ role: 'user', content: [{ type: 'text', text }] });
    }
  }
  closeCalls(prompt, open, wire);
  return prompt;
}

export function toSdkTools(request: ModelRequest, names: WireNames): LanguageModelV3FunctionTool[] {
  return request.tools.map((tool) => ({
    type: 'function',
    name: names.toWire(tool.name),
    description: tool.description,
    inputSchema: tool.inputSchema as LanguageModelV3FunctionTool['inputSchema'],
  }));
}

/** A tool result for a reader who has no tool messages. */
export function describeResult(message: Extract<Message, { role: 'tool' }>): string {
  // One from an earlier run says itself what it is.
  if (message.text.startsWith(`tool ${message.tool} result (`)) return message.text;
  const outcome = message.ok ? 'result' : 'error';
  return `tool ${message.tool} ${outcome} (${message.callId}):\n${message.text}`;
}

function toAssistantParts(message: Extract<Message, { role: 'assistant' }>, wire: Wire) {
  const parts: Extract<LanguageModelV3Message, { role: 'assistant' }>['content'] = [];
  // Some models answer with a line break before their calls, and Anthropic refuses to hear a blank text again.
  if (message.text.trim() !== '') parts.push({ type: 'text', text: message.text });
  for (const call of message.toolCalls) {
    parts.push({
      type: 'tool-call',
      toolCallId: wire.ids.toWire(call.callId),
      toolName: wire.names.toWire(call.tool),
      input: call.input,
    });
  }
  return parts;
}

function toResult(message: Extract<Message, { role: 'tool' }>, wire: Wire): ToolResult {
  return {
    type: 'tool-result',
    toolCallId: wire.ids.toWire(message.callId),
    toolName: wire.names.toWire(message.tool),
    output: { type: message.ok ? 'text' : 'error-text', value: message.text },
  };
}

function closeCalls(prompt: LanguageModelV3Prompt, open: Map<string, string>, wire: Wire): void {
  for (const [callId, tool] of open) {
    const text = 'no result was recorded for this call';
    const result = toResult({ role: 'tool', callId, tool, ok: false, text }, wire);
    prompt.push({ role: 'tool', content: [result] });
  }
  open.clear();
}
