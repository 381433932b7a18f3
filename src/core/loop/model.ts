import type { Agent } from '../agents/agent.ts';
import type { RunId, SessionId } from '../ids.ts';
import type { JsonObject, JsonValue } from '../json.ts';
import type { TraceContext } from '../trace-context.ts';

/** A language model behind any provider. Messages become the provider's own only inside the provider. */
export interface Model {
  readonly provider: string;
  readonly name: string;
  /**
   * `text` models have no tool calls of their own; theirs are parsed from fenced blocks in the answer. `none`: an agent
   * that lives elsewhere and works with tools of its own; it is offered none of ours.
   */
  readonly toolCalls: ToolCallStyle;
  /**
   * Streams one answer. A stream that ends without a `finish` part is broken, whatever it brought before. Failures
   * are thrown as `provider_failed` (retryable or not) or `provider_misconfigured`; the provider never retries.
   */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart>;
}

export type ToolCallStyle = 'native' | 'text' | 'none';

/** Finds the model for a `provider/name`; throws `provider_misconfigured` with the variable to set. */
export interface Models {
  get(reference: string | undefined): Promise<Model>;
  /** Which model `get` would answer with, without loading its provider. */
  describe(reference: string | undefined): Promise<Pick<Model, 'provider' | 'name'>>;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDescription[];
  readonly maxOutputTokens?: number;
  /** As far as the provider can; absent: as it would by itself. */
  readonly settings?: ModelSettings;
  /** For providers that are asked over a network. */
  readonly trace?: Pick<TraceContext, 'traceparent' | 'tracestate'>;
  /** For agents that live elsewhere: whose turn it is. */
  readonly asker?: Asker;
}

/** The turn of a run that a question belongs to. */
export interface Asker {
  readonly runId: RunId;
  readonly turn: number;
  /** The question is on record already: whoever had the run before may have sent it. */
  readonly isRepeat: boolean;
  /** It goes on from another run, which may have acted already. */
  readonly isFork: boolean;
  /** For whom: `operator`, or a principal. */
  readonly owner: string;
  readonly agent: Pick<Agent, 'id' | 'name' | 'skills' | 'memoryAccess'>;
  readonly projectId: string | undefined;
  readonly sessionId: SessionId | undefined;
}

/** How a model is to answer, in the words of whoever asked. */
export interface ModelSettings {
  readonly temperature?: number;
  readonly topP?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  readonly seed?: number;
  /** At most so many tokens of one answer, within the runtime's own limit. */
  readonly maxOutputTokens?: number;
  /** The answer ends before any of these. */
  readonly stop?: readonly string[];
  /** Absent: plain text. */
  readonly json?: AnswerSchema;
  /** Of the tools that the caller carries out. Absent: the model decides. */
  readonly toolChoice?: 'none' | 'required' | { readonly tool: string };
  /** At most one call in an answer. */
  readonly singleCall?: true;
}

/** What an answer in JSON has to look like; without a schema any JSON will do. */
interface AnswerSchema {
  readonly name?: string;
  readonly description?: string;
  readonly schema?: JsonObject;
}

export type Message =
  | { readonly role: 'user'; readonly text: string }
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly toolCalls: readonly ToolRequest[];
    }
  | {
      readonly role: 'tool';
      readonly callId: string;
      readonly tool: string;
      readonly ok: boolean;
      /** What the model reads: the output or the error, bounded. */
      readonly text: string;
    };

/** A model's last word on what it was asked: it wants nothing more. */
export function isAnswer(message: Message): boolean {
  return message.role === 'assistant' && message.toolCalls.length === 0;
}

/** A model's wish to use a tool. */
export interface ToolRequest {
  readonly callId: string;
  readonly tool: string;
  readonly input: JsonObject;
  /** What a model sent in place of arguments that can be read: the call is answered with a failure, so that it may do better. */
  readonly malformed?: string;
  /** A caller's, never a model's: a model gives one in the arguments of tools that take it. */
  readonly idempotencyKey?: string;
}

export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

export type ModelPart =
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'reasoning'; readonly delta: string }
  /** Whole; arguments that are not JSON come as `malformed`, and never as half a call. */
  | { readonly type: 'tool_call'; readonly call: ToolRequest }
  | RemoteStep
  | {
      readonly type: 'finish';
      readonly reason: FinishReason;
      readonly usage: Usage;
      /** The whole answer, where it is not simply what was streamed. */
      readonly text?: string;
    };

/** What an agent that lives elsewhere said to itself or did there: for the record, nothing is called here. */
export type RemoteStep =
  | { readonly type: 'note'; readonly kind: 'thought' | 'action'; readonly text: string }
  | {
      readonly type: 'remote_call';
      readonly callId: string;
      readonly tool: string;
      readonly input: JsonObject;
    }
  | {
      readonly type: 'remote_result';
      readonly callId: string;
      readonly tool: string;
      readonly ok: boolean;
      readonly output: JsonValue;
    };

export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'other';

/** Null: the provider did not say, which is not the same as none. */
export interface Usage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly cachedInputTokens?: number;
  /** As the other side counted it; counts where no price is configured. */
  readonly costUsd?: number;
}
