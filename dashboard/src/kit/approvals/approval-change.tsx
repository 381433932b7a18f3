import type { ApprovalShape } from '../../../../src/operations/approvals/approval-shapes.ts';
import { previewCall } from '../../../../src/operations/approvals/approvals.ts';
import { useRead } from '../../api/use-operation.ts';
import { Json } from '../code-block.tsx';
import { UnifiedDiff } from '../diff.tsx';
import { Skeleton } from '../loaded.tsx';

/** What a call would do: to a file as it is now, line by line; else its arguments, which are all there is to know. */
export function ApprovalChange({ approval }: { readonly approval: ApprovalShape }) {
  const { data, isPending } = useRead(
    previewCall,
    { params: { approval_id: approval.id } },
    { isEnabled: approval.status === 'pending' },
  );
  if (approval.status === 'pending' && isPending) return <Skeleton rows={2} />;
  const change = data?.approval_id === approval.id ? data.change : null;
  if (change === null || change === undefined) return <Json value={approval.arguments} />;
  const verb = { create: 'Makes', change: 'Changes', delete: 'Deletes' }[change.kind];
  return (
    <div className="space-y-1.5">
      <p className="text-sm text-muted">
        {verb} <code className="break-all text-ink">{change.path}</code>
        {change.truncated ? ' – too long to show whole' : null}
      </p>
      {change.diff === '' ? (
        <p className="text-sm text-muted">Nothing in it would change.</p>
      ) : (
        <UnifiedDiff name={change.path} text={withoutHead(change.diff)} />
      )}
    </div>
  );
}

/** The names of the file, which stand above it. */
function withoutHead(diff: string): string {
  return diff.replace(/^--- [^\n]*\n\+\+\+ [^\n]*\n/, '');
}
