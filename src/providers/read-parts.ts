import type {
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  LanguageModelV3ToolCall,
  LanguageModelV3Usage,
} from '@ai-sdk/provider';
import { defined } from '../core/defined.ts';
import { RuntimeError } from '../core/errors.ts';
import { isJsonObject } from '../core/json.ts';
import type { FinishReason, ModelPart, ToolRequest, Usage } from '../core/loop/model.ts';
import { cutUnits } from '../core/sessions/cut-text.ts';
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
        const usage = toUsage(part.usage);
        const reason = toFinishReason(part.finishReason, { calls: calls.length, usage });
        yield* reasoning.end();
        yield* text.end();
        // Stopped from outside, perhaps within a call; one without arguments would even look whole.
        const isWhole = reason !== 'length' && reason !== 'content_filter';
        const whole = isWhole ? calls : [];
        for (const call of whole) yield { type: 'tool_call', call: toToolRequest(call, names) };
        yield { type: 'finish', reason, usage };
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

function toFinishReason(
  reason: LanguageModelV3FinishReason,
  { calls, usage }: { readonly calls: number; readonly usage: Usage },
): FinishReason {
  // Without the provider's own word the SDK made this part up when the connection ended.
  if (reason.raw === undefined || reason.unified === 'error') throw cutStream(usage);
  switch (reason.unified) {
    case 'length':
      return 'length';
    case 'content-filter':
      return 'content_filter';
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
    ...readArguments(call.input),
  };
}

/** As much of what can't be read as the model needs to know its own words again. */
const MAX_MALFORMED_CHARS = 2_000;

function readArguments(text: string): Pick<ToolRequest, 'input' | 'malformed'> {
  // Servers differ in how they write a call without arguments.
  if (text.trim() === '') return { input: {} };
  try {
    const value: unknown = JSON.parse(text);
    if (isJsonObject(value)) return { input: value };
  } catch {
    // Nothing that can be called; the model is told.
  }
  return { input: {}, malformed: cutUnits(text, MAX_MALFORMED_CHARS) };
}

function toUsage(usage: LanguageModelV3Usage): Usage {
  const cached = usage.inputTokens.cacheRead;
  return {
    inputTokens: usage.inputTokens.total ?? null,
    outputTokens: usage.outputTokens.total ?? null,
    ...defined({ cachedInputTokens: cached }),
  };
}

/** With what the provider had said about its tokens by then: they are spent, whatever became of the answer. */
function cutStream(usage?: Usage): RuntimeError {
  return new RuntimeError('provider_failed', 'the answer was cut before its end', {
    retryable: true,
    ...(usage === undefined ? {} : { details: { usage } }),
  });
}
