import type { Segment, SegmentKind, ToolSpan } from './span.ts';

/** Stretches of one bar follow each other: the open one is the last. */
export function openSegment(
  segments: readonly Segment[],
  kind: SegmentKind,
  fromMs: number,
): readonly Segment[] {
  return [...closeSegment(segments, fromMs), { kind, fromMs, toMs: undefined }];
}

export function closeSegment(
  segments: readonly Segment[],
  toMs: number,
  kind?: SegmentKind,
): readonly Segment[] {
  const last = segments.at(-1);
  if (last === undefined || last.toMs !== undefined) return segments;
  return [...segments.slice(0, -1), { ...last, toMs, kind: kind ?? last.kind }];
}

/** A closed stretch between what was and what comes; one without length is left out. */
export function addSegment(
  segments: readonly Segment[],
  segment: Segment & { readonly toMs: number },
): readonly Segment[] {
  return segment.toMs > segment.fromMs ? [...segments, segment] : segments;
}

/** What is under way goes on behind a time in which nobody executed the run. */
export function withGap(
  span: ToolSpan,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): ToolSpan {
  const kind = span.segments.at(-1)?.kind ?? 'work';
  const closed = closeSegment(span.segments, fromMs);
  const gap = addSegment(closed, { kind: 'gap', fromMs, toMs });
  return { ...span, segments: openSegment(gap, kind, toMs) };
}
