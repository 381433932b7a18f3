import { updateSession } from '../../../../../src/operations/sessions/sessions.ts';
import { useDraft } from '../../../api/use-draft.ts';
import { useWrite } from '../../../api/use-operation.ts';
import { Button } from '../../../kit/button.tsx';
import { Dialog } from '../../../kit/dialog.tsx';
import { ErrorNote } from '../../../kit/error-note.tsx';
import { Field, TextInput } from '../../../kit/fields.tsx';

interface RenameDialogProps {
  readonly sessionId: string;
  readonly title: string;
  readonly onClose: () => void;
}

const MAX_TITLE_CHARS = 80;

export function RenameDialog({ sessionId, title, onClose }: RenameDialogProps) {
  const [text, setText] = useDraft(`chat.title.${sessionId}`, title);
  const close = () => {
    setText(title);
    onClose();
  };
  const rename = useWrite(updateSession, { onDone: close });
  return (
    <Dialog title="Rename this chat" onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          rename.mutate({ params: { session_id: sessionId }, body: { title: text } });
        }}
      >
        {rename.error === null ? null : <ErrorNote error={rename.error} />}
        <Field label="Name" hint="It stays until you change it again.">
          {(ids) => (
            <TextInput
              {...ids}
              autoFocus
              maxLength={MAX_TITLE_CHARS}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={close}>Cancel</Button>
          <Button
            kind="primary"
            type="submit"
            isBusy={rename.isPending}
            disabled={text.trim() === ''}
          >
            Rename
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
