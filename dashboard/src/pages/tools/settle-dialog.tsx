import type { EffectShape } from '../../../../src/operations/effects/effect-shapes.ts';
import { resolveEffect } from '../../../../src/operations/effects/effects.ts';
import { useDraft } from '../../api/use-draft.ts';
import { useWrite } from '../../api/use-operation.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { ErrorNote } from '../../kit/error-note.tsx';
import { TextField } from '../../kit/fields.tsx';
import { toast } from '../../kit/toasts.tsx';

export function SettleDialog({
  effect,
  onClose,
}: {
  readonly effect: EffectShape;
  readonly onClose: () => void;
}) {
  const [note, setNote] = useDraft(`effect.${effect.id}`);
  const resolve = useWrite(resolveEffect, {
    changes: ['status', 'runs'],
    onDone() {
      setNote('');
      toast('It is settled.');
      onClose();
    },
  });
  const settle = (status: 'confirmed' | 'failed') =>
    resolve.mutate({
      params: { effect_id: effect.id },
      body: { status, note: note.trim() },
    });
  return (
    <Dialog title={`Did ${effect.tool} take effect?`} onClose={onClose}>
      {resolve.error === null ? null : <ErrorNote error={resolve.error} />}
      <p className="mb-4 text-muted">
        The call was sent, and its answer never came. Look where it would have had its effect, then
        say what you found. It is not made again by your answer.
      </p>
      <TextField
        label="What you found"
        hint="Kept with the record."
        value={note}
        onChange={setNote}
      />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Later</Button>
        <Button isBusy={resolve.isPending} onClick={() => settle('failed')}>
          It did not
        </Button>
        <Button kind="primary" isBusy={resolve.isPending} onClick={() => settle('confirmed')}>
          It did
        </Button>
      </div>
    </Dialog>
  );
}
