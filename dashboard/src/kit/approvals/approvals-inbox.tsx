import { Inbox } from 'lucide-react';
import { listApprovals } from '../../../../src/operations/approvals/approvals.ts';
import { useRead } from '../../api/use-operation.ts';
import { Empty } from '../empty.tsx';
import { Loaded } from '../loaded.tsx';
import { ApprovalCard } from './approval-card.tsx';

const MAX_SHOWN = 50;

/** Everything that agents ask a person for, the most urgent first. */
export function ApprovalsInbox() {
  const query = useRead(listApprovals, { query: { status: 'pending', limit: MAX_SHOWN } });
  return (
    <Loaded query={query} rows={2}>
      {({ approvals, next_cursor }) =>
        approvals.length === 0 ? (
          <Empty icon={Inbox} title="Nobody waits for you">
            When an agent needs your word, its question is here, in its conversation, and in{' '}
            <code>claw approvals</code>.
          </Empty>
        ) : (
          <ul className="space-y-3">
            {approvals
              .toSorted((a, b) => a.expires_at.localeCompare(b.expires_at))
              .map((approval) => (
                <li key={approval.id}>
                  <ApprovalCard approval={approval} />
                </li>
              ))}
            {next_cursor === null ? null : (
              <li className="text-sm text-muted">
                There are more; they come when some of these are answered.
              </li>
            )}
          </ul>
        )
      }
    </Loaded>
  );
}
