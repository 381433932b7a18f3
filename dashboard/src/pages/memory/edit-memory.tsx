import { useState } from 'react';
import { changeMemory } from '../../../../src/operations/memory/memory.ts';
import type { MemoryShape } from '../../../../src/operations/memory/memory-shapes.ts';
import { useDraft } from '../../api/use-draft.ts';
import { useWrite } from '../../api/use-operation.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { toast } from '../../kit/toasts.tsx';
import { MemoryFields, type MemoryText, toTags } from './memory-fields.tsx';

interface EditMemoryProps {
  readonly memory: MemoryShape;
  /** Through whose eyes it is seen; empty for nobody's in particular. */
  readonly reader: string;
  readonly onClose: () => void;
}

export function EditMemory({ memory, reader, onClose }: EditMemoryProps) {
  const { id, metadata, pinned } = memory;
  const [content, setContent] = useDraft(`memory.${id}`, memory.content);
  const [rest, setRest] = useState({
    project: metadata.project_id,
    tags: metadata.tags.join(', '),
    priority: String(memory.priority_score),
  });
  const save = useWrite(changeMemory, {
    changes: ['knowledge'],
    onDone() {
      setContent(memory.content);
      toast('It is changed.');
      onClose();
    },
  });
  const change = ({ content: typed, ...part }: Partial<MemoryText>) => {
    if (typed !== undefined) setContent(typed);
    setRest((before) => ({ ...before, ...part }));
  };
  const submit = () => {
    save.mutate({
      params: { memory_id: id },
      query: reader === '' ? {} : { agent_id: reader },
      headers: {},
      body: {
        content,
        ...(pinned ? {} : { priority_score: Number(rest.priority) }),
        metadata: { project_id: rest.project.trim(), tags: toTags(rest.tags) },
      },
    });
  };
  return (
    <FormDialog title="Edit this memory" write={save} onSubmit={submit} onClose={onClose}>
      <MemoryFields text={{ content, ...rest }} onChange={change} isPinned={pinned} />
    </FormDialog>
  );
}
