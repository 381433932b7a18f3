import { classNames } from '../../kit/class-names.ts';
import { type Signal, toSignals } from './signals.ts';

const MAX_SHORT = 4;

type Reasons = Readonly<Record<string, number>>;

/** In one line: what counted most. */
export function WhyLine({ why }: { readonly why: Reasons }) {
  const signals = toSignals(why).filter(({ added }) => added > 0);
  return (
    <ul aria-label="Why it is here" className="flex flex-wrap gap-x-3 gap-y-1 text-xs text-muted">
      {signals.slice(0, MAX_SHORT).map((signal) => (
        <li key={signal.name} title={signal.hint} className="flex items-center gap-1.5">
          {signal.label}
          <Bar signal={signal} className="w-8" />
        </li>
      ))}
    </ul>
  );
}

/** All of it, with figures. */
export function WhyTable({ why, score }: { readonly why: Reasons; readonly score: number }) {
  return (
    <section aria-labelledby="why-this-result" className="rounded-lg border border-line p-3">
      <div className="mb-2 flex items-baseline justify-between gap-2">
        <h3 id="why-this-result" className="text-sm font-semibold">
          Why this result
        </h3>
        <span className="text-sm text-muted tabular-nums">score {score.toFixed(2)}</span>
      </div>
      <ul className="grid grid-cols-[auto_1fr_auto] items-center gap-x-3 gap-y-1 text-sm">
        {toSignals(why).map((signal) => (
          <li key={signal.name} title={signal.hint} className="contents">
            <span>{signal.label}</span>
            <Bar signal={signal} className="w-full" />
            <span className="text-right text-muted tabular-nums">{tellAdded(signal)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Bar({ signal, className }: { readonly signal: Signal; readonly className: string }) {
  return (
    <span aria-hidden className={classNames('block h-1.5 rounded-full bg-sunken', className)}>
      <span
        className={classNames(
          'block h-full rounded-full',
          signal.added < 0 ? 'bg-bad' : 'bg-accent',
        )}
        style={{ width: `${signal.share * 100}%` }}
      />
    </span>
  );
}

function tellAdded({ name, added }: Signal): string {
  if (name === 'exact') return 'yes';
  return `${added < 0 ? '−' : '+'}${Math.abs(added).toFixed(2)}`;
}
