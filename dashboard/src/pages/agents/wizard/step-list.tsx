import { Check } from 'lucide-react';
import { Link } from 'wouter';
import { classNames } from '../../../kit/class-names.ts';

const STEPS = [
  ['who', 'Who it is'],
  ['may', 'What it may do'],
  ['check', 'Check'],
] as const;

interface StepListProps {
  readonly at: number;
  readonly isNamed: boolean;
}

/** Where in the wizard one is; every step can be gone to at any time, for nothing in it is needed but a name. */
export function StepList({ at, isNamed }: StepListProps) {
  return (
    <nav aria-label="Steps" className="mb-5">
      <ol className="flex flex-wrap gap-x-5 gap-y-2">
        {STEPS.map(([step, label], place) => (
          <li key={step}>
            <Link
              href={`/agents/new/${step}`}
              aria-current={place === at ? 'step' : undefined}
              className={classNames(
                'inline-flex items-center gap-2 text-sm',
                place === at ? 'font-medium text-ink' : 'text-muted hover:text-ink',
              )}
            >
              <span
                className={classNames(
                  'inline-flex size-6 items-center justify-center rounded-full border text-xs tabular-nums',
                  place === at
                    ? 'border-accent bg-accent text-on-accent'
                    : 'border-line-strong bg-surface',
                )}
              >
                {place < at && (place > 0 || isNamed) ? (
                  <Check aria-hidden className="size-3.5" />
                ) : (
                  place + 1
                )}
              </span>
              {label}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}
