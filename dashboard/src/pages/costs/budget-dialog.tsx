import { type FormEvent, useState } from 'react';
import type { BudgetShape } from '../../../../src/operations/costs/cost-shapes.ts';
import { setBudget } from '../../../../src/operations/costs/costs.ts';
import { useWrite } from '../../api/use-operation.ts';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { ErrorNote } from '../../kit/error-note.tsx';
import { Field, Select, TextInput } from '../../kit/fields.tsx';
import { toast } from '../../kit/toasts.tsx';

interface BudgetDialogProps {
  readonly budget?: BudgetShape;
  readonly onClose: () => void;
}

const SCOPES = {
  day: 'each day, all agents',
  run: 'each run',
  agent: 'an agent',
  project: 'a project',
} as const;

export function BudgetDialog({ budget, onClose }: BudgetDialogProps) {
  const [scope, setScope] = useState<keyof typeof SCOPES>(budget?.scope ?? 'day');
  const [of, setOf] = useState(budget?.agent_id ?? budget?.project_id ?? '');
  const [usd, setUsd] = useState(budget?.budget_usd?.toString() ?? '');
  const [tokens, setTokens] = useState(budget?.budget_tokens?.toString() ?? '');
  const save = useWrite(setBudget, {
    changes: ['status'],
    onDone() {
      toast('The budget is in force.');
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({
      body: {
        scope,
        ...(scope === 'agent' ? { agent_id: of.trim() } : {}),
        ...(scope === 'project' ? { project_id: of.trim() } : {}),
        budget_usd: usd.trim() === '' ? null : usd.trim(),
        budget_tokens: tokens.trim() === '' ? null : Number(tokens),
      },
    });
  };
  return (
    <Dialog title={budget === undefined ? 'Set a budget' : 'Change the budget'} onClose={onClose}>
      <form onSubmit={submit}>
        {save.error === null ? null : <ErrorNote error={save.error} />}
        <Field label="For">
          {(ids) => (
            <Select
              {...ids}
              disabled={budget !== undefined}
              value={scope}
              onChange={(event) => setScope(event.target.value as keyof typeof SCOPES)}
            >
              {Object.entries(SCOPES).map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </Select>
          )}
        </Field>
        {scope === 'agent' || scope === 'project' ? (
          <Field label={scope === 'agent' ? 'Which agent' : 'Which project'} hint="Its id.">
            {(ids) => (
              <TextInput
                {...ids}
                required
                disabled={budget !== undefined}
                value={of}
                onChange={(event) => setOf(event.target.value)}
              />
            )}
          </Field>
        ) : null}
        <Field label="US dollars" hint="Empty: no limit in money.">
          {(ids) => (
            <TextInput
              {...ids}
              inputMode="decimal"
              value={usd}
              onChange={(event) => setUsd(event.target.value)}
            />
          )}
        </Field>
        <Field label="Tokens" hint="Empty: no limit in tokens.">
          {(ids) => (
            <TextInput
              {...ids}
              inputMode="numeric"
              value={tokens}
              onChange={(event) => setTokens(event.target.value)}
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
