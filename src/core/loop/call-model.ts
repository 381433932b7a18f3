import { backoffMs } from '../backoff.ts';
import type { Clock } from '../clock.ts';
import { RuntimeError, toRuntimeError } from '../errors.ts';
import { faultPoint } from '../fault-point.ts';
import { spentBy } from './answers/spent-tokens.ts';
import type { FinishReason, Model, ModelRequest, RemoteStep, ToolRequest, Usage } from './model.ts';
import type { StepGuard } from './step-guard.ts';

export interface ModelAnswer {
  readonly text: string;
  readonly calls: readonly ToolRequest[];
  readonly reason: FinishReason;
  readonly usage: Usage;
}

interface ModelRetry {
  readonly maxRetries: number;
  readonly initialDelayMs: number;
  readonly maxDelayMs: number;
}

export interface CallModelDeps {
  readonly clock: Clock;
  readonly retry: ModelRetry;
  /** A number in [0, 1), for jitter. */
  readonly random: () => number;
}

export interface CallModel {
  readonly model: Model;
  readonly signal: AbortSignal;
  readonly guard: StepGuard | undefined;
  /** Before each attempt: what to ask. What an earlier attempt streamed is void from then on. */
  readonly onAttempt: (attempt: number) => Promise<ModelRequest>;
  readonly onText: (delta: string) => Promise<void>;
  readonly onStep: (step: RemoteStep) => Promise<void>;
  /** After each attempt that brought no answer, also one that is not tried again or was cancelled. */
  readonly onFailed: (failed: FailedAttempt) => void;
}

export interface FailedAttempt {
  readonly attempt: number;
  readonly error: RuntimeError;
  readonly usage: Usage;
}

/** An answer longer than this ends the stream: no model needs it, and memory is finite. */
const MAX_ANSWER_CHARS = 2_000_000;
const MAX_CALLS = 64;
/** Of an agent that lives elsewhere: what it does beyond this is not put on record. */
const MAX_REMOTE_STEPS = 1_000;

/** A wait that a provider may ask for. Beyond it the run fails now instead of sleeping through its time limit. */
const MAX_RETRY_AFTER_MS = 120_000;

/** Asks the model until it answers whole: 429, 5xx and cut streams are retried with full jitter, 4xx never. */
export async function callModel(deps: CallModelDeps, call: CallModel): Promise<ModelAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    const request = await call.onAttempt(attempt);
    faultPoint('model.before_call');
    try {
      const answer = await askGuarded(call, request);
      faultPoint('model.after_call');
      return answer;
    } catch (thrown) {
      const error = toModelError(thrown);
      call.onFailed({ attempt, error, usage: spentBy(error) });
      throwIfAborted(call.signal);
      if (!error.retryable || attempt > deps.retry.maxRetries) throw error;
      await deps.clock.sleep(retryDelayMs(deps, error, attempt), call.signal);
      throwIfAborted(call.signal);
    }
  }
}

/** Around the stream and not within it: a generator more would cost each token three promises. */
async function askGuarded(call: CallModel, request: ModelRequest): Promise<ModelAnswer> {
  const release = await call.guard?.askModel();
  try {
    return await readAnswer(call, request);
  } finally {
    release?.();
  }
}

async function readAnswer(call: CallModel, request: ModelRequest): Promise<ModelAnswer> {
  let text = '';
  const calls: ToolRequest[] = [];
  let steps = 0;
  for await (const part of call.model.stream(request, call.signal)) {
    throwIfAborted(call.signal);
    switch (part.type) {
      case 'text':
        text += part.delta;
        assertBounded(text);
        await call.onText(part.delta);
        faultPoint('model.mid_stream');
        break;
      case 'reasoning':
        break;
      case 'tool_call':
        if (calls.length < MAX_CALLS) calls.push(part.call);
        break;
      case 'note':
      case 'remote_call':
      case 'remote_result':
        steps += 1;
        if (steps <= MAX_REMOTE_STEPS) await call.onStep(part);
        break;
      case 'finish':
        assertBounded(part.text ?? '');
        return { text: part.text ?? text, calls, reason: part.reason, usage: part.usage };
    }
  }
  throwIfAborted(call.signal);
  // Calls collected so far are dropped with the answer: half an answer must not act.
  throw new RuntimeError('provider_failed', 'the model stream ended early', { retryable: true });
}

function toModelError(thrown: unknown): RuntimeError {
  const error = toRuntimeError(thrown);
  if (error.code !== 'internal') return error;
  return new RuntimeError('provider_failed', 'the model provider failed', {
    cause: thrown,
    retryable: true,
  });
}

function retryDelayMs(deps: CallModelDeps, error: RuntimeError, attempt: number): number {
  const asked = error.details?.['retryAfterMs'];
  if (typeof asked === 'number' && asked >= 0) {
    if (asked > MAX_RETRY_AFTER_MS) throw error;
    return asked;
  }
  const { initialDelayMs, maxDelayMs } = deps.retry;
  const backoff = { firstMs: initialDelayMs, maxMs: maxDelayMs, jitter: 1 };
  return backoffMs(backoff, attempt, deps.random);
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw toRuntimeError(signal.reason);
}

function assertBounded(text: string): void {
  if (text.length <= MAX_ANSWER_CHARS) return;
  throw new RuntimeError('limit_reached', `answer is longer than ${MAX_ANSWER_CHARS} characters`);
}
