import { useAgents } from '../../../kit/agent-select.tsx';
import { Select } from '../../../kit/fields.tsx';

/** Until somebody makes another there is this one. */
export const DEFAULT_AGENT = 'agent_default';

interface AgentChoiceProps {
  readonly value: string;
  readonly onChange: (agentId: string) => void;
}

/** Who is spoken to. */
export function AgentChoice({ value, onChange }: AgentChoiceProps) {
  const { data } = useAgents();
  const agents = data?.agents ?? [];
  const isKnown = agents.some(({ agent_id: id }) => id === value);
  return (
    <Select
      aria-label="Agent"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="max-w-44 text-sm sm:max-w-60"
    >
      {isKnown ? null : <option value={value}>{value}</option>}
      {agents.map(({ agent_id: id, name, role }) => (
        <option key={id} value={id}>
          {role === '' ? name : `${name} – ${role}`}
        </option>
      ))}
    </Select>
  );
}
