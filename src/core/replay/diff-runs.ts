import type { Event, EventType } from '../events/event.ts';
import type { RunId } from '../ids.ts';
import { canonicalJson, isJsonObject, type JsonObject, type JsonValue } from '../json.ts';
import { cutText } from '../sessions/cut-text.ts';
import { type RecordingDeps, readWholeRun, type WholeRun } from './read-recording.ts';

/** One thing that happened in a run, without what differs each time: ids, times, who executed it. */
export interface RunStep {
  readonly seq: number;
  readonly type: EventType;
  readonly said: JsonObject;
  /** One line for people. */
  readonly line: string;
}

/** The same step of both runs; undefined where one has ended already. */
export interface StepPair {
  readonly left: RunStep | undefined;
  readonly right: RunStep | undefined;
  readonly isEqual: boolean;
}

export interface RunDiff {
  readonly steps: readonly StepPair[];
  /** Steps that are equal, before the first that is not. */
  readonly sameSteps: number;
  readonly divergence: StepPair | undefined;
  /** What both have by definition: one is a fork of the other, and up to here they are one run. */
  readonly sharedThroughSeq: number | undefined;
  readonly isTruncated: boolean;
}

const MAX_STEPS = 500;

/** Side by side, from the beginning on or, where one is a fork of the other, from where it went its own way. */
export async function diffRuns(deps: RecordingDeps, left: RunId, right: RunId): Promise<RunDiff> {
  const [a, b] = await Promise.all([readWholeRun(deps, left), readWholeRun(deps, right)]);
  const [leftSteps, rightSteps] = [toSteps(a, b), toSteps(b, a)];
  const steps: StepPair[] = [];
  let divergence: StepPair | undefined;
  let sameSteps = 0;
  const count = Math.max(leftSteps.length, rightSteps.length);
  for (let index = 0; index < count; index += 1) {
    const pair = toPair(leftSteps[index], rightSteps[index]);
    if (pair.isEqual && !divergence) sameSteps += 1;
    if (!pair.isEqual) divergence ??= pair;
    if (index < MAX_STEPS) steps.push(pair);
  }
  const sharedThroughSeq = findShared(a, b) ?? findShared(b, a);
  return { steps, sameSteps, divergence, sharedThroughSeq, isTruncated: count > MAX_STEPS };
}

function toPair(left: RunStep | undefined, right: RunStep | undefined): StepPair {
  const isEqual =
    left !== undefined &&
    right !== undefined &&
    left.type === right.type &&
    canonicalJson(left.said) === canonicalJson(right.said);
  return { left, right, isEqual };
}

/** How far the first goes before the second, its fork, begins. */
function findShared(first: WholeRun, { run: { forkedFrom } }: WholeRun): number | undefined {
  return forkedFrom?.runId === first.run.id ? forkedFrom.seq : undefined;
}

function toSteps(one: WholeRun, other: WholeRun): RunStep[] {
  const isFork = one.run.forkedFrom?.runId === other.run.id;
  const after = findShared(one, other) ?? (isFork ? 1 : 0);
  return one.log.flatMap((event) => (event.seq > after ? (toStep(event) ?? []) : []));
}

/** Members of each kind of event that say what happened; kinds that are left out say only how. */
const SAYING: Partial<Record<EventType, readonly string[]>> = {
  'run.created': ['message', 'model', 'client_tools'],
  'frame.accepted': ['type', 'payload'],
  'frame.ignored': ['reason'],
  'model.requested': ['provider', 'model', 'mode', 'messages', 'tools'],
  'model.completed': ['text', 'tool_calls', 'finish_reason'],
  'model.failed': ['error'],
  'tool.call': ['tool', 'input'],
  'tool.result': ['tool', 'ok', 'output', 'error'],
  'policy.decision': ['decision', 'tool', 'message'],
  'run.cancel_requested': ['reason'],
  'run.completed': ['status', 'stop_reason', 'output'],
  'run.failed': ['status', 'stop_reason', 'output', 'error'],
  'run.cancelled': ['status', 'stop_reason', 'output'],
};

function toStep({ seq, type, payload }: Event): RunStep | undefined {
  const members = SAYING[type];
  if (!members) return undefined;
  const said: Record<string, JsonValue> = {};
  for (const name of members) {
    const value = payload[name];
    if (value !== undefined && value !== null) said[name] = value;
  }
  return { seq, type, said, line: toLine(said) };
}

const MAX_LINE_CHARS = 160;

/** What a person looks for first: the words, or else the call. */
function toLine(said: JsonObject): string {
  const { error, text, output, tool, message } = said;
  const words = [
    tool,
    isJsonObject(error) ? error['message'] : undefined,
    text === '' ? said['tool_calls'] : text,
    said['input'],
    output,
    message,
    said['decision'],
    said['model'],
    said['payload'],
    said['reason'],
  ];
  const shown = words.filter((word) => word !== undefined).map(toText);
  return cutText(shown.join(' ').replaceAll(/\s+/g, ' '), MAX_LINE_CHARS);
}

function toText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}
