import { getApproval } from '../../../../src/operations/approvals/approvals.ts';
import { useRead } from '../../api/use-operation.ts';
import { Loaded } from '../loaded.tsx';
import { ApprovalCard } from './approval-card.tsx';

/** A question where it came up. */
export function InlineApproval({ id }: { readonly id: string }) {
  const query = useRead(getApproval, { params: { approval_id: id } });
  return (
    <Loaded query={query} rows={2}>
      {(approval) => <ApprovalCard approval={approval} isInChat />}
    </Loaded>
  );
}
