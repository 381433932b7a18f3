import type { Span } from '../timeline/span.ts';

export interface WaterfallRow {
  readonly span: Span;
  readonly depth: 0 | 1;
  /** Undefined: nothing to fold. */
  readonly isFolded: boolean | undefined;
}

/** Turns with their calls below them, or folded away. */
export function toRows(
  spans: readonly Span[],
  folded: ReadonlySet<string>,
): readonly WaterfallRow[] {
  const parents = new Set(
    spans.flatMap((span) => (span.kind === 'tool' ? (span.parentId ?? []) : [])),
  );
  return spans.flatMap((span): WaterfallRow[] => {
    if (span.kind === 'model') {
      const isFolded = parents.has(span.id) ? folded.has(span.id) : undefined;
      return [{ span, depth: 0, isFolded }];
    }
    if (span.parentId === undefined) return [{ span, depth: 0, isFolded: undefined }];
    return folded.has(span.parentId) ? [] : [{ span, depth: 1, isFolded: undefined }];
  });
}

/** What is looked at when nobody chose: what went wrong, else what is newest. */
export function findSelected(spans: readonly Span[], id: string | undefined): Span | undefined {
  return (
    spans.find((span) => span.id === id) ??
    spans.find(({ state }) => state === 'waiting') ??
    spans.find(({ state }) => state === 'failed') ??
    spans.at(-1)
  );
}
