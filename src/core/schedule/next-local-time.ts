import { offsetMsAt, readFields } from './time-zone.ts';

const DAY_MS = 24 * 60 * 60_000;
/** A week from today, and one day more for a clock that jumps over midnight. */
const DAYS_AHEAD = 9;

export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
}

/** Sunday is 0. */
export type IsDay = (weekday: number) => boolean;

/** `09:00` or `9:05`, as hours and minutes; undefined for anything else. */
export function parseTimeOfDay(text: string): TimeOfDay | undefined {
  const [, hour, minute] = /^(\d{1,2}):(\d{2})$/.exec(text.trim()) ?? [];
  if (hour === undefined || minute === undefined || Number(hour) > 23 || Number(minute) > 59) {
    return undefined;
  }
  return { hour: Number(hour), minute: Number(minute) };
}

/**
 * The next moment after `nowMs` when clocks of a zone show a time. Of a time that comes twice, when clocks go back, it is
 * the first; a time that is left out, when they go forward, is as long after midnight as it would have been.
 */
export function nextLocalTime(
  { isDay = () => true, ...time }: TimeOfDay & { readonly isDay?: IsDay },
  timeZone: string,
  nowMs: number,
): number {
  const { year, month, day } = readFields(nowMs, timeZone);
  for (let ahead = 0; ahead < DAYS_AHEAD; ahead += 1) {
    const wallMs = Date.UTC(year, month - 1, day + ahead, time.hour, time.minute);
    const atMs = toMoment(wallMs, timeZone);
    if (atMs > nowMs && isDay(new Date(wallMs).getUTCDay())) return atMs;
  }
  return nowMs + DAY_MS;
}

/** The moment when clocks of a zone show a time on a day of the calendar. */
export function localTimeOn(
  { year, month, day }: { readonly year: number; readonly month: number; readonly day: number },
  { hour, minute }: TimeOfDay,
  timeZone: string,
): number {
  return toMoment(Date.UTC(year, month - 1, day, hour, minute), timeZone);
}

/** Offsets half a day around a change are those before and after it. */
function toMoment(wallMs: number, timeZone: string): number {
  const before = wallMs - offsetMsAt(wallMs - DAY_MS / 2, timeZone);
  const after = wallMs - offsetMsAt(wallMs + DAY_MS / 2, timeZone);
  const shown = [Math.min(before, after), Math.max(before, after)].find(
    (ms) => ms + offsetMsAt(ms, timeZone) === wallMs,
  );
  return shown ?? before;
}
