import { removeFact } from '../../../../src/operations/knowledge/knowledge.ts';
import type { FactShape } from '../../../../src/operations/knowledge/knowledge-shapes.ts';
import { useWrite } from '../../api/use-operation.ts';
import { Confirm } from '../../kit/dialog.tsx';
import { toast } from '../../kit/toasts.tsx';

interface RemoveFactProps {
  readonly fact: FactShape;
  readonly reader: string;
  readonly onClose: () => void;
}

export function RemoveFact({ fact, reader, onClose }: RemoveFactProps) {
  const remove = useWrite(removeFact, {
    changes: ['projects'],
    onDone() {
      toast('The fact is gone.');
      onClose();
    },
  });
  const confirm = () =>
    remove.mutate({
      params: { fact_id: fact.fact_id },
      query: reader === '' ? {} : { agent_id: reader },
      headers: {},
    });
  return (
    <Confirm
      title="Delete this fact?"
      action="Delete it"
      write={remove}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p className="mb-2 break-words text-ink">
        {fact.subject} {fact.relation} {fact.object}
      </p>
      It will be as if nobody had ever said it. To end it instead, and keep that it once held, add
      what is so now with “It replaces what was so”.
    </Confirm>
  );
}
