import { useState } from 'react';
import { changeBudget } from '../../../../src/operations/costs/costs.ts';
import { useWrite } from '../../api/use-operation.ts';
import { TextField } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
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
  const submit = () => {
    save.mutate({ body: { project_id: id, budget_usd: usd.trim() } });
  };
  return (
    <FormDialog title="Set the budget" write={save} onSubmit={submit} onClose={onClose}>
      <TextField
        label="US dollars"
        hint="For all that this project ever spends. A call that could exceed it is refused before it is made."
        required
        inputMode="decimal"
        placeholder="20.00"
        value={usd}
        onChange={setUsd}
      />
    </FormDialog>
  );
}
