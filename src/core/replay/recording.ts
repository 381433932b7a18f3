import { RuntimeError } from '../errors.ts';
import { type Event, isTerminalEvent } from '../events/event.ts';
import type { JsonValue } from '../json.ts';
import { isForeign } from '../loop/run-state.ts';
import type { Run } from '../runs/run.ts';

/** The log of a run that has ended, taken apart for whoever plays it again. */
export interface Recording {
  readonly run: Run;
  /** All but the pieces of streamed text. */
  readonly events: readonly Event[];
  /** What was streamed in answer to the request at this `seq`. */
  readonly streamed: ReadonlyMap<number, string>;
  readonly stretches: readonly Stretch[];
  /** The index of the wish to cancel that ended the run while nobody had it in hand. */
  readonly cancelledAtRest: number | undefined;
  /** Whether it was recorded before events told all that a replay compares. */
  readonly isOld: boolean;
}

/** What was done of a run between two takeovers. Numbers are indexes of `events`. */
export interface Stretch {
  /** The event it begins with. */
  readonly from: number;
  readonly isRecovered: boolean;
  /** Events that the loop made, in order; all others came from outside. */
  readonly made: readonly number[];
  /** Whether the run came to its own end in it. */
  readonly reachesEnd: boolean;
  readonly stop: Stop | undefined;
}

/** That the loop was stopped, and after which of its events; undefined: before it made any. */
export interface Stop {
  readonly after: number | undefined;
  readonly reason: RuntimeError;
}

export function createRecording(run: Run, log: readonly Event[]): Recording {
  const events = log.filter(({ type }) => type !== 'model.delta');
  const cancelledAtRest = findCancelAtRest(events);
  const last = events.at(-1);
  // Whoever put a damaged run back has closed it.
  const isClosed = last?.type === 'run.failed' && last.actor === 'operator';
  const end = cancelledAtRest ?? (isClosed ? events.length - 1 : events.length);
  const isOwnEnd = end === events.length && last !== undefined && isTerminalEvent(last);
  return {
    run,
    events,
    streamed: gatherStreamed(log),
    stretches: toStretches(events, end, isOwnEnd),
    cancelledAtRest,
    isOld: !events.some(
      ({ type, payload }) =>
        (type === 'model.requested' && payload['messages_sha256'] !== undefined) ||
        (type === 'tool.call' && payload['effect'] !== undefined),
    ),
  };
}

function toStretches(events: readonly Event[], end: number, isOwnEnd: boolean): Stretch[] {
  const starts = [0];
  for (let index = 1; index < end; index += 1) {
    if (events[index]?.type === 'run.recovered') starts.push(index);
  }
  return starts.map((from, at) => {
    const to = starts[at + 1] ?? end;
    const made: number[] = [];
    for (let index = from; index < to; index += 1) {
      const event = events[index];
      if (event && isMadeByLoop(event)) made.push(index);
    }
    const reachesEnd = isOwnEnd && to === end;
    const stop = reachesEnd ? findStop(events, made) : { after: made.at(-1), reason: takenOver() };
    return { from, isRecovered: at > 0, made, reachesEnd, stop };
  });
}

function isMadeByLoop({ type, payload }: Event): boolean {
  if (isForeign(payload)) return false;
  switch (type) {
    case 'run.created':
    case 'run.started':
    case 'run.recovered':
    case 'run.cancel_requested':
    case 'frame.accepted':
    case 'model.delta':
    case 'agent.noted':
      return false;
    case 'policy.decision':
      // A person's answer.
      return payload['approval_id'] === undefined || payload['decision'] === 'ask';
    default:
      return true;
  }
}

/** Nobody had the run in hand: then the end tells why it was wanted. */
function findCancelAtRest(events: readonly Event[]): number | undefined {
  const last = events.at(-1);
  if (last?.type !== 'run.cancelled' || last.payload['reason'] === undefined) return undefined;
  const index = events.findLastIndex(({ type }) => type === 'run.cancel_requested');
  return index === -1 ? undefined : index;
}

/** A cancelled run, and one out of time, were stopped from outside, after the last thing that came of their work. */
function findStop(events: readonly Event[], made: readonly number[]): Stop | undefined {
  const end = events.at(-1);
  const reason = end && stopReasonOf(events, end);
  if (!reason) return undefined;
  return { after: made.slice(0, -1).findLast((index) => !isLeftUnanswered(events[index])), reason };
}

function stopReasonOf(events: readonly Event[], end: Event): RuntimeError | undefined {
  if (end.type === 'run.cancelled') {
    const wish = events.findLast(({ type }) => type === 'run.cancel_requested');
    return new RuntimeError('cancelled', textOf(wish?.payload['reason']) || 'cancel requested');
  }
  if (end.payload['stop_reason'] !== 'timeout') return undefined;
  return new RuntimeError('timeout', errorOf(end).message);
}

/** A call that the client was to answer and did not before the end. */
function isLeftUnanswered(event: Event | undefined): boolean {
  if (event?.type !== 'tool.result' || event.actor !== 'user') return false;
  return event.payload['frame_seq'] === undefined;
}

/** Whoever had the run lost it here. */
function takenOver(): RuntimeError {
  return new RuntimeError('lost_lease', 'the record goes on with another runner');
}

function gatherStreamed(log: readonly Event[]): ReadonlyMap<number, string> {
  const streamed = new Map<number, string>();
  let request = 0;
  for (const { type, seq, payload } of log) {
    if (type === 'model.requested') request = seq;
    if (type !== 'model.delta') continue;
    streamed.set(request, (streamed.get(request) ?? '') + textOf(payload['text']));
  }
  return streamed;
}

export interface RecordedError {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
}

export function errorOf({ payload }: Event): RecordedError {
  const error = (payload['error'] ?? {}) as Partial<RecordedError>;
  const { code = '', message = '', retryable = false } = error;
  return { code, message, retryable };
}

export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

export function numberOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
