import { updateSession } from '../../../../../src/operations/sessions/sessions.ts';
import { useDraft } from '../../../api/use-draft.ts';
import { useWrite } from '../../../api/use-operation.ts';
import { TextField } from '../../../kit/fields.tsx';
import { FormDialog } from '../../../kit/form-dialog.tsx';

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
    <FormDialog
      title="Rename this chat"
      action="Rename"
      isDisabled={text.trim() === ''}
      write={rename}
      onSubmit={() => rename.mutate({ params: { session_id: sessionId }, body: { title: text } })}
      onClose={close}
    >
      <TextField
        label="Name"
        hint="It stays until you change it again."
        autoFocus
        maxLength={MAX_TITLE_CHARS}
        value={text}
        onChange={setText}
      />
    </FormDialog>
  );
}
