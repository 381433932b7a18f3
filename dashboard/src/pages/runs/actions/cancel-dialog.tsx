import { cancelRun } from '../../../../../src/operations/runs/runs.ts';
import { useDraft } from '../../../api/use-draft.ts';
import { useWrite } from '../../../api/use-operation.ts';
import { Confirm } from '../../../kit/dialog.tsx';
import { TextField } from '../../../kit/fields.tsx';
import { toast } from '../../../kit/toasts.tsx';

interface CancelDialogProps {
  readonly runId: string;
  readonly onClose: () => void;
}

const MAX_REASON_CHARS = 500;

export function CancelDialog({ runId, onClose }: CancelDialogProps) {
  const [reason, setReason] = useDraft(`cancel.${runId}`);
  const cancel = useWrite(cancelRun, {
    onDone({ status, cancel_requested: isWished }) {
      setReason('');
      toast(isWished ? 'The run is told to stop.' : `The run had ended already: ${status}.`);
      onClose();
    },
  });
  return (
    <Confirm
      title="Cancel this run?"
      action="Cancel the run"
      write={cancel}
      onClose={onClose}
      onConfirm={() =>
        cancel.mutate({
          params: { run_id: runId },
          body: reason.trim() === '' ? null : { reason: reason.trim() },
        })
      }
    >
      <p className="mb-4">
        It stops at once and can't be taken up again, only forked. What its tools have done stays
        done.
      </p>
      <TextField
        label="Why"
        hint="Kept with the run. May be empty."
        maxLength={MAX_REASON_CHARS}
        value={reason}
        onChange={setReason}
      />
    </Confirm>
  );
}
