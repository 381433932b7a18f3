import { isTimeMs } from './transcript-time.ts';

const MAX_TRANSCRIPT_ID_CHARS = 128;

const PATTERN = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;
/** `x.jsonl` would be read as a path, `x.rot-1` as an older copy of `x`. */
const MISLEADING = /\.\.|\.$|\.jsonl?$|\.rot-\d+$/i;

const NEWEST_WORDS = ['latest', 'last', 'recent'];

/** The words that stand for whichever transcript was updated last. */
export function isNewestWord(reference: string): boolean {
  return NEWEST_WORDS.includes(reference);
}

/** Ids become file names: what could lead anywhere else is none. */
export function isTranscriptId(text: string): boolean {
  return (
    text.length <= MAX_TRANSCRIPT_ID_CHARS &&
    PATTERN.test(text) &&
    !MISLEADING.test(text) &&
    !isNewestWord(text)
  );
}

const MAX_FIRST_COUNTER = 10_000;

/**
 * `session-<ms>-<counter>`; its milliseconds never repeat, whatever the clock does. The counter begins anywhere, because
 * of eight programs that a script starts at once two begin in the same millisecond often enough.
 */
export function createTranscriptIds(): (nowMs: number) => string {
  let lastMs = 0;
  let counter = Math.floor(Math.random() * MAX_FIRST_COUNTER);
  return (nowMs) => {
    lastMs = Math.max(nowMs, lastMs + 1);
    const id = `session-${lastMs}-${counter}`;
    counter += 1;
    return id;
  };
}

/** Of the process and not of a store: two stores over one folder must not give the same id. */
export const nextTranscriptId = createTranscriptIds();

/** When the transcript began, as far as its id says so. */
export function findTimeInId(id: string): number | undefined {
  const digits = /^session-(\d{1,15})-\d+$/.exec(id)?.[1];
  const ms = Number(digits);
  return digits === undefined || !isTimeMs(ms) ? undefined : ms;
}
