import type { FormEvent, ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNote } from './error-note.tsx';

interface FormDialogProps {
  readonly title: string;
  /** What is written when it is submitted: why that failed is told above what was typed, which stays. */
  readonly write: { readonly error: Error | null; readonly isPending: boolean };
  readonly onSubmit: () => void;
  readonly onClose: () => void;
  /** The deed, as a verb. */
  readonly action?: string;
  readonly isDanger?: boolean;
  /** Something is missing, or not known yet. */
  readonly isDisabled?: boolean;
  readonly children: ReactNode;
}

/** Something to fill in, in front of the page. */
export function FormDialog({ title, write, onSubmit, onClose, ...rest }: FormDialogProps) {
  const { action = 'Save', isDanger = false, isDisabled = false, children } = rest;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        {write.error === null ? null : <ErrorNote error={write.error} />}
        {children}
        <div className="mt-4 flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            kind={isDanger ? 'danger' : 'primary'}
            isBusy={write.isPending}
            disabled={isDisabled}
          >
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
