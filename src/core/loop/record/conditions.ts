import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';
import { type ContextLimits, DEFAULT_CONTEXT_LIMITS } from '../../sessions/context-limits.ts';
import type { SessionSummary } from '../../sessions/session-store.ts';
import { sha256 } from '../../sha256.ts';
import type { CallModelDeps } from '../call-model.ts';
import type { Execution } from '../execution.ts';
import type { RunLimits } from '../limits.ts';
import type { Message } from '../model.ts';

/** What a run was held to and that its events do not tell by themselves. */
export interface ConditionDeps extends Pick<CallModelDeps, 'retry'> {
  readonly limits: RunLimits;
  readonly maxOutputTokens: number;
  readonly context: () => ContextLimits;
}

/**
 * On record with the first event that depends on them, and again when they change: without them nobody could tell later
 * why the run ended where it did. Undefined when they are on record already.
 */
export function findNewConditions(
  deps: ConditionDeps,
  { run, state }: Pick<Execution, 'run' | 'state'>,
): JsonObject | undefined {
  const { limits } = deps;
  const conditions = {
    max_turns: limits.maxTurns,
    max_tokens: limits.maxTokens,
    max_cost_usd: limits.maxCostUsd,
    max_recoveries: limits.maxRecoveries,
    max_retries: deps.retry.maxRetries,
    max_output_tokens: deps.maxOutputTokens,
    ...(run.sessionId === undefined ? {} : { context: encodeContext(deps.context()) }),
    ...(state.summary === undefined ? {} : { summary: encodeSummary(state.summary) }),
  };
  return canonicalJson(conditions) === state.conditions ? undefined : conditions;
}

function encodeContext(limits: ContextLimits): JsonObject {
  return {
    max_message_chars: limits.maxMessageChars,
    max_summary_chars: limits.maxSummaryChars,
    max_error_chars: limits.maxErrorChars,
    max_output_chars: limits.maxOutputChars,
    max_context_chars: limits.maxContextChars,
  };
}

/** The messages behind it are kept with their session: their place stands for them. */
function encodeSummary({ text, through }: SessionSummary): JsonObject {
  return { text, through: { exchange: through.exchange, position: through.position } };
}

/** Conditions as they are on record. A log that does not tell, as one of an earlier release, was held to the defaults. */
export function decodeConditions(recorded: JsonObject): DecodedConditions {
  const { context, summary, max_cost_usd: maxCostUsd } = recorded;
  const { limits, maxRetries, maxOutputTokens } = DEFAULTS;
  return {
    limits: {
      ...limits,
      maxTurns: number(recorded['max_turns'], limits.maxTurns),
      maxTokens: number(recorded['max_tokens'], limits.maxTokens),
      maxCostUsd: typeof maxCostUsd === 'number' ? maxCostUsd : null,
      maxRecoveries: number(recorded['max_recoveries'], limits.maxRecoveries),
    },
    retry: {
      maxRetries: number(recorded['max_retries'], maxRetries),
      initialDelayMs: 0,
      maxDelayMs: 0,
    },
    maxOutputTokens: number(recorded['max_output_tokens'], maxOutputTokens),
    context: decodeContext(isJsonObject(context) ? context : {}),
    summary: isJsonObject(summary) ? decodeSummary(summary) : undefined,
  };
}

/** Those of the configuration. Time is none of them: where it ran out is on record. */
const DEFAULTS = {
  limits: {
    maxTurns: 30,
    maxDurationMs: Number.POSITIVE_INFINITY,
    maxTokens: 1_000_000,
    maxCostUsd: null,
    maxRecoveries: 20,
  },
  maxRetries: 3,
  maxOutputTokens: 8_192,
};

function decodeContext(context: JsonObject): ContextLimits {
  const limits = DEFAULT_CONTEXT_LIMITS;
  return {
    maxMessageChars: number(context['max_message_chars'], limits.maxMessageChars),
    maxSummaryChars: number(context['max_summary_chars'], limits.maxSummaryChars),
    maxErrorChars: number(context['max_error_chars'], limits.maxErrorChars),
    maxOutputChars: number(context['max_output_chars'], limits.maxOutputChars),
    maxContextChars: number(context['max_context_chars'], limits.maxContextChars),
  };
}

export interface DecodedConditions extends Omit<ConditionDeps, 'context'> {
  readonly context: ContextLimits;
  readonly summary: SessionSummary | undefined;
}

function decodeSummary({ text, through }: JsonObject): SessionSummary | undefined {
  if (typeof text !== 'string' || !isJsonObject(through)) return undefined;
  const { exchange, position } = through;
  return { text, through: { exchange: number(exchange, 0), position: number(position, 0) } };
}

function number(value: JsonValue | undefined, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

/** Stands in the log for what a model was asked: the messages themselves are there already, in other events. */
export function digestMessages(messages: readonly Message[]): string {
  return sha256(`[${messages.map(toCanonical).join(',')}]`);
}

/** Messages never change, and each turn digests all that came before it. */
const canonicalMessages = new WeakMap<Message, string>();

function toCanonical(message: Message): string {
  const known = canonicalMessages.get(message);
  if (known !== undefined) return known;
  const text = canonicalJson(message);
  canonicalMessages.set(message, text);
  return text;
}
