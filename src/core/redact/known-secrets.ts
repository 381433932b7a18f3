import { type DecodedView, decodeView, openEscapeStart } from './decoded-view.ts';
import { type Interval, type KnownSecrets, REDACTED } from './redact.ts';
import { MAX_LAYERS, toSpellings } from './secret-spellings.ts';
import { createTextMatcher } from './text-matcher.ts';

/** Watches a source of exact values; comparing them is cheap enough to ask before every use. The same until one changes. */
export function watchSecrets(secrets: () => readonly string[]): () => KnownSecrets {
  let values: readonly string[] = [];
  let known = createKnownSecrets(values);

  function isSame(next: readonly string[]): boolean {
    if (next.length !== values.length) return false;
    for (let index = 0; index < next.length; index += 1) {
      if (next[index] !== values[index]) return false;
    }
    return true;
  }

  return () => {
    const next = secrets();
    if (!isSame(next)) {
      values = [...next];
      known = createKnownSecrets(values);
    }
    return known;
  };
}

export function createKnownSecrets(values: readonly string[]): KnownSecrets {
  const spellings = toSpellings(values);
  const matcher = createTextMatcher(spellings);

  function find(text: string): readonly Interval[] {
    if (spellings.length === 0) return NONE;
    const found: Interval[] = [];
    matcher.scan(text, (start, end) => found.push({ start, end }));
    const views: DecodedView[] = [];
    for (let view = decodeView(text); view !== undefined; view = nextLayer(view, views)) {
      views.push(view);
      matcher.scan(view.text, (start, end) =>
        found.push({
          start: views.reduceRight((at, layer) => layer.toStart(at), start),
          end: views.reduceRight((at, layer) => layer.toEnd(at), end),
        }),
      );
    }
    return found.length === 0 ? NONE : mergeOverlaps(found);
  }

  function unfinishedStart(text: string): number {
    let earliest = text.length;
    let layerText = text;
    const views: DecodedView[] = [];
    for (;;) {
      const open = openEscapeStart(layerText);
      const whole = layerText.slice(0, open);
      const start = Math.min(open, matcher.unfinishedStart(whole));
      if (start < layerText.length) {
        earliest = Math.min(
          earliest,
          views.reduceRight((at, layer) => layer.toStart(at), start),
        );
      }
      const view = views.length < MAX_LAYERS ? decodeView(whole) : undefined;
      if (view === undefined) return earliest;
      views.push(view);
      layerText = view.text;
    }
  }

  return { isEmpty: spellings.length === 0, find, unfinishedStart };
}

function nextLayer(view: DecodedView, views: readonly DecodedView[]): DecodedView | undefined {
  return views.length < MAX_LAYERS ? decodeView(view.text) : undefined;
}

export function replaceKnown(text: string, known: KnownSecrets): string {
  const intervals = known.find(text);
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
