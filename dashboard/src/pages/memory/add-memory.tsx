import { type FormEvent, useState } from 'react';
import { ingestMemory } from '../../../../src/operations/memory/memory.ts';
import { useDraft } from '../../api/use-draft.ts';
import { useWrite } from '../../api/use-operation.ts';
import { AgentSelect, useAgents } from '../../kit/agent-select.tsx';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { ErrorNote } from '../../kit/error-note.tsx';
import { Field } from '../../kit/fields.tsx';
import { toast } from '../../kit/toasts.tsx';
import { MemoryFields, type MemoryText, toTags } from './memory-fields.tsx';

interface AddMemoryProps {
  /** Of what is looked at. */
  readonly project: string;
  readonly onClose: () => void;
  readonly onAdded: (id: string) => void;
}

const DEFAULT_PROJECT = 'proj_001';
const DEFAULT_PRIORITY = '5';

export function AddMemory({ project, onClose, onAdded }: AddMemoryProps) {
  const [content, setContent] = useDraft('memory.new');
  const [rest, setRest] = useState({
    project: project === '' ? DEFAULT_PROJECT : project,
    tags: '',
    priority: DEFAULT_PRIORITY,
  });
  const [chosen, setChosen] = useState('');
  const agents = useAgents().data?.agents ?? [];
  const agent = chosen === '' ? (agents[0]?.agent_id ?? '') : chosen;
  const add = useWrite(ingestMemory, {
    changes: ['knowledge'],
    onDone({ memory_id: id }) {
      setContent('');
      toast('It is remembered.');
      onAdded(id);
    },
  });
  const text: MemoryText = { content, ...rest };
  const change = ({ content: typed, ...part }: Partial<MemoryText>) => {
    if (typed !== undefined) setContent(typed);
    setRest((before) => ({ ...before, ...part }));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate({
      headers: {},
      body: {
        content,
        priority_score: Number(text.priority),
        // What is typed here is told by its owner, as in a chat.
        metadata: {
          agent_id: agent,
          project_id: text.project.trim(),
          source: 'chat',
          tags: toTags(text.tags),
        },
      },
    });
  };
  return (
    <Dialog title="Add a memory" onClose={onClose}>
      <form onSubmit={submit}>
        {add.error === null ? null : <ErrorNote error={add.error} />}
        <Field label="For" hint="An agent with private memory keeps it to itself.">
          {(ids) => <AgentSelect {...ids} value={agent} onChange={setChosen} />}
        </Field>
        <MemoryFields text={text} onChange={change} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" isBusy={add.isPending} disabled={agent === ''}>
            Remember it
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
