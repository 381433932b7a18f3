import { RuntimeError } from '../errors.ts';
import type { Event } from '../events/event.ts';
import type { MemoryId } from '../ids.ts';
import { isJsonObject, type JsonValue } from '../json.ts';
import { isStopped } from '../loop/answers/stopped-answer.ts';
import type {
  FinishReason,
  Model,
  ModelPart,
  ModelRequest,
  ToolDescription,
} from '../loop/model.ts';
import type { ModelTurnDeps } from '../loop/model-turn.ts';
import { decodeCalls } from '../loop/record/encode-call.ts';
import { decodeToolNames } from '../loop/record/tool-names.ts';
import type { RunLoopDeps } from '../loop/run-loop.ts';
import type { RecordedClock } from './recorded-clock.ts';
import { errorOf, numberOf, textOf } from './recording.ts';
import { type Tape, throwIfFaulted } from './tape.ts';

type ModelPorts = Pick<RunLoopDeps, 'models'> &
  Pick<ModelTurnDeps, 'brief' | 'prices' | 'spending' | 'recall'>;

/** A question as it was asked, and the event that says so. */
export interface AskedModel {
  readonly event: Event;
  readonly request: ModelRequest;
}

/** All that a turn asks of the world, answered from its events. */
export function createRecordedModel(
  tape: Tape,
  clock: RecordedClock,
  onAsked?: (asked: AskedModel) => void,
): ModelPorts {
  const request = () => tape.rest().find(({ type }) => type === 'model.requested');
  const paid: { costUsd: number | null } = { costUsd: null };

  const model: Model = {
    get provider() {
      return textOf(findTurn(tape)?.payload['provider']);
    },
    get name() {
      return textOf(findTurn(tape)?.payload['model']);
    },
    get toolCalls() {
      const style = findTurn(tape)?.payload['calls_as'];
      return style === 'text' || style === 'none' ? style : 'native';
    },
    async *stream(request) {
      const event = findTurn(tape);
      if (event && !tape.divergence) onAsked?.({ event, request });
      const outcome = tape.next();
      if (outcome?.type === 'model.completed') {
        clock.pass(numberOf(outcome.payload['duration_ms']) ?? 0);
        paid.costUsd = numberOf(outcome.payload['cost_usd']) ?? null;
        yield* toParts(tape, outcome);
        return;
      }
      if (outcome?.type !== 'model.failed') {
        throw new RuntimeError('lost_lease', 'no answer to this request is on record');
      }
      paid.costUsd = numberOf(outcome.payload['cost_usd']) ?? null;
      tape.stopIfDue();
      throw toFailure(tape, outcome);
    },
  };

  return {
    models: {
      async get() {
        throwIfFaulted(tape);
        return model;
      },
      describe: async () => model,
    },

    async brief() {
      throwIfFaulted(tape);
      const asked = request();
      const length = numberOf(asked?.payload['tools']) ?? 0;
      const names = decodeToolNames(findTold(tape, asked, 'tool_names'));
      const tools = Array.from({ length }, (_, index) => toStandIn(names[index] ?? ''));
      return { system: findTold(tape, asked, 'system'), tools };
    },

    prices: { costUsd: () => paid.costUsd, perMillion: () => undefined },

    spending: {
      async reserve({ tokensOut }) {
        throwIfFaulted(tape);
        return numberOf(request()?.payload['max_output_tokens']) ?? tokensOut;
      },
      settle: () => {},
    },

    async recall() {
      const recalled = request()?.payload['recalled'];
      if (!isJsonObject(recalled)) return undefined;
      const { text, memory_ids: ids, trusted } = recalled;
      const memoryIds = Array.isArray(ids) ? (ids as MemoryId[]) : [];
      return { text: textOf(text), memoryIds, isTrusted: trusted === true };
    },
  };
}

/** The question that is about to be asked, or was and has no answer yet. */
function findTurn(tape: Tape): Event | undefined {
  const next = tape.next();
  if (next?.type === 'model.requested') return next;
  return findRequest(tape, next?.seq);
}

function findRequest({ recording: { events } }: Tape, before = Number.POSITIVE_INFINITY) {
  return events.findLast(({ type, seq }) => type === 'model.requested' && seq < before);
}

/** Only how many there were is on record. */
function toStandIn(name: string): ToolDescription {
  return { name, description: '', inputSchema: {} };
}

/** On record when it changed. */
function findTold(
  { recording: { events } }: Tape,
  asked: Event | undefined,
  member: 'system' | 'tool_names',
): string {
  const until = asked?.seq ?? Number.POSITIVE_INFINITY;
  const told = events.findLast(
    ({ seq, type, payload }) =>
      seq <= until && type === 'model.requested' && typeof payload[member] === 'string',
  );
  return textOf(told?.payload[member]);
}

function* toParts(tape: Tape, { seq, payload }: Event): Generator<ModelPart> {
  const reason = textOf(payload['finish_reason']) as FinishReason;
  const { streamed } = tape.recording;
  const request = findRequest(tape, seq);
  const isText = request?.payload['calls_as'] === 'text';
  const text = isText ? (streamed.get(request.seq) ?? '') : textOf(payload['text']);
  // Callers who gave a prompt were told why by other means.
  const hasNotice = isStopped(reason) && tape.recording.events[0]?.payload['prompt'] === undefined;
  yield { type: 'text', delta: hasNotice ? text.replace(STOP_NOTICE, '') : text };
  if (!isText) {
    for (const call of decodeCalls(payload['tool_calls'])) yield { type: 'tool_call', call };
  }
  yield { type: 'finish', reason, usage: decodeUsage(payload['usage']) };
}

/** The runtime added it to what the model had said. */
const STOP_NOTICE = /(?:\n\n)?\[Stopped: [^\]]*\]$/;

function decodeUsage(usage: JsonValue | undefined) {
  const {
    input_tokens: input,
    output_tokens: output,
    cached_input_tokens: cached,
  } = (isJsonObject(usage) ? usage : {}) as Record<string, number | null | undefined>;
  return {
    inputTokens: input ?? null,
    outputTokens: output ?? null,
    ...(typeof cached === 'number' ? { cachedInputTokens: cached } : {}),
  };
}

function toFailure(tape: Tape, failed: Event): RuntimeError {
  const { code, message, retryable } = errorOf(failed);
  const again = tape.rest()[1];
  // What ended the run was another fault, met on the way to the next attempt.
  const isRefused = retryable && again?.type === 'run.failed' && errorOf(again).code !== code;
  const isTriedAgain =
    isRefused ||
    (again?.type === 'model.requested' && again.payload['turn'] === failed.payload['turn']);
  const usage = decodeUsage(failed.payload['usage']);
  return new RuntimeError(code as RuntimeError['code'], message, {
    retryable,
    // The provider may have asked for a longer wait than anybody has.
    details: { usage, ...(isTriedAgain ? {} : { retryAfterMs: Number.MAX_SAFE_INTEGER }) },
  });
}
