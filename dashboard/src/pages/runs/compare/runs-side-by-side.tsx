import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { isTerminal } from '../../../../../src/core/runs/run.ts';
import type { RunDetail } from '../../../../../src/operations/runs/run-shapes.ts';
import { classNames } from '../../../kit/class-names.ts';
import { formatCount, formatDuration, formatMoney } from '../../../kit/format.ts';
import { RunBadge } from '../../../kit/state-badge.tsx';
import { Time } from '../../../kit/time.tsx';

interface RunsSideBySideProps {
  readonly left: RunDetail;
  readonly right: RunDetail;
}

/** What is shown of each, and how much more the second took. */
interface Line {
  readonly label: string;
  readonly show: (run: RunDetail) => ReactNode;
  readonly differs: (run: RunDetail) => unknown;
  readonly measure?: (run: RunDetail) => number | null;
  readonly format?: (value: number) => string;
}

const LINES: readonly Line[] = [
  {
    label: 'Message',
    show: ({ message }) => <span className="line-clamp-3 whitespace-pre-wrap">{message}</span>,
    differs: ({ message }) => message,
  },
  {
    label: 'Status',
    show: ({ status }) => <RunBadge status={status} />,
    differs: ({ status }) => status,
  },
  { label: 'Agent', show: ({ agent_id }) => agent_id, differs: ({ agent_id }) => agent_id },
  { label: 'Model', show: modelOf, differs: modelOf },
  {
    label: 'Duration',
    show: (run) => formatDuration(ended(run)?.duration_ms),
    differs: () => 0,
    measure: ({ duration_ms }) => duration_ms,
    format: formatDuration,
  },
  {
    label: 'Tool calls',
    show: (run) => formatCount(ended(run)?.tool_calls),
    differs: (run) => ended(run)?.tool_calls,
    measure: ({ tool_calls }) => tool_calls,
    format: formatCount,
  },
  {
    label: 'Input tokens',
    show: (run) => formatCount(ended(run)?.usage.input_tokens),
    differs: () => 0,
    measure: ({ usage }) => usage.input_tokens,
    format: formatCount,
  },
  {
    label: 'Output tokens',
    show: (run) => formatCount(ended(run)?.usage.output_tokens),
    differs: () => 0,
    measure: ({ usage }) => usage.output_tokens,
    format: formatCount,
  },
  {
    label: 'Cost',
    show: (run) => formatMoney(ended(run)?.usage.cost_usd),
    differs: () => 0,
    measure: ({ usage }) => usage.cost_usd,
    format: formatMoney,
  },
  { label: 'When', show: ({ created_at }) => <Time at={created_at} />, differs: () => 0 },
];

/** What a run takes is added up when it ends. */
function ended(run: RunDetail): RunDetail | undefined {
  return isTerminal(run.status) ? run : undefined;
}

function modelOf({ provider, model }: RunDetail): string {
  return model === '' ? '–' : `${provider}/${model}`;
}

export function RunsSideBySide({ left, right }: RunsSideBySideProps) {
  return (
    <section
      aria-label="Both runs"
      tabIndex={0}
      className="mb-8 overflow-x-auto rounded-lg border border-line bg-surface"
    >
      <table className="w-full min-w-[34rem] table-fixed text-sm">
        <thead>
          <tr className="border-b border-line">
            <th scope="col" className="w-32 px-3 py-2">
              <span className="sr-only">What</span>
            </th>
            {[left, right].map(({ id }, at) => (
              <th key={at === 0 ? 'left' : 'right'} scope="col" className="px-3 py-2 font-medium">
                <Link
                  href={`/runs/${id}`}
                  className="text-accent-ink underline-offset-2 hover:underline"
                >
                  <code className="break-all">{id}</code>
                </Link>
              </th>
            ))}
            <th scope="col" className="w-28 px-3 py-2 text-right font-medium">
              Difference
            </th>
          </tr>
        </thead>
        <tbody>
          {LINES.map((line) => (
            <LineRow key={line.label} line={line} left={left} right={right} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function LineRow({ line, left, right }: RunsSideBySideProps & { readonly line: Line }) {
  const isOther = line.differs(left) !== line.differs(right);
  return (
    <tr className="border-b border-line last:border-0">
      <th scope="row" className="px-3 py-1.5 font-normal text-muted">
        {line.label}
      </th>
      <td className="px-3 py-1.5 break-words tabular-nums">{line.show(left)}</td>
      <td
        className={classNames(
          'px-3 py-1.5 break-words tabular-nums',
          isOther && 'bg-wait-soft font-medium',
        )}
      >
        {line.show(right)}
      </td>
      <td className="px-3 py-1.5 text-right text-muted tabular-nums">
        {differenceOf(line, left, right)}
      </td>
    </tr>
  );
}

function differenceOf({ measure, format }: Line, left: RunDetail, right: RunDetail): string {
  const [before, after] = [left, right].map((run) => (ended(run) && measure?.(run)) ?? null);
  if (before == null || after == null || format === undefined) return '';
  if (before === after) return 'same';
  return `${after > before ? '+' : '−'}${format(Math.abs(after - before))}`;
}
