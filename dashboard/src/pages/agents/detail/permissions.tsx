import { type FormEvent, useState } from 'react';
import type { AgentShape } from '../../../../../src/operations/agents/agent-shapes.ts';
import { changeAgent } from '../../../../../src/operations/agents/agents.ts';
import { useWrite } from '../../../api/use-operation.ts';
import { Button } from '../../../kit/button.tsx';
import { Confirm } from '../../../kit/dialog.tsx';
import { ErrorNote } from '../../../kit/error-note.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { MemoryChoice, toApproval } from '../memory-choice.tsx';
import { SkillChoice } from '../skill-choice.tsx';
import { useKeptForm } from '../use-kept-form.ts';
import { OpenTools } from './open-tools.tsx';

/** What it may use of what it is granted, and whose memory it has. */
export function Permissions({ agent }: { readonly agent: AgentShape }) {
  const { values, isChanged, change, forget } = useKeptForm(`agent.${agent.agent_id}.permissions`, {
    skills: agent.skills as readonly string[],
    memory: agent.memory_access,
  });
  const [isAsking, setIsAsking] = useState(false);
  const save = useWrite(changeAgent, {
    changes: ['profiles', 'capabilities'],
    onDone() {
      forget();
      toast('Saved. Runs under way see it within a second.');
    },
  });
  const write = () => {
    setIsAsking(false);
    save.mutate({
      params: { agent_id: agent.agent_id },
      headers: toApproval(values.memory),
      body: { skills: [...values.skills], memory_access: values.memory },
    });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (values.memory === 'global' && agent.memory_access !== 'global') setIsAsking(true);
    else write();
  };
  return (
    <form onSubmit={submit} className="max-w-3xl">
      {save.error === null ? null : <ErrorNote error={save.error} />}
      <SkillChoice skills={values.skills} onChange={(skills) => change({ skills })} />
      <MemoryChoice value={values.memory} onChange={(memory) => change({ memory })} />
      <OpenTools agentId={agent.agent_id} skills={values.skills} />
      <div className="flex gap-2">
        <Button type="submit" kind="primary" disabled={!isChanged} isBusy={save.isPending}>
          Save
        </Button>
        {isChanged ? <Button onClick={forget}>Discard</Button> : null}
      </div>
      {isAsking ? (
        <Confirm
          title={`Share memory with ${agent.name}?`}
          action="Share"
          onConfirm={write}
          onClose={() => setIsAsking(false)}
        >
          It will read what all agents share, and what it remembers from now on is read by them.
        </Confirm>
      ) : null}
    </form>
  );
}
