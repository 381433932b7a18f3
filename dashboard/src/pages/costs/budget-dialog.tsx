import type { BudgetShape } from '../../../../src/operations/costs/cost-shapes.ts';
import { setBudget } from '../../../../src/operations/costs/costs.ts';
import { useDraft } from '../../api/use-draft.ts';
import { useWrite } from '../../api/use-operation.ts';
import { Field, Select, TextField } from '../../kit/fields.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
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
  const owner = budget?.agent_id ?? budget?.project_id ?? '';
  const before = {
    scope: budget?.scope ?? 'day',
    usd: budget?.budget_usd?.toString() ?? '',
    tokens: budget?.budget_tokens?.toString() ?? '',
  };
  const place = budget === undefined ? 'budget.new' : `budget.${budget.scope}.${owner}`;
  const [typedScope, setScope] = useDraft(`${place}.scope`, before.scope);
  const [of, setOf] = useDraft(`${place}.of`, owner);
  const [usd, setUsd] = useDraft(`${place}.usd`, before.usd);
  const [tokens, setTokens] = useDraft(`${place}.tokens`, before.tokens);
  const scope = typedScope as keyof typeof SCOPES;
  const forget = () => {
    setScope(before.scope);
    setOf(owner);
    setUsd(before.usd);
    setTokens(before.tokens);
  };
  const cancel = () => {
    // What was not set must not pass for the budget that there is.
    if (budget !== undefined) forget();
    onClose();
  };
  const save = useWrite(setBudget, {
    changes: ['status'],
    onDone() {
      forget();
      toast('The budget is in force.');
      onClose();
    },
  });
  const submit = () => {
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
    <FormDialog
      title={budget === undefined ? 'Set a budget' : 'Change the budget'}
      write={save}
      onSubmit={submit}
      onClose={cancel}
    >
      <Field label="For">
        {(ids) => (
          <Select
            {...ids}
            disabled={budget !== undefined}
            value={scope}
            onChange={(event) => setScope(event.target.value)}
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
        <TextField
          label={scope === 'agent' ? 'Which agent' : 'Which project'}
          hint="Its id."
          required
          disabled={budget !== undefined}
          value={of}
          onChange={setOf}
        />
      ) : null}
      <TextField
        label="US dollars"
        hint="Empty: no limit in money."
        inputMode="decimal"
        value={usd}
        onChange={setUsd}
      />
      <TextField
        label="Tokens"
        hint="Empty: no limit in tokens."
        inputMode="numeric"
        pattern="\s*[0-9]*\s*"
        title="A whole number, or nothing"
        value={tokens}
        onChange={setTokens}
      />
    </FormDialog>
  );
}
