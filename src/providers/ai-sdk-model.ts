import type { LanguageModelV3, LanguageModelV3CallOptions } from '@ai-sdk/provider';
import type { Clock } from '../core/clock.ts';
import { defined } from '../core/defined.ts';
import { RuntimeError } from '../core/errors.ts';
import type { Model, ModelPart, ModelRequest } from '../core/loop/model.ts';
import { toTraceHeaders } from '../core/trace-context.ts';
import type { Endpoint, RemoteProvider } from './endpoint.ts';
import { isToolsUnsupported, toProviderError, unanswered } from './provider-error.ts';
import { readParts } from './read-parts.ts';
import { createSilenceLimit } from './silence-limit.ts';
import { toCallSettings, toToolChoice } from './to-call-settings.ts';
import { toPrompt, toSdkTools } from './to-prompt.ts';
import { toTextPrompt } from './to-text-prompt.ts';
import { toWellFormed } from './well-formed.ts';
import { createWireNames } from './wire-names.ts';

export interface SdkConnection {
  readonly languageModel: LanguageModelV3;
  readonly endpoint: Endpoint;
}

export interface AiSdkModelOptions {
  /** Asked at every call, so that a key that was changed counts at once. */
  readonly connect: () => Promise<SdkConnection>;
  readonly provider: RemoteProvider;
  readonly name: string;
  readonly toolCalls: 'native' | 'text';
  /** Whether the server may have models without tool calls, which show only when it refuses them. */
  readonly mayLackTools: boolean;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** A language model of the AI SDK as ours. The SDK owns the wire; retries are the loop's, so there are none here. */
export function createAiSdkModel(options: AiSdkModelOptions): Model {
  const { provider, clock } = options;
  let toolCalls = options.toolCalls;

  async function* attempt(
    mode: Model['toolCalls'],
    { languageModel, request }: Attempt,
    caller: AbortSignal,
  ): AsyncGenerator<ModelPart> {
    const names = createWireNames(request.tools.map((tool) => tool.name));
    const limit = createSilenceLimit(clock, options.timeoutMs, caller);
    let hasAnswered = false;
    try {
      const { stream } = await languageModel.doStream({
        ...(mode === 'native' ? toNativeCall(request, names) : { prompt: toTextPrompt(request) }),
        ...toCallSettings(request.settings),
        ...defined({ maxOutputTokens: request.maxOutputTokens }),
        headers: toTraceHeaders(request.trace ?? {}),
        abortSignal: limit.signal,
      });
      const touch = () => {
        hasAnswered = true;
        limit.touch();
      };
      for await (const part of readParts(heard(stream, touch), names)) yield part;
    } catch (thrown) {
      if (caller.aborted) throw new RuntimeError('cancelled', 'the model call was aborted');
      if (limit.isTimedOut)
        throw hasAnswered ? silent(provider, options.timeoutMs) : new NoAnswer();
      throw thrown;
    } finally {
      limit.close();
    }
  }

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
    // Kept for this attempt: another run may find out about the tools meanwhile.
    const mode = toolCalls;
    const { languageModel, endpoint } = await options.connect();
    try {
      yield* attempt(mode, { languageModel, request: toWellFormed(request) }, signal);
    } catch (thrown) {
      const mayBeTools = options.mayLackTools && mode === 'native' && request.tools.length > 0;
      if (!mayBeTools || !isToolsUnsupported(thrown)) {
        if (thrown instanceof NoAnswer) throw unanswered(endpoint, options.timeoutMs);
        throw toProviderError(thrown, endpoint, clock.nowMs());
      }
      // Such a refusal comes before any part, so nothing of the first attempt has been handed out.
      toolCalls = 'text';
      yield* stream(request, signal);
    }
  }

  return {
    provider,
    name: options.name,
    get toolCalls() {
      return toolCalls;
    },
    stream,
  };
}

/** The time for an answer passed without a byte of one. */
class NoAnswer extends Error {}

interface Attempt {
  readonly languageModel: LanguageModelV3;
  readonly request: ModelRequest;
}

function toNativeCall(
  request: ModelRequest,
  names: ReturnType<typeof createWireNames>,
): LanguageModelV3CallOptions {
  const tools = toSdkTools(request, names);
  return {
    prompt: toPrompt(request, names),
    ...(tools.length > 0 ? { tools, ...toToolChoice(request.settings, names) } : {}),
  };
}

async function* heard<Part>(parts: AsyncIterable<Part>, touch: () => void): AsyncGenerator<Part> {
  for await (const part of parts) {
    touch();
    yield part;
  }
}

function silent(provider: string, timeoutMs: number): RuntimeError {
  return new RuntimeError('provider_failed', `${provider} was silent for ${timeoutMs} ms`, {
    retryable: true,
    details: { timeoutMs },
  });
}
