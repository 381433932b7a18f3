import type { RunId } from '../ids.ts';

/** One answer of a run: a run that waited for its caller's tools has given several. */
export interface AnswerRef {
  readonly runId: RunId;
  /** Of the event that asked for it: the run's first, or the frame that it went on with. */
  readonly startSeq: number;
}

/** A call of a tool that the caller carries out, by the event that announced it. */
export interface CallRef {
  readonly runId: RunId;
  readonly seq: number;
}

const FIRST_SEQ = 1;
const RUN_PREFIX = 'run_';
const REF_PATTERN = /^([0-9a-z]{26})(?:_([1-9]\d{0,8}))?$/;
const CALL_PREFIX = 'call_';

/** What ids of answers are made of. Whoever has one has the place in the log, and nothing need be stored for it. */
export function formatAnswerRef({ runId, startSeq }: AnswerRef): string {
  const name = runId.slice(RUN_PREFIX.length);
  return startSeq === FIRST_SEQ ? name : `${name}_${startSeq}`;
}

/** Undefined for what is no id of ours. */
export function parseAnswerRef(text: string): AnswerRef | undefined {
  const [, name, seq] = REF_PATTERN.exec(text) ?? [];
  if (name === undefined) return undefined;
  return { runId: `${RUN_PREFIX}${name}` as RunId, startSeq: Number(seq ?? FIRST_SEQ) };
}

export function formatCallId({ runId, seq }: CallRef): string {
  return `${CALL_PREFIX}${runId.slice(RUN_PREFIX.length)}_${seq}`;
}

export function parseCallId(id: string): CallRef | undefined {
  const ref = id.startsWith(CALL_PREFIX) ? parseAnswerRef(id.slice(CALL_PREFIX.length)) : undefined;
  return ref && { runId: ref.runId, seq: ref.startSeq };
}
