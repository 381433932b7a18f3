import { type FormEvent, useState } from 'react';
import { changeBudget } from '../../../../src/operations/costs/costs.ts';
import { useWrite } from '../../api/use-operation.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { ErrorNote } from '../../kit/error-note.tsx';
import { Field, TextInput } from '../../kit/fields.tsx';
import { toast } from '../../kit/toasts.tsx';

interface ProjectBudgetProps {
  readonly id: string;
  readonly budget: number | null;
  readonly onClose: () => void;
}

export function ProjectBudget({ id, budget, onClose }: ProjectBudgetProps) {
  const [usd, setUsd] = useState(budget?.toString() ?? '');
  const save = useWrite(changeBudget, {
    changes: ['status', 'projects'],
    onDone() {
      toast('The budget is in force.');
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ body: { project_id: id, budget_usd: usd.trim() } });
  };
  return (
    <Dialog title="Set the budget" onClose={onClose}>
      <form onSubmit={submit}>
        {save.error === null ? null : <ErrorNote error={save.error} />}
        <Field
          label="US dollars"
          hint="For all that this project ever spends. A call that could exceed it is refused before it is made."
        >
          {(ids) => (
            <TextInput
              {...ids}
              required
              inputMode="decimal"
              placeholder="20.00"
              value={usd}
              onChange={(event) => setUsd(event.target.value)}
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" isBusy={save.isPending}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
