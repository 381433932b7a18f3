import { useLocation } from 'wouter';
import type { AgentShape } from '../../../../../src/operations/agents/agent-shapes.ts';
import { removeAgent } from '../../../../../src/operations/agents/agents.ts';
import { useWrite } from '../../../api/use-operation.ts';
import { Confirm } from '../../../kit/dialog.tsx';
import { toast } from '../../../kit/toasts.tsx';

interface RemoveAgentProps {
  readonly agent: AgentShape;
  readonly onClose: () => void;
}

export function RemoveAgent({ agent, onClose }: RemoveAgentProps) {
  const [, navigate] = useLocation();
  const remove = useWrite(removeAgent, {
    changes: ['profiles', 'jobs', 'scheduler'],
    onDone({ agent: { name } }) {
      toast(`${name} is gone.`);
      navigate('/agents', { replace: true });
    },
  });
  return (
    <Confirm
      title={`Remove ${agent.name}?`}
      action="Remove"
      write={remove}
      onConfirm={() => remove.mutate({ params: { agent_id: agent.agent_id } })}
      onClose={onClose}
    >
      Its jobs go with it, and the memories that only it sees. Its files go to agents/.trash; its
      runs, chats and audit lines stay. Export it first if you may want it back.
    </Confirm>
  );
}
