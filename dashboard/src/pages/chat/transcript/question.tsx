import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useDraft } from '../../../api/use-draft.ts';
import { Button, IconButton } from '../../../kit/button.tsx';
import { classNames } from '../../../kit/class-names.ts';
import { CopyButton } from '../../../kit/copy.tsx';
import { TextArea } from '../../../kit/fields.tsx';
import { toastError } from '../../../kit/toasts.tsx';

interface QuestionProps {
  readonly text: string;
  /** Under which another wording of it is kept while it is written. */
  readonly draft: string;
  /** Sends something else in its place, in a fork. */
  readonly onEdit?: (text: string) => Promise<void>;
}

/** Longer ones are folded: who wrote them knows what they say. */
const MAX_LINES = 14;
const MAX_CHARS = 1_500;

/** What a person said: there, and quiet. */
export function Question({ text, draft, onEdit }: QuestionProps) {
  const [isEdited, setIsEdited] = useState(false);
  const [isWhole, setIsWhole] = useState(false);
  if (isEdited && onEdit !== undefined) {
    return <Editor text={text} draft={draft} onSend={onEdit} onClose={() => setIsEdited(false)} />;
  }
  const isLong = text.length > MAX_CHARS || text.split('\n', MAX_LINES + 1).length > MAX_LINES;
  return (
    <div className="group flex items-start gap-1">
      <div className="min-w-0 flex-1 rounded-lg bg-sunken px-3.5 py-2.5">
        <p
          className={classNames(
            'break-words whitespace-pre-wrap',
            isLong && !isWhole && 'line-clamp-12',
          )}
        >
          {text}
        </p>
        {isLong ? (
          <button
            type="button"
            aria-expanded={isWhole}
            onClick={() => setIsWhole(!isWhole)}
            className="mt-1 text-sm text-accent-ink underline underline-offset-2"
          >
            {isWhole ? 'Show less' : 'Show all of it'}
          </button>
        ) : null}
      </div>
      <div className="flex flex-col opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
        {onEdit === undefined ? null : (
          <IconButton
            label="Edit, and go on from here in a fork"
            icon={Pencil}
            size="smallIcon"
            onClick={() => setIsEdited(true)}
          />
        )}
        <CopyButton text={text} label="Copy the message" />
      </div>
    </div>
  );
}

interface EditorProps {
  readonly text: string;
  readonly draft: string;
  readonly onSend: (text: string) => Promise<void>;
  readonly onClose: () => void;
}

function Editor({ text, draft, onSend, onClose }: EditorProps) {
  const [edited, setEdited] = useDraft(draft, text);
  const [isSending, setIsSending] = useState(false);
  const isSendable = edited.trim() !== '';
  const send = async () => {
    setIsSending(true);
    try {
      await onSend(edited);
      setEdited(text);
      onClose();
    } catch (error) {
      toastError(error);
      setIsSending(false);
    }
  };
  return (
    <form
      className="space-y-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (isSendable) void send();
      }}
    >
      <TextArea
        aria-label="The message in other words"
        autoFocus
        rows={4}
        value={edited}
        onChange={(event) => setEdited(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
        }}
        className="field-sizing-content max-h-96"
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button kind="primary" size="small" type="submit" isBusy={isSending} disabled={!isSendable}>
          Send in a fork
        </Button>
        <Button size="small" onClick={onClose}>
          Cancel
        </Button>
        <span className="text-xs text-muted">This conversation stays as it is.</span>
      </div>
    </form>
  );
}
