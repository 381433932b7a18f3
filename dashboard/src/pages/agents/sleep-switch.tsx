import type { AgentShape } from '../../../../src/operations/agents/agent-shapes.ts';
import { setAgentStatus } from '../../../../src/operations/agents/agents.ts';
import { useWrite } from '../../api/use-operation.ts';
import { Switch } from '../../kit/fields.tsx';
import { toast, toastError } from '../../kit/toasts.tsx';

/** A sleeping agent takes no runs: they wait until it is awake. */
export function SleepSwitch({ agent }: { readonly agent: AgentShape }) {
  const set = useWrite(setAgentStatus, {
    changes: ['profiles'],
    onDone({ name, status }) {
      toast(status === 'sleeping' ? `${name} sleeps; its runs wait.` : `${name} is awake.`);
    },
  });
  return (
    <Switch
      label={`${agent.name} is awake`}
      isOn={agent.status !== 'sleeping'}
      isDisabled={set.isPending}
      onChange={(isOn) =>
        set.mutate(
          { params: { agent_id: agent.agent_id }, body: { status: isOn ? 'idle' : 'sleeping' } },
          { onError: toastError },
        )
      }
    />
  );
}
