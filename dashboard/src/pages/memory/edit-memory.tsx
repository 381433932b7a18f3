import { useState } from 'react';
import { changeMemory } from '../../../../src/operations/memory/memory.ts';
import type { MemoryShape } from '../../../../src/operations/memory/memory-shapes.ts';
import { useWrite } from '../../api/use-operation.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { toast } from '../../kit/toasts.tsx';
import { MemoryFields, toTags } from './memory-fields.tsx';
import { useMemoryText } from './use-memory-text.ts';

interface EditMemoryProps {
  readonly memory: MemoryShape;
  /** Through whose eyes it is seen; empty for nobody's in particular. */
  readonly reader: string;
  readonly onClose: () => void;
}

export function EditMemory({ memory, reader, onClose }: EditMemoryProps) {
  const { id, metadata, pinned } = memory;
  // As it was opened: it is read again meanwhile, and what others changed is nothing that was typed.
  const [before] = useState({
    content: memory.content,
    project: metadata.project_id,
    tags: metadata.tags.join(', '),
    priority: String(memory.priority_score),
  });
  const { text, change, forget } = useMemoryText(`memory.${id}`, before);
  // Opened again, it shows what is so, and not what was not wanted.
  const close = () => {
    forget();
    onClose();
  };
  const save = useWrite(changeMemory, {
    changes: ['knowledge'],
    onDone() {
      toast('It is changed.');
      close();
    },
  });
  const submit = () => {
    const { content, project, tags, priority } = text;
    const told = {
      ...(project === before.project ? {} : { project_id: project.trim() }),
      ...(tags === before.tags ? {} : { tags: toTags(tags) }),
    };
    const body = {
      ...(content === before.content ? {} : { content }),
      ...(pinned || priority === before.priority ? {} : { priority_score: Number(priority) }),
      ...(Object.keys(told).length === 0 ? {} : { metadata: told }),
    };
    if (Object.keys(body).length === 0) return close();
    save.mutate({
      params: { memory_id: id },
      query: reader === '' ? {} : { agent_id: reader },
      headers: {},
      body,
    });
  };
  return (
    <FormDialog title="Edit this memory" write={save} onSubmit={submit} onClose={close}>
      <MemoryFields text={text} onChange={change} isPinned={pinned} />
    </FormDialog>
  );
}
