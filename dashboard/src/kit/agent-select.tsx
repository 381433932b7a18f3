import type { ComponentProps } from 'react';
import { listAgents } from '../../../src/operations/agents/agents.ts';
import { useRead } from '../api/use-operation.ts';
import { Select } from './fields.tsx';

const MAX_AGENTS = 200;

/** The agents there are, by id; those beyond the first 200 are named by their id. */
export function useAgents() {
  return useRead(listAgents, { query: { limit: MAX_AGENTS } });
}

/** Of an agent by its id; the id itself for one that is gone. */
export function useAgentName(): (id: string) => string {
  const agents = useAgents().data?.agents ?? [];
  return (id) => agents.find(({ agent_id }) => agent_id === id)?.name ?? id;
}

interface AgentSelectProps extends Omit<ComponentProps<'select'>, 'onChange' | 'value'> {
  /** An agent's id; empty for none. */
  readonly value: string;
  readonly onChange: (agentId: string) => void;
  /** What none means: "All agents". Left out, one has to be chosen. */
  readonly none?: string;
}

export function AgentSelect({ value, onChange, none, ...rest }: AgentSelectProps) {
  const agents = useAgents().data?.agents ?? [];
  const isListed = value === '' || agents.some(({ agent_id }) => agent_id === value);
  return (
    <Select {...rest} value={value} onChange={(event) => onChange(event.target.value)}>
      {none === undefined ? null : <option value="">{none}</option>}
      {isListed ? null : <option value={value}>{value}</option>}
      {agents.map(({ agent_id, name }) => (
        <option key={agent_id} value={agent_id}>
          {name}
        </option>
      ))}
    </Select>
  );
}
