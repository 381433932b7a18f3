import { Inbox } from 'lucide-react';
import { useEffect } from 'react';
import { listApprovals } from '../../../../src/operations/approvals/approvals.ts';
import { usePages } from '../../api/use-pages.ts';
import { Empty } from '../empty.tsx';
import { ErrorNote } from '../error-note.tsx';
import { Skeleton } from '../loaded.tsx';
import { ApprovalCard } from './approval-card.tsx';

const PAGE = 200;
/** They come newest first, and those that expire first are the oldest: so many are read to find them. */
const MAX_READ = 2_000;
const MAX_SHOWN = 50;

/** Everything that agents ask a person for, the most urgent first. */
export function ApprovalsInbox() {
  const { items, isLoaded, error, hasMore, loadMore, reload } = usePages(
    listApprovals,
    { query: { status: 'pending', limit: PAGE } },
    ({ approvals }) => approvals,
  );
  const isShort = hasMore && error === null && items.length < MAX_READ;
  useEffect(() => {
    if (isShort) loadMore();
  }, [isShort, loadMore]);
  const note =
    error === null ? null : <ErrorNote error={error} isStale={isLoaded} onRetry={reload} />;
  if (!isLoaded) return note ?? <Skeleton rows={2} />;
  if (items.length === 0) {
    return (
      <>
        {note}
        <Empty icon={Inbox} title="Nobody waits for you">
          When an agent needs your word, its question is here, in its conversation, and in{' '}
          <code>claw approvals</code>.
        </Empty>
      </>
    );
  }
  return (
    <>
      {note}
      <ul className="space-y-3">
        {items
          .toSorted((a, b) => a.expires_at.localeCompare(b.expires_at))
          .slice(0, MAX_SHOWN)
          .map((approval) => (
            <li key={approval.id}>
              <ApprovalCard approval={approval} />
            </li>
          ))}
        {items.length <= MAX_SHOWN ? null : (
          <li className="text-sm text-muted">
            There are more, which expire later; they come when some of these are answered.
          </li>
        )}
      </ul>
    </>
  );
}
