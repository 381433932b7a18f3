import { useState } from 'react';
import { pinMemory } from '../../../../src/operations/memory/memory.ts';
import type { MemoryShape } from '../../../../src/operations/memory/memory-shapes.ts';
import { useDraft } from '../../api/use-draft.ts';
import { useWrite } from '../../api/use-operation.ts';
import { Check, TextField } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';

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
  const submit = () => {
    pin.mutate({
      query: reader === '' ? {} : { agent_id: reader },
      headers: {},
      body: { memory_id: id, reason, ...(trusted ? {} : { approved: isRead }) },
    });
  };
  return (
    <FormDialog
      title="Pin this memory"
      action="Pin it"
      write={pin}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className="mb-4 text-muted">
        Agents see it in every project, before all others, with the highest priority.
      </p>
      <TextField label="Why it is pinned" required value={reason} onChange={setReason} />
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
    </FormDialog>
  );
}
