import { X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button, IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { ErrorNote } from './error-note.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly size?: 'small' | 'large';
  /** Only an answer closes it. */
  readonly isFirm?: boolean;
}

/** The browser's own: it keeps the focus inside, gives it back, and closes on Escape. Shown while it is rendered. */
export function Dialog({ title, onClose, children, size = 'small', isFirm = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        if (!isFirm) onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === element.current && !isFirm) onClose();
      }}
      className={classNames(
        'm-auto max-h-[90dvh] w-[calc(100vw-1.5rem)] overflow-hidden rounded-lg border border-line bg-raised p-0 text-ink shadow-xl',
        size === 'small' ? 'max-w-lg' : 'max-w-4xl',
      )}
    >
      <div className="flex max-h-[90dvh] flex-col">
        <header className="flex items-center justify-between gap-3 border-b border-line px-4 py-3">
          <h2 id={heading} className="text-lg font-semibold break-words">
            {title}
          </h2>
          {isFirm ? null : <IconButton label="Close" icon={X} size="smallIcon" onClick={onClose} />}
        </header>
        <div className="overflow-y-auto p-4">{children}</div>
      </div>
    </dialog>
  );
}

interface ConfirmProps {
  readonly title: string;
  /** What happens, and what can't be taken back. */
  readonly children: ReactNode;
  /** The deed, as a verb: "Delete". */
  readonly action: string;
  /** What is done on confirmation: why it failed is told here, in front of everything that lies below. */
  readonly write?: { readonly error: Error | null; readonly isPending: boolean };
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function Confirm({ title, children, action, write, onConfirm, onClose }: ConfirmProps) {
  // What failed when it was last asked says nothing about this time.
  const [isConfirmed, setIsConfirmed] = useState(false);
  const error = isConfirmed ? (write?.error ?? null) : null;
  return (
    <Dialog title={title} onClose={onClose}>
      {error === null ? null : <ErrorNote error={error} />}
      <div className="text-muted">{children}</div>
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          kind="danger"
          isBusy={write?.isPending === true}
          onClick={() => {
            setIsConfirmed(true);
            onConfirm();
          }}
        >
          {action}
        </Button>
      </div>
    </Dialog>
  );
}
