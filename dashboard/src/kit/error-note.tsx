import { TriangleAlert } from 'lucide-react';
import { RuntimeError } from '../../../src/core/errors.ts';
import { describeError } from '../api/describe-error.ts';
import { Unreachable } from '../api/send.ts';
import { Button } from './button.tsx';

interface ErrorNoteProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
  /** Something older is shown below. */
  readonly isStale?: boolean;
}

/** What went wrong, in words, with what to do next. */
export function ErrorNote({ error, onRetry, isStale = false }: ErrorNoteProps) {
  return (
    <div
      role="alert"
      className="mb-3 flex flex-wrap items-center gap-3 rounded-lg border border-bad/40 bg-bad-soft px-3 py-2 text-sm"
    >
      <TriangleAlert aria-hidden className="size-4 shrink-0 text-bad" />
      <div className="min-w-0 flex-1 break-words">
        <span>{describeError(error)}</span>
        {isStale ? <span className="text-muted"> What is shown is older.</span> : null}
        <span className="block text-muted">{nextStep(error)}</span>
      </div>
      {onRetry === undefined ? null : (
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

function nextStep(error: unknown): string {
  if (error instanceof Unreachable) return 'Is it running? It is tried again by itself.';
  if (!(error instanceof RuntimeError)) return '';
  const action = error.details?.['recovery_action'];
  if (typeof action === 'string') return action;
  switch (error.code) {
    case 'unauthenticated':
      return 'Sign in again; what you typed is kept.';
    case 'rate_limited':
    case 'queue_full':
      return 'Wait a moment, then try again.';
    case 'shutting_down':
      return error.details?.['part'] === 'kill_switch'
        ? 'Everything is stopped: lift the kill switch under Costs first.'
        : 'The server is stopping or starting; try again in a moment.';
    case 'budget_exceeded':
      return 'Raise the budget under Costs, or wait until it begins anew.';
    case 'internal':
      return "The server's log tells more.";
    default:
      return '';
  }
}
