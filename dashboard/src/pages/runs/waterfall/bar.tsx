import { classNames } from '../../../kit/class-names.ts';
import { formatDuration, formatMoney, formatShort } from '../../../kit/format.ts';
import {
  costOf,
  durationOf,
  isOpen,
  type SegmentKind,
  type Span,
  waitedMs,
} from '../timeline/span.ts';
import type { TimeScale } from '../timeline/time-scale.ts';
import { HATCHED } from './track.tsx';

interface BarProps {
  /** How wide the track is. */
  readonly trackPx: number;
  readonly span: Span;
  readonly scale: TimeScale;
  readonly nowMs: number;
}

/** Of the words on a bar, on average: nearly right is right enough, and nothing has to be drawn to know it. */
const CHAR_PX = 6.3;
const PADDING_PX = 14;

/** One turn or call: its stretches, and beside them how long, how much and what it cost. */
export function Bar({ span, scale, nowMs, trackPx }: BarProps) {
  const { toPart } = scale;
  const from = toPart(span.startMs);
  const to = toPart(span.endMs ?? nowMs);
  const { words, place } = fitWords(describeBar(span, nowMs), { from, to, trackPx });
  return (
    <>
      {span.segments.map(({ kind, fromMs, toMs }, at) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: stretches follow each other and do not move
          key={at}
          className={classNames(
            'absolute top-1/2 h-5 min-w-[3px] -translate-y-1/2 border',
            at === 0 && 'rounded-l-sm',
            at === span.segments.length - 1 && !isOpen(span) && 'rounded-r-sm',
            classOf(span, kind),
          )}
          style={{
            left: `${toPart(fromMs) * 100}%`,
            width: `${(toPart(toMs ?? nowMs) - toPart(fromMs)) * 100}%`,
          }}
        />
      ))}
      <span
        className="absolute top-1/2 -translate-y-1/2 px-1.5 text-xs whitespace-nowrap tabular-nums"
        style={place}
      >
        {words}
      </span>
    </>
  );
}

interface Room {
  readonly from: number;
  readonly to: number;
  readonly trackPx: number;
}

/** Behind the bar, before it, or on it; as much as there is room for, how long it took first. */
function fitWords(parts: readonly string[], { from, to, trackPx }: Room) {
  for (let count = parts.length; count > 0; count -= 1) {
    const words = parts.slice(0, count).join(' · ');
    const part = (words.length * CHAR_PX + PADDING_PX) / trackPx;
    if (1 - to >= part) return { words, place: { left: `${to * 100}%` } };
    if (from >= part) return { words, place: { right: `${(1 - from) * 100}%` } };
    if (to - from >= part) return { words, place: { left: `${from * 100}%` } };
  }
  return { words: parts[0] ?? '', place: { right: 0 } };
}

const STRETCHES: Readonly<Record<Exclude<SegmentKind, 'work'>, string>> = {
  words: 'border-accent bg-[color-mix(in_srgb,var(--accent)_35%,var(--surface))]',
  wait: `border-wait bg-wait-soft text-wait ${HATCHED}`,
  failed: 'border-bad bg-bad-soft',
  gap: `border-dashed border-off bg-off-soft text-off ${HATCHED}`,
};

function classOf({ kind, state }: Span, segment: SegmentKind): string {
  if (segment !== 'work') return STRETCHES[segment];
  if (state === 'failed') return STRETCHES.failed;
  if (state === 'interrupted') return 'border-off border-dashed bg-off-soft';
  return kind === 'model' ? 'border-accent bg-accent-soft' : 'border-busy bg-busy-soft';
}

/** `1.2 s`, `1,280 tokens`, `$0.002`. */
function describeBar(span: Span, nowMs: number): readonly string[] {
  const durationMs = durationOf(span, nowMs);
  const waited = waitedMs(span, nowMs);
  if (span.state === 'waiting') return [`waits ${formatDuration(waited)}`];
  const parts = durationMs === undefined ? [] : [formatDuration(durationMs)];
  if (waited >= 1_000 && span.kind === 'tool') parts.push(`waited ${formatDuration(waited)}`);
  if (span.kind === 'model') {
    const { usage } = span;
    if (usage !== undefined && usage.inputTokens !== null && usage.outputTokens !== null) {
      parts.push(`${formatShort(usage.inputTokens + usage.outputTokens)} tokens`);
    }
    const cost = costOf(span);
    if (typeof cost === 'number') parts.push(formatMoney(cost));
  }
  if (span.kind === 'tool' && span.isFromCache) parts.push('from before');
  if (span.state === 'asked') parts.push('not begun');
  if (span.state === 'skipped') parts.push('never begun');
  return parts;
}
