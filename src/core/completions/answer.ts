import { REMOTE_PROVIDER } from '../agents/agent-runtime.ts';
import { ERROR_CATALOGUE, type ErrorCode, RuntimeError } from '../errors.ts';
import type { NewsEvent } from '../events/event.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { type AnswerCall, createAnswerCalls } from './answer-calls.ts';
import { type AnswerText, createAnswerText, type Telling } from './answer-text.ts';

/** What whoever asked gets to hear, in order. */
export type AnswerPart =
  | { readonly type: 'begin'; readonly atMs: number }
  | { readonly type: 'text'; readonly delta: string }
  /** `text`: all that was said before it. */
  | { readonly type: 'call'; readonly call: AnswerCall; readonly text: string }
  | { readonly type: 'end'; readonly end: AnswerEnd };

export interface AnswerEnd {
  readonly reason: 'stop' | 'length' | 'content_filter' | 'tool_calls' | 'failed';
  /** All that was said. */
  readonly text: string;
  readonly calls: readonly AnswerCall[];
  readonly usage: AnswerUsage;
  /** Why there is no answer; set when it has failed. */
  readonly error: RuntimeError | undefined;
  readonly beganAtMs: number;
}

/** What this answer took, turns that brought nothing included. */
export interface AnswerUsage {
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  /** Null as soon as one price is unknown. */
  readonly costUsd: number | null;
}

export interface AnswerReading {
  /** The last event that the reader has had in full; 0 for none. */
  readonly seenThrough: number;
  /** Up to here a turn's text waits for its end, since what follows is on record and may void it. */
  readonly heldThrough: number;
}

export interface AnswerFold {
  /** Throws `conflict` when the answer goes on differently from what the reader was told. */
  read(event: NewsEvent): readonly AnswerPart[];
  /** Nothing of this answer follows. */
  readonly isOver: boolean;
}

/** An answer as the log tells it, from the event on that asked for it. The agent's own tools do not show. */
export function createAnswerFold({ seenThrough, heldThrough }: AnswerReading): AnswerFold {
  const text = createAnswerText();
  const calls = createAnswerCalls();
  let usage: AnswerUsage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 };
  let start: NewsEvent | undefined;
  let isOver = false;

  function finish(reason: AnswerEnd['reason'], error?: RuntimeError): AnswerPart {
    isOver = true;
    const beganAtMs = start?.atMs ?? 0;
    return {
      type: 'end',
      end: { reason, text: text.whole(), calls: calls.all, usage, error, beganAtMs },
    };
  }

  function apply(event: NewsEvent, telling: Telling): readonly AnswerPart[] {
    const { type, payload } = event;
    switch (type) {
      case 'model.requested':
        text.ask(count(payload['turn']), telling, mayHoldCalls(payload));
        return [];
      case 'model.delta':
        return toText(text.say(toWords(payload['text']), telling));
      case 'model.failed':
        usage = addUsage(usage, payload);
        return [];
      case 'model.completed':
        usage = addUsage(usage, payload);
        calls.ask(event);
        return toText(text.complete(toWords(payload['text']), telling));
      case 'tool.call':
        return announce(event);
      case 'tool.result':
        calls.settle(event);
        return handOver();
      case 'frame.ignored':
        return payload['frame_seq'] === start?.seq ? [finish('failed', alreadyAnswered())] : [];
      case 'run.completed':
        return [...toText(addLastWords(text, payload, telling)), finish(toReason(payload))];
      case 'run.failed':
        return [finish('failed', toFault(payload))];
      case 'run.cancelled':
        return [finish('failed', new RuntimeError('cancelled', 'the run was cancelled'))];
      default:
        return [];
    }
  }

  function announce(event: NewsEvent): readonly AnswerPart[] {
    const call = calls.announce(event);
    return call ? [{ type: 'call', call, text: text.whole() }, ...handOver()] : [];
  }

  function handOver(): readonly AnswerPart[] {
    return calls.areCallers ? [finish('tool_calls')] : [];
  }

  return {
    get isOver() {
      return isOver;
    },

    read(event) {
      const { seq, atMs } = event;
      const telling = seq <= seenThrough ? 'seen' : seq <= heldThrough ? 'held' : 'live';
      const first: AnswerPart[] = start === undefined ? [{ type: 'begin', atMs }] : [];
      start ??= event;
      const parts = [...first, ...apply(event, telling)];
      if (seq >= heldThrough && !isOver) parts.push(...toText(text.release()));
      return parts;
    },
  };
}

/** Calls in the text are not for readers of it; an agent elsewhere says in the end what of it was the answer. */
function mayHoldCalls({ calls_as: callsAs, tools, provider }: JsonObject): boolean {
  return provider === REMOTE_PROVIDER || (callsAs === 'text' && count(tools) > 0);
}

const LOOP_ENDS: ReadonlySet<string> = new Set(['needs_guidance', 'loop_detected']);

/** What the loop itself has to say in place of the model. */
function addLastWords(text: AnswerText, payload: JsonObject, telling: Telling): string {
  if (!LOOP_ENDS.has(toWords(payload['stop_reason']))) return '';
  text.ask(Number.MAX_SAFE_INTEGER, telling, false);
  return text.complete(toWords(payload['output']), telling);
}

function toText(delta: string): AnswerPart[] {
  return delta === '' ? [] : [{ type: 'text', delta }];
}

function toReason({ stop_reason: reason }: JsonObject): AnswerEnd['reason'] {
  return reason === 'length' || reason === 'content_filter' ? reason : 'stop';
}

function toFault({ error }: JsonObject): RuntimeError {
  const { code, message } = isJsonObject(error) ? error : {};
  const isKnown = typeof code === 'string' && Object.hasOwn(ERROR_CATALOGUE, code);
  return new RuntimeError(isKnown ? (code as ErrorCode) : 'internal', toWords(message));
}

function alreadyAnswered(): RuntimeError {
  return new RuntimeError('conflict', 'another request has answered these tool calls');
}

function addUsage(sum: AnswerUsage, { usage, cost_usd: cost }: JsonObject): AnswerUsage {
  const spent = isJsonObject(usage) ? usage : {};
  return {
    inputTokens: sum.inputTokens + count(spent['input_tokens']),
    cachedInputTokens: sum.cachedInputTokens + count(spent['cached_input_tokens']),
    outputTokens: sum.outputTokens + count(spent['output_tokens']),
    costUsd: typeof cost === 'number' && sum.costUsd !== null ? sum.costUsd + cost : null,
  };
}

function toWords(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function count(value: JsonValue | undefined): number {
  return typeof value === 'number' && value > 0 ? value : 0;
}
