import { Pencil, Pin, PinOff, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { deleteMemory, unpinMemory } from '../../../../src/operations/memory/memory.ts';
import type { MemoryShape } from '../../../../src/operations/memory/memory-shapes.ts';
import { useWrite } from '../../api/use-operation.ts';
import { Button } from '../../kit/button.tsx';
import { copyAndTell } from '../../kit/copy.tsx';
import { Confirm } from '../../kit/dialog.tsx';
import { Menu } from '../../kit/menu.tsx';
import { toast, toastError } from '../../kit/toasts.tsx';
import { PinMemory } from './pin-memory.tsx';

interface MemoryActionsProps {
  readonly memory: MemoryShape;
  readonly reader: string;
  readonly curl: string;
  readonly onEdit: () => void;
  readonly onGone: () => void;
}

export function MemoryActions({ memory, reader, curl, onEdit, onGone }: MemoryActionsProps) {
  const [asked, setAsked] = useState<'pin' | 'delete'>();
  const query = reader === '' ? {} : { agent_id: reader };
  const close = () => setAsked(undefined);
  const unpin = useWrite(unpinMemory);
  const remove = useWrite(deleteMemory, {
    changes: ['knowledge'],
    onDone() {
      toast('It is forgotten.');
      onGone();
    },
  });
  const copyCurl = () => void copyAndTell(curl);
  return (
    <div className="flex flex-wrap items-center gap-2">
      {memory.pinned ? (
        <Button
          size="small"
          icon={PinOff}
          isBusy={unpin.isPending}
          onClick={() =>
            unpin.mutate(
              { query, headers: {}, body: { memory_id: memory.id } },
              { onError: toastError },
            )
          }
        >
          Unpin
        </Button>
      ) : (
        <Button size="small" icon={Pin} onClick={() => setAsked('pin')}>
          Pin
        </Button>
      )}
      <Button size="small" icon={Pencil} onClick={onEdit}>
        Edit
      </Button>
      <Button size="small" kind="danger" icon={Trash2} onClick={() => setAsked('delete')}>
        Delete
      </Button>
      <Menu label="More with this memory" items={[{ label: 'Copy as curl', onSelect: copyCurl }]} />
      {asked === 'pin' ? <PinMemory memory={memory} reader={reader} onClose={close} /> : null}
      {asked === 'delete' ? (
        <Confirm
          title="Delete this memory?"
          action="Delete it"
          write={remove}
          onClose={close}
          onConfirm={() => remove.mutate({ params: { memory_id: memory.id }, query, headers: {} })}
        >
          Its text is gone for good, with its tags and vectors. Agents no longer find it.
        </Confirm>
      ) : null}
    </div>
  );
}
