import { Check, X } from 'lucide-react';
import { useState } from 'react';
import {
  approveCall,
  denyCall,
  getApproval,
  previewCall,
} from '../../../../../src/operations/approvals/approvals.ts';
import { useDraft } from '../../../api/use-draft.ts';
import { useRead, useWrite } from '../../../api/use-operation.ts';
import { Button } from '../../../kit/button.tsx';
import { UnifiedDiff } from '../../../kit/diff.tsx';
import { Check as CheckBox, TextInput } from '../../../kit/fields.tsx';
import { Time } from '../../../kit/time.tsx';
import { toast, toastError } from '../../../kit/toasts.tsx';

/** The run waits for this: what the call would change, and the way to decide. */
export function ApprovalAnswer({ approvalId }: { readonly approvalId: string }) {
  const params = { approval_id: approvalId };
  const { data: asked } = useRead(getApproval, { params });
  const { data: preview } = useRead(previewCall, { params });
  const [note, setNote] = useDraft(`approval.${approvalId}`);
  const [isAlways, setIsAlways] = useState(false);
  const told = note.trim() === '' ? {} : { note: note.trim() };
  const done = (word: string) => () => {
    setNote('');
    toast(`${word}. The run goes on.`);
  };
  const changes = ['runs', 'status'];
  const approve = useWrite(approveCall, { changes, onDone: done('Approved') });
  const deny = useWrite(denyCall, { changes, onDone: done('Denied') });
  return (
    <div className="mt-2 space-y-2">
      {asked === undefined ? null : (
        <p className="text-muted">
          Denied by itself <Time at={asked.expires_at} />
        </p>
      )}
      {preview?.change ? (
        <UnifiedDiff name={preview.change.path} text={preview.change.diff} />
      ) : null}
      <TextInput
        aria-label="Note for the record"
        placeholder="Note for the record (may be empty)"
        maxLength={500}
        value={note}
        onChange={(event) => setNote(event.target.value)}
      />
      {asked?.always ? (
        <CheckBox
          label="Always allow this"
          hint={asked.always}
          checked={isAlways}
          onChange={(event) => setIsAlways(event.target.checked)}
        />
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button
          kind="primary"
          icon={Check}
          isBusy={approve.isPending}
          disabled={deny.isPending}
          onClick={() =>
            approve.mutate(
              { params, body: { ...told, ...(isAlways ? { always: true } : {}) } },
              { onError: toastError },
            )
          }
        >
          Approve this call
        </Button>
        <Button
          icon={X}
          isBusy={deny.isPending}
          disabled={approve.isPending}
          onClick={() => deny.mutate({ params, body: told }, { onError: toastError })}
        >
          Deny
        </Button>
      </div>
    </div>
  );
}
