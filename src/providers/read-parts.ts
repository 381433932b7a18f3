import type {
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3ToolCall,
  LanguageModelV3Usage,
} from '@ai-sdk/provider';
import { RuntimeError } from '../core/errors.ts';
import { isJsonObject, type JsonObject } from '../core/json.ts';
import type { FinishReason, ModelPart, ToolRequest, Usage } from '../core/loop/model.ts';
import type { WireNames } from './wire-names.ts';

/**
 * The SDK's parts as ours. Calls are held back until the provider says that its answer is complete: the SDK hands
 * them out at the end of the stream whatever ended it, so a cut connection looks like a finished call to it.
 */
export async function* readParts(
  parts: AsyncIterable<LanguageModelV3StreamPart>,
  names: WireNames,
): AsyncGenerator<ModelPart> {
  const calls: LanguageModelV3ToolCall[] = [];
  const text = createDeltas('text');
  const reasoning = createDeltas('reasoning');
  for await (const part of parts) {
    switch (part.type) {
      case 'text-delta':
        yield* text.push(part.delta);
        break;
      case 'reasoning-delta':
        yield* reasoning.push(part.delta);
        break;
      case 'tool-call':
        if (!part.providerExecuted) calls.push(part);
        break;
      case 'error':
        throw part.error;
      case 'finish': {
        const reason = toFinishReason(part.finishReason, calls.length);
        yield* reasoning.end();
        yield* text.end();
        for (const call of calls) yield { type: 'tool_call', call: toToolRequest(call, names) };
        yield { type: 'finish', reason, usage: toUsage(part.usage) };
        return;
      }
      default:
        break;
    }
  }
  throw cutStream();
}

/**
 * A character outside the basic plane may arrive as two deltas of half a character each. Stored apart they would be
 * two broken ones, so the first half waits for the second.
 */
function createDeltas(type: 'text' | 'reasoning') {
  let held = '';
  return {
    *push(piece: string): Generator<ModelPart> {
      const delta = held + piece;
      const endsInHalf = /[\uD800-\uDBFF]$/.test(delta);
      held = endsInHalf ? delta.slice(-1) : '';
      const whole = endsInHalf ? delta.slice(0, -1) : delta;
      if (whole !== '') yield { type, delta: whole };
    },
    *end(): Generator<ModelPart> {
      if (held !== '') yield { type, delta: held };
    },
  };
}

function toFinishReason(reason: LanguageModelV3FinishReason, calls: number): FinishReason {
  // Without the provider's own word the SDK made this part up when the connection ended.
  if (reason.raw === undefined || reason.unified === 'error') throw cutStream();
  switch (reason.unified) {
    case 'length':
    case 'content-filter':
      // Stopped from outside, perhaps within a call; one without arguments would even look whole.
      if (calls > 0) throw stoppedInCall(reason.unified);
      return reason.unified === 'length' ? 'length' : 'content_filter';
    case 'tool-calls':
      return 'tool_calls';
    case 'stop':
      return calls > 0 ? 'tool_calls' : 'stop';
    case 'other':
      return 'other';
  }
}

function toToolRequest(call: LanguageModelV3ToolCall, names: WireNames): ToolRequest {
  return {
    callId: call.toolCallId,
    tool: names.toTool(call.toolName),
    input: parseArguments(call),
  };
}

function parseArguments(call: LanguageModelV3ToolCall): JsonObject {
  // Servers differ in how they write a call without arguments.
  if (call.input.trim() === '') return {};
  try {
    const value: unknown = JSON.parse(call.input);
    if (isJsonObject(value)) return value;
  } catch {
    // Told below: not the parser's message, which quotes the arguments.
  }
  throw new RuntimeError(
    'provider_failed',
    `the arguments of a call to ${call.toolName.slice(0, 64)} are not a JSON object`,
    { retryable: true },
  );
}

function toUsage(usage: LanguageModelV3Usage): Usage {
  const cached = usage.inputTokens.cacheRead;
  return {
    inputTokens: usage.inputTokens.total ?? 0,
    outputTokens: usage.outputTokens.total ?? 0,
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
  };
}

function cutStream(): RuntimeError {
  return new RuntimeError('provider_failed', 'the answer was cut before its end', {
    retryable: true,
  });
}

function stoppedInCall(why: 'length' | 'content-filter'): RuntimeError {
  const cause = why === 'length' ? 'its output limit' : 'a content filter';
  return new RuntimeError('provider_failed', `the answer reached ${cause} within a tool call`, {
    retryable: false,
  });
}
