import { ChevronDown, ChevronRight, Sparkles, Wrench } from 'lucide-react';
import { classNames } from '../../../kit/class-names.ts';
import { StateIcon } from '../../../kit/state-badge.tsx';
import type { Span } from '../timeline/span.ts';
import { Bar } from './bar.tsx';
import { SPAN_STATES } from './span-states.ts';
import { Track } from './track.tsx';
import { WATERFALL_COLUMNS, type WaterfallProps } from './waterfall-props.ts';
import type { WaterfallRow } from './waterfall-rows.ts';

interface WaterfallRowProps extends WaterfallProps {
  readonly row: WaterfallRow;
  readonly isSelected: boolean;
  readonly trackPx: number;
}

export function WaterfallRowView(props: WaterfallRowProps) {
  const { row, isSelected, timeline, scale, nowMs, onSelect, onFold } = props;
  const { span, depth, isFolded } = row;
  return (
    <div
      className={classNames(
        WATERFALL_COLUMNS,
        'relative items-center border-b border-line',
        isSelected ? 'bg-accent-soft' : 'hover:bg-sunken/60',
      )}
    >
      <div className={classNames('flex min-w-0 items-center', depth === 1 && 'pl-5')}>
        <Fold isFolded={isFolded} onFold={(next) => onFold(span.id, next)} />
        <button
          type="button"
          aria-pressed={isSelected}
          tabIndex={isSelected ? 0 : -1}
          onClick={() => onSelect(span.id)}
          className="flex h-9 min-w-0 flex-1 items-center gap-2 pr-2 text-left text-sm -outline-offset-2"
        >
          <SpanLabel span={span} />
          {/* The whole row can be pressed; its name is what is written on it. */}
          <span className="absolute inset-0 md:z-10" />
        </button>
      </div>
      <Track timeline={timeline} scale={scale} nowMs={nowMs}>
        <Bar span={span} scale={scale} nowMs={nowMs} trackPx={props.trackPx} />
      </Track>
    </div>
  );
}

interface FoldProps {
  readonly isFolded: boolean | undefined;
  readonly onFold: (isFolded: boolean) => void;
}

function Fold({ isFolded, onFold }: FoldProps) {
  if (isFolded === undefined) return <span className="w-7 shrink-0" />;
  const Shape = isFolded ? ChevronRight : ChevronDown;
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={isFolded ? 'Show its calls' : 'Hide its calls'}
      aria-expanded={!isFolded}
      onClick={() => onFold(!isFolded)}
      className="relative z-20 flex h-9 w-7 shrink-0 items-center justify-center text-muted hover:text-ink"
    >
      <Shape aria-hidden className="size-4" />
    </button>
  );
}

function SpanLabel({ span }: { readonly span: Span }) {
  const Shape = span.kind === 'model' ? Sparkles : Wrench;
  const { state, word } = SPAN_STATES[span.state];
  return (
    <>
      {span.state === 'done' ? (
        <Shape
          aria-hidden
          className={classNames(
            'size-3.5 shrink-0',
            span.kind === 'model' ? 'text-accent' : 'text-busy',
          )}
        />
      ) : (
        <StateIcon state={state} label={word} />
      )}
      <span className="shrink-0 font-medium">
        {span.kind === 'model' ? `Turn ${span.turn}` : span.tool}
      </span>
      <span className="truncate text-muted">{hintOf(span)}</span>
    </>
  );
}

/** Arguments that say most, where a tool has one of them. */
const TELLING = ['path', 'file', 'url', 'command', 'query', 'pattern', 'name', 'id'];
const MAX_HINT_CHARS = 120;

/** What tells one from the next. */
function hintOf(span: Span): string {
  if (span.kind === 'model') {
    const { attempts, model, mode } = span;
    const tries = attempts.length > 1 ? `${attempts.length} attempts · ` : '';
    return `${tries}${mode === 'recovery' ? 'recovery · ' : ''}${model}`;
  }
  const { input } = span;
  const named = TELLING.map((name) => input[name]);
  const first = [...named, ...Object.values(input)].find((value) => typeof value === 'string');
  return typeof first === 'string' ? first.slice(0, MAX_HINT_CHARS).replaceAll(/\s+/g, ' ') : '';
}
