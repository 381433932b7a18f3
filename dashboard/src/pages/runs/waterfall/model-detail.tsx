import { Link } from 'wouter';
import { formatCount, formatDuration, formatMoney } from '../../../kit/format.ts';
import { useExactSearch } from '../../../kit/use-exact-params.ts';
import { writeView } from '../detail/run-view.ts';
import { costOf, durationOf, isOpen, type ModelSpan, type Timeline } from '../timeline/span.ts';
import { Facts, Part } from './detail-parts.tsx';

interface ModelDetailProps {
  readonly span: ModelSpan;
  readonly timeline: Timeline;
  readonly nowMs: number;
  readonly runId: string;
}

export function ModelDetail({ span, timeline, nowMs, runId }: ModelDetailProps) {
  const { usage, recalled } = span;
  const cost = costOf(span);
  return (
    <>
      <Facts
        facts={[
          ['Model', span.model],
          ['Duration', formatDuration(durationOf(span, nowMs))],
          [
            'First words',
            span.firstWordsMs === undefined
              ? undefined
              : `after ${formatDuration(span.firstWordsMs)}`,
          ],
          ['Input', usage && `${formatCount(usage.inputTokens)} tokens`],
          [
            'of it cached',
            usage?.cachedInputTokens === undefined
              ? undefined
              : `${formatCount(usage.cachedInputTokens)} tokens`,
          ],
          ['Output', usage && `${formatCount(usage.outputTokens)} tokens`],
          ['Cost', cost === undefined ? undefined : cost === null ? 'unknown' : formatMoney(cost)],
          ['Ended', span.finishReason],
          ['Mode', span.mode === 'recovery' ? 'recovery, after failed calls' : undefined],
          ['Messages', formatCount(span.messages)],
          [
            'Unreadable calls',
            span.rejectedCalls === 0 ? undefined : formatCount(span.rejectedCalls),
          ],
        ]}
      />
      <Taken span={span} timeline={timeline} runId={runId} />
      <Attempts span={span} />
      {span.text === '' ? null : (
        <Part title={isOpen(span) ? 'It says so far' : 'It said'}>
          <p className="max-h-72 overflow-auto rounded-md bg-sunken p-2 break-words whitespace-pre-wrap">
            {span.text}
          </p>
        </Part>
      )}
      {span.notes.map(({ kind, text }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: notes only come behind each other
        <Part key={at} title={kind === '' ? 'Note' : kind}>
          <p className="break-words whitespace-pre-wrap text-muted">{text}</p>
        </Part>
      ))}
      {recalled === undefined ? null : (
        <Part title={`Remembered for it (${recalled.memoryIds.length})`}>
          <p className="max-h-48 overflow-auto rounded-md bg-sunken p-2 break-words whitespace-pre-wrap">
            {recalled.text}
          </p>
        </Part>
      )}
    </>
  );
}

/** Which tools were offered, and which it took. */
function Taken({ span, timeline, runId }: Omit<ModelDetailProps, 'nowMs'>) {
  const search = useExactSearch();
  const calls = timeline.spans.filter((one) => one.kind === 'tool' && one.parentId === span.id);
  return (
    <Part title="Tools">
      <p className="text-muted">
        {formatCount(span.toolsOffered)} offered,{' '}
        {calls.length > 0
          ? `${calls.length} taken`
          : isOpen(span)
            ? 'none taken yet'
            : 'none taken'}
      </p>
      <ul className="mt-1 flex flex-wrap gap-1.5">
        {calls.map((call) =>
          call.kind === 'tool' ? (
            <li key={call.id}>
              <Link
                href={`/runs/${runId}${writeView(search, { span: call.id })}`}
                className="inline-block rounded-md border border-line px-1.5 py-0.5 hover:bg-sunken"
              >
                {call.tool}
              </Link>
            </li>
          ) : null,
        )}
      </ul>
      <Offered names={span.toolNames} taken={new Set(span.calls.map(({ tool }) => tool))} />
    </Part>
  );
}

interface OfferedProps {
  readonly names: readonly string[];
  readonly taken: ReadonlySet<string>;
}

/** All that it could have taken; logs of older releases hold their number only. */
function Offered({ names, taken }: OfferedProps) {
  if (names.length === 0) return null;
  return (
    <details className="mt-2">
      <summary className="cursor-pointer text-sm text-accent-ink">Which tools were offered</summary>
      <ul aria-label="Tools offered" className="mt-1 flex flex-wrap gap-x-3 gap-y-0.5 text-sm">
        {names.map((name) => (
          <li key={name} className={taken.has(name) ? 'font-medium text-ink' : 'text-muted'}>
            {name}
            {taken.has(name) ? <span className="sr-only"> (taken)</span> : null}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Told when there was more than the one that was answered. */
function Attempts({ span: { attempts } }: { readonly span: ModelSpan }) {
  if (attempts.length < 2 && attempts[0]?.error === undefined) return null;
  return (
    <Part title={`Attempts (${attempts.length})`}>
      <ol className="space-y-1.5">
        {attempts.map(({ startMs, endMs, state, error }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: attempts only come behind each other
          <li key={at} className="rounded-md bg-sunken p-2">
            <span className="text-muted">{at + 1}. </span>
            {state}
            {endMs === undefined ? '' : ` after ${formatDuration(endMs - startMs)}`}
            {error === undefined ? null : (
              <span className="block break-words text-bad">
                <code>{error.code}</code> {error.message}
              </span>
            )}
          </li>
        ))}
      </ol>
    </Part>
  );
}
