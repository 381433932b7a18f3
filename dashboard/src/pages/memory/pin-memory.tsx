import { type FormEvent, useState } from 'react';
import { pinMemory } from '../../../../src/operations/memory/memory.ts';
import type { MemoryShape } from '../../../../src/operations/memory/memory-shapes.ts';
import { useDraft } from '../../api/use-draft.ts';
import { useWrite } from '../../api/use-operation.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { ErrorNote } from '../../kit/error-note.tsx';
import { Check, Field, TextInput } from '../../kit/fields.tsx';

interface PinMemoryProps {
  readonly memory: MemoryShape;
  readonly reader: string;
  readonly onClose: () => void;
}

/** Pinned, it is read in every project: what strangers wrote has to be looked at first. */
export function PinMemory({ memory, reader, onClose }: PinMemoryProps) {
  const { id, trusted } = memory;
  const [reason, setReason] = useDraft(`memory.pin.${id}`);
  const [isRead, setIsRead] = useState(false);
  const pin = useWrite(pinMemory, {
    onDone() {
      setReason('');
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    pin.mutate({
      query: reader === '' ? {} : { agent_id: reader },
      headers: {},
      body: { memory_id: id, reason, ...(trusted ? {} : { approved: isRead }) },
    });
  };
  return (
    <Dialog title="Pin this memory" onClose={onClose}>
      <form onSubmit={submit}>
        {pin.error === null ? null : <ErrorNote error={pin.error} />}
        <p className="mb-4 text-muted">
          Agents see it in every project, before all others, with the highest priority.
        </p>
        <Field label="Why it is pinned">
          {(ids) => (
            <TextInput
              {...ids}
              required
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
        {trusted ? null : (
          <div className="mb-4 rounded-lg bg-wait-soft p-3">
            <Check
              required
              label="I read the text, and agents may take it for true"
              hint={`It comes from ${memory.metadata.source}: strangers may have had a part in it.`}
              checked={isRead}
              onChange={(event) => setIsRead(event.target.checked)}
            />
          </div>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" isBusy={pin.isPending}>
            Pin it
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
