import type { AgentId, SessionId } from '../ids.ts';
import type { Prompt } from '../loop/prompt.ts';
import type { AnswerEnd } from './answer.ts';
import type { AnswerRef } from './answer-ref.ts';
import type { AnswerStep, Exchange, FollowAnswer } from './follow-answer.ts';
import type { GivenMessage } from './given-message.ts';
import type { ListedModel } from './list-models.ts';

/** Runs for callers that keep the conversation themselves and want one answer to it. */
export interface Completions {
  /**
   * Begins a run, or goes on with the one that waits for the results that the conversation ends with. Durable when it
   * returns. The same request again under its key answers with the first exchange; another one is a `conflict`.
   */
  begin(request: CompletionRequest): Promise<Exchange>;
  /** Step by step, also again from a place that the reader remembers. */
  follow(exchange: Exchange, options: FollowAnswer): AsyncGenerator<readonly AnswerStep[]>;
  /** Whole. Throws why there is none. */
  awaitAnswer(exchange: Exchange, signal: AbortSignal): Promise<AnswerEnd>;
  listModels(): Promise<readonly ListedModel[]>;
}

export interface CompletionRequest {
  /** `agent/<name>`, `provider/name`, or the name alone of a model that is listed. */
  readonly model: string;
  readonly prompt: Omit<Prompt, 'messages'>;
  /** What of the prompt says how to answer, by the names that the caller knows it by. */
  readonly manner: readonly string[];
  readonly messages: readonly GivenMessage[];
  /** The answer that the conversation goes on from; `messages` are what follows it. */
  readonly previous?: AnswerRef;
  readonly idempotencyKey?: string;
  /** Its history stands before what was said since the last answer, and keeps both. */
  readonly sessionId?: SessionId;
  readonly projectId?: string;
}

/** Who answers, and with what. */
export interface Target {
  readonly agentId: AgentId;
  /** `provider/name`; undefined for the agent's own. */
  readonly model: string | undefined;
}

/** On runs that were made here. */
export const COMPLETION_SOURCE = 'openai';
