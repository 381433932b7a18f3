import type { AgentShape } from '../../../../src/operations/agents/agent-shapes.ts';
import { type State, StateBadge } from '../../kit/state-badge.tsx';

const STATES: Readonly<Record<AgentShape['status'], readonly [State, string]>> = {
  idle: ['ok', 'awake'],
  busy: ['busy', 'at work'],
  sleeping: ['off', 'sleeping'],
};

export function AgentBadge({ status }: { readonly status: AgentShape['status'] }) {
  const [state, words] = STATES[status];
  return <StateBadge state={state}>{words}</StateBadge>;
}

export function describeHome({ runtime }: Pick<AgentShape, 'runtime'>): string {
  return runtime === 'openclaw' ? 'OpenClaw gateway' : 'here';
}

export function describeModel({ model }: Pick<AgentShape, 'model'>): string {
  return model ?? "the runtime's";
}

/** One address for everything about one agent. */
export function toAgentPath(agentId: string, tab = ''): string {
  const path = `/agents/${encodeURIComponent(agentId)}`;
  return tab === '' ? path : `${path}/${tab}`;
}
