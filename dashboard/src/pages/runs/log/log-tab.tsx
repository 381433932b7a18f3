import {
  Bot,
  CircleUserRound,
  Cog,
  type LucideIcon,
  Sparkles,
  UserRoundCheck,
  Wrench,
} from 'lucide-react';
import { useMemo } from 'react';
import { classNames } from '../../../kit/class-names.ts';
import { CopyButton } from '../../../kit/copy.tsx';
import { Empty } from '../../../kit/empty.tsx';
import { formatExact } from '../../../kit/format.ts';
import { Markdown } from '../../../kit/markdown.tsx';
import { VirtualList } from '../../../kit/virtual-list.tsx';
import type { RunTabProps } from '../detail/run-tab-props.ts';
import { type LogLine, toLog, toPlainText } from './run-log.ts';

const LINE_HEIGHT = 64;

/** The run as one text. */
export function LogTab({ followed: { events, state }, timeline }: RunTabProps) {
  const lines = useMemo(() => toLog(events), [events]);
  if (lines.length === 0) return <Empty icon={Bot} title="Nothing has happened yet" />;
  return (
    <>
      <div className="mb-2 flex items-center justify-between text-sm text-muted">
        <span>{lines.length} lines</span>
        <CopyButton text={toPlainText(lines)} label="Copy the log" />
      </div>
      <VirtualList
        label="Log"
        items={lines}
        keyOf={({ seq }) => String(seq)}
        rowHeight={LINE_HEIGHT}
        isFollowing={state === 'live'}
        className="max-h-[70dvh]"
      >
        {(line) => <Line line={line} startMs={timeline.startMs} />}
      </VirtualList>
    </>
  );
}

const ICONS: Readonly<Record<LogLine['who'], LucideIcon>> = {
  user: CircleUserRound,
  model: Sparkles,
  tool: Wrench,
  person: UserRoundCheck,
  runtime: Cog,
};

const TONES: Readonly<Record<LogLine['tone'], string>> = {
  plain: 'text-ink',
  bad: 'text-bad',
  wait: 'text-wait',
  ok: 'text-ok',
};

function Line({ line, startMs }: { readonly line: LogLine; readonly startMs: number }) {
  const { who, title, text, tone, atMs } = line;
  const Shape = ICONS[who];
  return (
    <article className="grid grid-cols-[1.25rem_minmax(0,1fr)] gap-x-2 border-b border-line px-3 py-2 text-sm sm:grid-cols-[4.5rem_1.25rem_minmax(0,1fr)]">
      <time
        title={formatExact(atMs)}
        className="hidden pt-px text-right text-muted tabular-nums sm:block"
      >
        +{((atMs - startMs) / 1_000).toFixed(2)} s
      </time>
      <Shape aria-hidden className={classNames('mt-0.5 size-4', TONES[tone])} />
      <div className="min-w-0">
        <p className={classNames('font-medium break-words', TONES[tone])}>{title}</p>
        {text === '' ? null : <Words who={who} text={text} />}
      </div>
    </article>
  );
}

function Words({ who, text }: Pick<LogLine, 'who' | 'text'>) {
  if (who === 'model') return <Markdown text={text} />;
  return (
    <p
      className={classNames(
        'max-h-60 overflow-auto break-words whitespace-pre-wrap',
        who === 'tool' ? 'font-mono text-xs text-muted' : 'text-muted',
      )}
    >
      {text}
    </p>
  );
}
