import { Check, X } from 'lucide-react';
import { approveCall, denyCall } from '../../../../../src/operations/approvals/approvals.ts';
import { useDraft } from '../../../api/use-draft.ts';
import { useWrite } from '../../../api/use-operation.ts';
import { Button } from '../../../kit/button.tsx';
import { TextInput } from '../../../kit/fields.tsx';
import { toast, toastError } from '../../../kit/toasts.tsx';

/** The run waits for this. */
export function ApprovalAnswer({ approvalId }: { readonly approvalId: string }) {
  const [note, setNote] = useDraft(`approval.${approvalId}`);
  const done = (word: string) => () => {
    setNote('');
    toast(`${word}. The run goes on.`);
  };
  const approve = useWrite(approveCall, { changes: ['runs'], onDone: done('Approved') });
  const deny = useWrite(denyCall, { changes: ['runs'], onDone: done('Denied') });
  const input = {
    params: { approval_id: approvalId },
    body: note.trim() === '' ? null : { note: note.trim() },
  };
  return (
    <div className="mt-2 space-y-2">
      <TextInput
        aria-label="Note for the record"
        placeholder="Note for the record (may be empty)"
        maxLength={500}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      <div className="flex flex-wrap gap-2">
        <Button
          kind="primary"
          icon={Check}
          isBusy={approve.isPending}
          disabled={deny.isPending}
          onClick={() => approve.mutate(input, { onError: toastError })}
        >
          Approve this call
        </Button>
        <Button
          icon={X}
          isBusy={deny.isPending}
          disabled={approve.isPending}
          onClick={() => deny.mutate(input, { onError: toastError })}
        >
          Deny
        </Button>
      </div>
    </div>
  );
}
