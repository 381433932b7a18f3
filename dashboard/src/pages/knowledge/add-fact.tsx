import { Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { addFact } from '../../../../src/operations/knowledge/knowledge.ts';
import { useDraft } from '../../api/use-draft.ts';
import { useWrite } from '../../api/use-operation.ts';
import { AgentSelect } from '../../kit/agent-select.tsx';
import { Button } from '../../kit/button.tsx';
import { ErrorNote } from '../../kit/error-note.tsx';
import { Check, TextField } from '../../kit/fields.tsx';
import { Card } from '../../kit/page.tsx';
import { toast } from '../../kit/toasts.tsx';

const PARTS = [
  { name: 'subject', label: 'Subject', example: 'websocket endpoint', maxChars: 200 },
  { name: 'relation', label: 'Relation', example: 'listens on', maxChars: 100 },
  { name: 'object', label: 'Object', example: 'port 18789', maxChars: 2_000 },
] as const;

export function AddFact({ project }: { readonly project: string }) {
  const [subject, setSubject] = useDraft(`fact.subject.${project}`);
  const [relation, setRelation] = useDraft(`fact.relation.${project}`);
  const [object, setObject] = useDraft(`fact.object.${project}`);
  const [agent, setAgent] = useState('');
  const [isReplacing, setIsReplacing] = useState(false);
  const typed = { subject, relation, object };
  const set = { subject: setSubject, relation: setRelation, object: setObject };
  const add = useWrite(addFact, {
    changes: ['projects'],
    onDone({ replaced }) {
      for (const { name } of PARTS) set[name]('');
      setIsReplacing(false);
      toast(replaced.length === 0 ? 'It is on record.' : 'It is on record, and what was so ended.');
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate({
      body: {
        project_id: project,
        ...typed,
        source: 'user',
        ...(agent === '' ? {} : { agent_id: agent }),
        ...(isReplacing ? { replaces: true } : {}),
      },
    });
  };
  return (
    <Card className="mb-5 px-4 pt-4 pb-3">
      <form aria-label="Add a fact" onSubmit={submit}>
        {add.error === null ? null : <ErrorNote error={add.error} />}
        <div className="grid gap-x-3 sm:grid-cols-3">
          {PARTS.map(({ name, label, example, maxChars }) => (
            <TextField
              key={name}
              label={label}
              required
              maxLength={maxChars}
              placeholder={example}
              value={typed[name]}
              onChange={set[name]}
            />
          ))}
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <AgentSelect
            aria-label="Who says so"
            className="max-w-48"
            value={agent}
            onChange={setAgent}
            none="I say so"
          />
          <Check
            label="It replaces what was so"
            checked={isReplacing}
            onChange={(event) => setIsReplacing(event.target.checked)}
          />
          <Button
            type="submit"
            kind="primary"
            icon={Plus}
            isBusy={add.isPending}
            className="ml-auto"
          >
            Add the fact
          </Button>
        </div>
      </form>
    </Card>
  );
}
