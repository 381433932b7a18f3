import { Archive, Copy, GitBranch, Pencil } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { SessionShape } from '../../../../../src/operations/sessions/session-shapes.ts';
import {
  closeSession,
  forkSession,
  listMessages,
} from '../../../../../src/operations/sessions/sessions.ts';
import { useWrite } from '../../../api/use-operation.ts';
import { copyAndTell } from '../../../kit/copy.tsx';
import { toCurl } from '../../../kit/curl.ts';
import { Confirm } from '../../../kit/dialog.tsx';
import { Menu } from '../../../kit/menu.tsx';
import { toastError } from '../../../kit/toasts.tsx';
import { RenameDialog } from './rename-dialog.tsx';

/** What can be done with a whole conversation. */
export function SessionMenu({ session }: { readonly session: SessionShape }) {
  const { session_id: id, title, closed_at: closedAt } = session;
  const [dialog, setDialog] = useState<'rename' | 'close'>();
  const [, navigate] = useLocation();
  const params = { session_id: id };
  const fork = useWrite(forkSession, {
    onDone: ({ session_id: forked }) => navigate(`/chat/${forked}`),
  });
  const close = useWrite(closeSession, { onDone: () => setDialog(undefined) });
  const copy = (text: string) => void copyAndTell(text);
  return (
    <>
      <Menu
        label={`More about ${title}`}
        items={[
          { label: 'Rename', icon: Pencil, onSelect: () => setDialog('rename') },
          {
            label: 'Fork',
            icon: GitBranch,
            onSelect: () => fork.mutate({ params, body: {} }, { onError: toastError }),
          },
          { label: 'Copy its id', icon: Copy, onSelect: () => copy(id) },
          {
            label: 'Copy as curl',
            icon: Copy,
            onSelect: () => copy(toCurl(listMessages, { params })),
          },
          {
            label: 'Close',
            icon: Archive,
            isDanger: true,
            isDisabled: closedAt !== null,
            onSelect: () => setDialog('close'),
          },
        ]}
      />
      {dialog === 'rename' ? (
        <RenameDialog sessionId={id} title={title} onClose={() => setDialog(undefined)} />
      ) : null}
      {dialog === 'close' ? (
        <Confirm
          title="Close this chat?"
          action="Close it"
          write={close}
          onConfirm={() => close.mutate({ params, body: null })}
          onClose={() => setDialog(undefined)}
        >
          It takes no more messages and leaves the list. It stays readable, and a fork goes on from
          it; it can't be opened again.
        </Confirm>
      ) : null}
    </>
  );
}
