import { RuntimeError } from '../errors.ts';
import type { Event, EventType, SealedDraft } from '../events/event.ts';
import { canonicalJson, type JsonObject } from '../json.ts';
import { errorOf, type Recording, type Stretch } from './recording.ts';

/** Where a replay first went another way: one side is null when it had nothing more to say. */
export interface Divergence {
  /** Of the event on record; that of the last one when the record was over. */
  readonly seq: number;
  readonly recorded: ComparedEvent | null;
  readonly replayed: ComparedEvent | null;
}

export interface ComparedEvent {
  readonly type: EventType;
  readonly actor: string;
  readonly payload: JsonObject;
}

/** How far a replay has got in the events that the loop has to make again. */
export interface Tape {
  readonly recording: Recording;
  readonly stretch: Stretch;
  /** Events before this index are there for the loop to read. */
  readonly shown: number;
  readonly divergence: Divergence | undefined;
  /** How many events the loop has made as they are on record. */
  readonly matched: number;
  enter(stretch: Stretch): void;
  /** The loop begins, or goes on after a rest, under this control. */
  start(control: AbortController): void;
  /** The index of what it has to make next; undefined when the stretch is over. */
  nextIndex(): number | undefined;
  next(): Event | undefined;
  /** What it has still to make in this stretch. */
  rest(): readonly Event[];
  /** Holds what the loop has made against the record, and stops the loop where it was stopped then. */
  compare(made: SealedDraft): void;
  /** Stops the loop if it was stopped as the next event came to be. */
  stopIfDue(): void;
  /** The loop had nothing to do where the record goes on. */
  missNext(): void;
}

export function createTape(recording: Recording): Tape {
  const { events, stretches } = recording;
  let stretch = stretches[0] as Stretch;
  let done = 0;
  let shown = 0;
  let matched = 0;
  let control = new AbortController();
  let divergence: Divergence | undefined;

  const nextIndex = () => stretch.made[done];
  const next = () => events[nextIndex() ?? -1];

  function diverge(replayed: SealedDraft | undefined): void {
    const recorded = next();
    divergence ??= {
      seq: recorded?.seq ?? events.at(-1)?.seq ?? 0,
      recorded: recorded ? toCompared(recorded) : null,
      replayed: replayed ? decodeDraft(replayed) : null,
    };
    control.abort(new RuntimeError('lost_lease', 'the replay went another way'));
  }

  return {
    recording,
    get stretch() {
      return stretch;
    },
    get shown() {
      return shown;
    },
    get divergence() {
      return divergence;
    },
    get matched() {
      return matched;
    },

    enter(entered) {
      stretch = entered;
      done = 0;
      shown = findBeginning(recording, entered) + 1;
    },

    start(under) {
      control = under;
      shown = Math.max(shown, findAnswered(recording, stretch, done) + 1);
      const { stop } = stretch;
      const last = stretch.made[done - 1] ?? -1;
      if (stop && (stop.after === undefined || stop.after <= last)) control.abort(stop.reason);
    },

    nextIndex,
    next,
    rest: () => stretch.made.slice(done).flatMap((index) => events[index] ?? []),

    compare(made) {
      if (divergence) return;
      const index = nextIndex();
      const recorded = next();
      if (index === undefined || recorded === undefined) {
        // Whoever lost the run may have made more of it; nothing of that is on record.
        if (stretch.reachesEnd) diverge(made);
        return;
      }
      if (!isSame(recorded, made, recording.isOld)) return diverge(made);
      done += 1;
      matched += 1;
      if (stretch.stop?.after === index) control.abort(stretch.stop.reason);
    },

    stopIfDue() {
      const { stop } = stretch;
      if (stop && stop.after === nextIndex()) control.abort(stop.reason);
    },

    missNext: () => diverge(undefined),
  };
}

/** Members that events have got since the first release. A log that was written before is not held against them. */
const ADDED = ['messages_sha256', 'conditions', 'calls_as', 'max_output_tokens', 'effect'];

function isSame(recorded: Event, made: SealedDraft, isOld: boolean): boolean {
  if (recorded.type !== made.type || recorded.actor !== made.actor) return false;
  if (!isOld) return canonicalJson(recorded.payload) === made.payload;
  const payload = JSON.parse(made.payload) as Record<string, unknown>;
  for (const member of ADDED) {
    if (recorded.payload[member] === undefined) delete payload[member];
  }
  return canonicalJson(recorded.payload) === canonicalJson(payload);
}

/** The last event that was there when the stretch was begun. */
function findBeginning({ events }: Recording, { from, isRecovered }: Stretch): number {
  if (isRecovered) return from;
  return Math.max(
    0,
    events.findIndex(({ type }) => type === 'run.started'),
  );
}

/** The answer, or the wish to cancel, that a run at rest was called up for; what came with it was there too. */
function findAnswered({ events }: Recording, { made, from }: Stretch, done: number): number {
  const after = made[done - 1] ?? from;
  const before = made[done] ?? events.length;
  for (let index = before - 1; index > after; index -= 1) {
    const type = events[index]?.type;
    if (type === 'policy.decision' || type === 'run.cancel_requested') return index;
  }
  return after;
}

/**
 * What lay outside the loop and failed, when all that is left on record is the end by that fault: a model that is not
 * configured, a budget without room.
 */
export function throwIfFaulted(tape: Tape): void {
  const rest = tape.rest();
  const end = rest.at(-1);
  if (end?.type !== 'run.failed' || !tape.stretch.reachesEnd) return;
  const isGivenUp = rest.slice(0, -1).every(isGivenUpCall);
  const { code, message } = errorOf(end);
  const isFault = end.payload['stop_reason'] === 'failed' || code === 'budget_exceeded';
  if (isGivenUp && isFault) throw new RuntimeError(code as RuntimeError['code'], message);
}

function isGivenUpCall(event: Event): boolean {
  const { code } = errorOf(event);
  return event.type === 'tool.result' && (code === 'cancelled' || code === 'outcome_unknown');
}

function toCompared({ type, actor, payload }: Event): ComparedEvent {
  return { type, actor, payload };
}

function decodeDraft({ type, actor, payload }: SealedDraft): ComparedEvent {
  return { type, actor, payload: JSON.parse(payload) as JsonObject };
}
