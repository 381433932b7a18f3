import { type Clock, systemClock } from '../../core/clock.ts';
import { defined } from '../../core/defined.ts';
import { RuntimeError } from '../../core/errors.ts';
import type { FinishReason, Model, ModelPart, ModelRequest } from '../../core/loop/model.ts';
import { parseScript, type ScriptInput, type ScriptStep } from './script.ts';
import { createTemplate } from './script-template.ts';

export interface ScriptedModel extends Model {
  /** What it was asked, in order, retries included. */
  readonly requests: readonly ModelRequest[];
}

export interface ScriptedModelOptions {
  readonly name?: string;
  readonly clock?: Clock;
  /** Awaited before the given step begins: tests hold a run exactly there. */
  readonly gates?: Readonly<Record<number, Promise<void>>>;
}

const NO_USAGE = { inputTokens: 0, outputTokens: 0 };

/**
 * A model that plays a script, for tests. The step is the number of answers the request already holds, not a counter:
 * a run that is resumed in another process goes on where it was.
 */
export function createScriptedModel(
  input: ScriptInput,
  options: ScriptedModelOptions = {},
): ScriptedModel {
  const { name = 'test', clock = systemClock, gates = {} } = options;
  const script = parseScript(input, `script ${name}`);
  const requests: ModelRequest[] = [];
  const failures = new Map<number, number>();

  function throwIfFailing(step: ScriptStep, index: number): void {
    const { error } = step;
    const failed = failures.get(index) ?? 0;
    if (!error || failed >= (error.times ?? Number.POSITIVE_INFINITY)) return;
    failures.set(index, failed + 1);
    throw toScriptedError(error);
  }

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelPart> {
    requests.push(request);
    const index = request.messages.filter((message) => message.role === 'assistant').length;
    const step = script.steps[index];
    if (!step) throw endOfScript(name, script.steps.length, index);
    await untilAborted(gates[index] ?? Promise.resolve(), signal);
    await pause(clock, step.delayMs, signal);
    throwIfFailing(step, index);
    const fill = createTemplate(request);
    for (const delta of [step.text ?? []].flat()) {
      await pause(clock, step.deltaDelayMs, signal);
      yield { type: 'text', delta: fill(delta) };
    }
    if (step.hang) await untilAborted(new Promise<void>(() => {}), signal);
    const calls = step.toolCalls ?? [];
    for (const [number, { tool, input, callId, malformed }] of calls.entries()) {
      const call = {
        callId: callId ?? `call_${index + 1}_${number + 1}`,
        tool,
        input: fill(input),
        ...defined({ malformed }),
      };
      yield { type: 'tool_call', call };
    }
    if (step.cut) return;
    const reason: FinishReason = step.finish ?? (calls.length > 0 ? 'tool_calls' : 'stop');
    yield { type: 'finish', reason, usage: step.usage ?? NO_USAGE };
  }

  return { provider: 'scripted', name, toolCalls: script.toolCalls, requests, stream };
}

async function pause(clock: Clock, ms: number | undefined, signal: AbortSignal): Promise<void> {
  if (ms !== undefined) await clock.sleep(ms, signal);
  if (signal.aborted) throw aborted();
}

function untilAborted(awaited: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(aborted());
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    awaited.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function aborted(): RuntimeError {
  return new RuntimeError('cancelled', 'the model call was aborted');
}

/** Failures as a real provider's would arrive: the same statuses are worth another attempt. */
function toScriptedError(error: NonNullable<ScriptStep['error']>): RuntimeError {
  const { status, message = 'scripted failure', retryAfterMs } = error;
  if (status === 401 || status === 403) return new RuntimeError('provider_misconfigured', message);
  return new RuntimeError('provider_failed', message, {
    retryable: status === undefined || status >= 500 || [408, 409, 429].includes(status),
    details: {
      ...defined({ status, retryAfterMs }),
    },
  });
}

function endOfScript(name: string, steps: number, index: number): RuntimeError {
  return new RuntimeError(
    'provider_failed',
    `script ${name} has ${steps} steps and was asked for step ${index + 1}`,
    { retryable: false },
  );
}
