import { useLocation } from 'wouter';
import type { AgentShape } from '../../../../../src/operations/agents/agent-shapes.ts';
import { removeAgent } from '../../../../../src/operations/agents/agents.ts';
import { useWrite } from '../../../api/use-operation.ts';
import { Confirm } from '../../../kit/dialog.tsx';
import { ErrorNote } from '../../../kit/error-note.tsx';
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
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate({ params: { agent_id: agent.agent_id } })}
      onClose={onClose}
    >
      <p>
        Its jobs go with it, and the memories that only it sees. Its files go to agents/.trash; its
        runs, chats and audit lines stay. Export it first if you may want it back.
      </p>
      {remove.error === null ? null : (
        <div className="mt-3">
          <ErrorNote error={remove.error} />
        </div>
      )}
    </Confirm>
  );
}
