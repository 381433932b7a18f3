import { Link } from 'wouter';
import type { StatusShape } from '../../../../src/operations/status/status-shapes.ts';
import { ApprovalsInbox } from '../../kit/approvals/approvals-inbox.tsx';
import { Section } from '../../kit/page.tsx';

/** What nobody but a person can settle. */
export function WaitingForMe({ status }: { readonly status: StatusShape }) {
  const { approvals, effects } = status;
  if (approvals.pending + effects.unknown === 0) return null;
  return (
    <Section title="Waiting for me">
      {approvals.pending === 0 ? null : <ApprovalsInbox />}
      {effects.unknown === 0 ? null : (
        <Link
          href="/tools/effects"
          className="flex items-center gap-2 rounded-lg border border-wait/40 bg-wait-soft px-3 py-2 text-sm hover:underline"
        >
          {effects.unknown === 1
            ? 'One call may or may not have taken effect: say which.'
            : `${effects.unknown} calls may or may not have taken effect: say which.`}
        </Link>
      )}
    </Section>
  );
}
