import { REDACTED } from './redact.ts';

/** Shorter values would strike words that are no secrets. */
export const MIN_SECRET_CHARS = 6;

export interface Interval {
  readonly start: number;
  readonly end: number;
}

export interface KnownSecrets {
  /** All spellings of all values, longest first. The same array until a value is added, changed or dropped. */
  current(): readonly string[];
}

/** Watches a source of exact values; comparing them is cheap enough to ask before every use. */
export function createKnownSecrets(secrets: () => Iterable<string>): KnownSecrets {
  let values: readonly string[] = [];
  let spellings: readonly string[] = [];
  return {
    current() {
      const next = [...secrets()];
      if (next.length !== values.length || next.some((value, index) => value !== values[index])) {
        values = next;
        spellings = toSpellings(next);
      }
      return spellings;
    },
  };
}

/** A value as it is, as it stands inside JSON text, and as it stands inside a URL. */
function toSpellings(values: readonly string[]): string[] {
  const all = new Set<string>();
  for (const value of values) {
    if (value.length < MIN_SECRET_CHARS || REDACTED.includes(value)) continue;
    all.add(value);
    all.add(JSON.stringify(value).slice(1, -1));
    all.add(encodeForUrl(value));
  }
  return [...all].sort((a, b) => b.length - a.length);
}

/** Half a surrogate pair can not be encoded; nobody can have put such a value into a URL. */
function encodeForUrl(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Where the values stand. Overlapping occurrences are one interval, so that no half of either stays. */
export function findKnown(text: string, spellings: readonly string[]): readonly Interval[] {
  let found: Interval[] | undefined;
  for (const spelling of spellings) {
    let start = text.indexOf(spelling);
    while (start !== -1) {
      const end = start + spelling.length;
      found ??= [];
      found.push({ start, end });
      start = text.indexOf(spelling, end);
    }
  }
  return found === undefined ? NONE : mergeOverlaps(found);
}

export function replaceKnown(text: string, spellings: readonly string[]): string {
  const intervals = findKnown(text, spellings);
  if (intervals.length === 0) return text;
  return replaceIntervals(text, intervals, text.length);
}

export function replaceIntervals(
  text: string,
  intervals: readonly Interval[],
  end: number,
): string {
  let result = '';
  let cursor = 0;
  for (const interval of intervals) {
    if (interval.start >= end) break;
    result += text.slice(cursor, interval.start) + REDACTED;
    cursor = interval.end;
  }
  return result + text.slice(cursor, end);
}

const NONE: readonly Interval[] = [];

function mergeOverlaps(found: Interval[]): Interval[] {
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const merged: Interval[] = [];
  for (const interval of found) {
    const last = merged.at(-1);
    if (last !== undefined && interval.start < last.end) {
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, interval.end) };
    } else {
      merged.push(interval);
    }
  }
  return merged;
}
