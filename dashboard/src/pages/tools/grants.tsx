import type { FormEvent } from 'react';
import { listAgents } from '../../../../src/operations/agents/agents.ts';
import {
  changeCapability,
  listCapabilities,
} from '../../../../src/operations/capabilities/capabilities.ts';
import { listTools } from '../../../../src/operations/tools/tools.ts';
import { useDraft } from '../../api/use-draft.ts';
import { useRead, useWrite } from '../../api/use-operation.ts';
import { Button } from '../../kit/button.tsx';
import { Field, Select, Switch, TextField } from '../../kit/fields.tsx';
import { Loaded } from '../../kit/loaded.tsx';
import { Section } from '../../kit/page.tsx';
import { Table } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { toast, toastError } from '../../kit/toasts.tsx';
import { useExactParams } from '../../kit/use-exact-params.ts';
import { StandingAnswers } from './standing-answers.tsx';

/** Who may use what. Everything that is not granted is refused. */
export function Grants() {
  const [parameters, setParameters] = useExactParams();
  const agentId = parameters.get('agent') ?? 'agent_default';
  const agents = useRead(listAgents, { query: { limit: 200 } });
  const granted = useRead(listCapabilities, { params: { agent_id: agentId } });
  const known = agents.data?.agents.map(({ agent_id }) => agent_id) ?? [];
  return (
    <>
      <StandingAnswers />
      <div className="max-w-xs">
        <Field label="Agent">
          {(ids) => (
            <Select
              {...ids}
              value={agentId}
              onChange={(event) => setParameters({ agent: event.target.value }, { replace: true })}
            >
              {(known.includes(agentId) ? known : [agentId, ...known]).map((id) => (
                <option key={id}>{id}</option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <Loaded query={granted}>
        {({ granted: tools, changes }) => (
          <>
            <GrantTable agentId={agentId} granted={tools} />
            <AddGrant agentId={agentId} />
            {changes.length === 0 ? null : (
              <Section title="What operators changed">
                <ul className="space-y-1 text-sm text-muted">
                  {changes.map(({ tool, effect, by, at }) => (
                    <li key={tool + at}>
                      <Time at={at} /> · {by} {effect === 'grant' ? 'granted' : 'took away'}{' '}
                      <code>{tool}</code>
                    </li>
                  ))}
                </ul>
              </Section>
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

interface GrantTableProps {
  readonly agentId: string;
  readonly granted: readonly string[];
}

function GrantTable({ agentId, granted }: GrantTableProps) {
  const tools = useRead(listTools, {});
  const change = useWrite(changeCapability);
  const own = new Set(granted);
  return (
    <Loaded query={tools}>
      {({ tools: all }) => (
        <Table
          label={`What ${agentId} may use`}
          rows={all}
          keyOf={({ name }) => name}
          columns={[
            { label: 'Tool', cell: ({ name }) => name },
            {
              label: 'Effect',
              cell: ({ effect }) => (effect === 'write' ? 'changes things' : 'only looks'),
            },
            {
              label: 'Granted',
              align: 'right',
              cell: ({ name }) => (
                <Switch
                  label={`${agentId} may use ${name}`}
                  isOn={own.has(name)}
                  isDisabled={change.isPending}
                  onChange={(isOn) =>
                    change.mutate(
                      {
                        params: { agent_id: agentId },
                        body: { tool: name, effect: isOn ? 'grant' : 'revoke' },
                      },
                      { onError: toastError },
                    )
                  }
                />
              ),
            },
          ]}
        />
      )}
    </Loaded>
  );
}

/** For tools that are not there yet, and for whole groups. */
function AddGrant({ agentId }: { readonly agentId: string }) {
  const [tool, setTool] = useDraft(`grant.${agentId}`);
  const change = useWrite(changeCapability, {
    onDone() {
      toast(`${agentId} may use ${tool}.`);
      setTool('');
    },
  });
  const add = (event: FormEvent) => {
    event.preventDefault();
    const body = { tool: tool.trim(), effect: 'grant' as const };
    change.mutate({ params: { agent_id: agentId }, body }, { onError: toastError });
  };
  return (
    <form onSubmit={add} className="my-6 flex max-w-md items-end gap-2">
      <div className="flex-1">
        <TextField
          label="Grant by name"
          hint="A tool, or a prefix that ends in *: mcp__files__*"
          required
          value={tool}
          onChange={setTool}
        />
      </div>
      <Button type="submit" isBusy={change.isPending} className="mb-9">
        Grant
      </Button>
    </form>
  );
}
