import { ingestMemory } from '../../../../src/operations/memory/memory.ts';
import { useDraft } from '../../api/use-draft.ts';
import { useWrite } from '../../api/use-operation.ts';
import { AgentSelect, useAgents } from '../../kit/agent-select.tsx';
import { Field } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import { toast } from '../../kit/toasts.tsx';
import { MemoryFields, toTags } from './memory-fields.tsx';
import { useMemoryText } from './use-memory-text.ts';

interface AddMemoryProps {
  /** Of what is looked at. */
  readonly project: string;
  readonly onClose: () => void;
  readonly onAdded: (id: string) => void;
}

const DEFAULT_PROJECT = 'proj_001';
const DEFAULT_PRIORITY = '5';

export function AddMemory({ project, onClose, onAdded }: AddMemoryProps) {
  const { text, change, forget } = useMemoryText('memory.new', {
    content: '',
    project: project === '' ? DEFAULT_PROJECT : project,
    tags: '',
    priority: DEFAULT_PRIORITY,
  });
  const [chosen, setChosen] = useDraft('memory.new.agent');
  const agents = useAgents().data?.agents ?? [];
  const agent = chosen === '' ? (agents[0]?.agent_id ?? '') : chosen;
  const add = useWrite(ingestMemory, {
    changes: ['knowledge'],
    onDone({ memory_id: id }) {
      forget();
      setChosen('');
      toast('It is remembered.');
      onAdded(id);
    },
  });
  const submit = () => {
    add.mutate({
      headers: {},
      body: {
        content: text.content,
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
    <FormDialog
      title="Add a memory"
      action="Remember it"
      isDisabled={agent === ''}
      write={add}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="For" hint="An agent with private memory keeps it to itself.">
        {(ids) => <AgentSelect {...ids} value={agent} onChange={setChosen} />}
      </Field>
      <MemoryFields text={text} onChange={change} />
    </FormDialog>
  );
}
