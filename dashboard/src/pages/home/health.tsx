import { OctagonX, TriangleAlert } from 'lucide-react';
import { Link } from 'wouter';
import type { SummaryShape } from '../../../../src/operations/observability/observability-shapes.ts';
import type { StatusShape } from '../../../../src/operations/status/status-shapes.ts';
import { Section } from '../../kit/page.tsx';
import { Time } from '../../kit/time.tsx';

export function StoppedNote({ state }: { readonly state: StatusShape['kill_switch'] }) {
  if (!state.on) return null;
  return (
    <div
      role="alert"
      className="mb-5 flex flex-wrap items-center gap-3 rounded-lg border border-bad bg-bad-soft px-4 py-3"
    >
      <OctagonX aria-hidden className="size-5 shrink-0 text-bad" />
      <p className="min-w-0 flex-1">
        <strong>Everything is stopped.</strong>{' '}
        {state.reason === '' ? 'No reason was given' : state.reason}
        {state.by === null ? null : ` – ${state.by}, `}
        <Time at={state.changed_at} empty="" />
      </p>
      <Link href="/costs#kill-switch" className="font-medium text-accent-ink underline">
        Go on
      </Link>
    </div>
  );
}

export function Warnings({ warnings }: { readonly warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <Section title="To look after">
      <ul className="space-y-2">
        {warnings.map((warning) => (
          <li key={warning} className="flex gap-2 rounded-lg bg-wait-soft px-3 py-2 text-sm">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-wait" />
            <span className="min-w-0 break-words">{warning}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function Alerts({ alerts }: { readonly alerts: SummaryShape['alerts'] }) {
  if (alerts.length === 0) return null;
  return (
    <Section title="Alerts of the last hour">
      <ul className="space-y-2">
        {alerts.map(({ id, count, threshold, message, recovery_action }) => (
          <li key={id} className="rounded-lg border border-bad/40 bg-bad-soft px-3 py-2 text-sm">
            <p>
              <strong>{message}</strong>{' '}
              <span className="text-muted">
                ({id}: {count}, from {threshold} on)
              </span>
            </p>
            <p className="text-muted">{recovery_action}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
