import { ArrowLeft, ArrowRight, Sparkles } from 'lucide-react';
import type { FormEvent } from 'react';
import { useLocation } from 'wouter';
import { createAgent } from '../../../../../src/operations/agents/agents.ts';
import { useWrite } from '../../../api/use-operation.ts';
import { Button, LinkButton } from '../../../kit/button.tsx';
import { ErrorNote } from '../../../kit/error-note.tsx';
import { Page } from '../../../kit/page.tsx';
import { toast } from '../../../kit/toasts.tsx';
import { toAgentPath } from '../agent-state.tsx';
import { toApproval } from '../memory-choice.tsx';
import { CheckStep } from './check-step.tsx';
import { MayStep } from './may-step.tsx';
import { type StepProps, toBody, useNewAgent } from './new-agent.ts';
import { StepList } from './step-list.tsx';
import { WhoStep } from './who-step.tsx';

const STEPS = ['who', 'may', 'check'] as const;

/** Three short steps, and a way out after the first: a name is all that is needed. */
export function SpawnWizard({ step = 'who' }: { readonly step: string | undefined }) {
  const [, navigate] = useLocation();
  const { values, change, forget } = useNewAgent();
  const spawn = useWrite(createAgent, {
    changes: ['profiles'],
    onDone({ agent_id, name }) {
      forget();
      toast(`${name} is here.`);
      navigate(toAgentPath(agent_id), { replace: true });
    },
  });
  const at = Math.max(0, STEPS.indexOf(step as (typeof STEPS)[number]));
  const isLast = at === STEPS.length - 1;
  const isNamed = values.name.trim() !== '';
  const create = () => spawn.mutate({ headers: toApproval(values.memory), body: toBody(values) });
  const goOn = (event: FormEvent) => {
    event.preventDefault();
    if (isLast) create();
    else navigate(`/agents/new/${STEPS[at + 1]}`);
  };
  return (
    <Page title="New agent" lead="Everything here can be changed later.">
      <StepList at={at} isNamed={isNamed} />
      <form onSubmit={goOn} className="max-w-3xl">
        {spawn.error === null ? null : <ErrorNote error={spawn.error} />}
        <Step at={at} values={values} change={change} />
        <div className="mt-6 flex flex-wrap items-center gap-2 border-t border-line pt-4">
          {at === 0 ? (
            <LinkButton to="/agents">Cancel</LinkButton>
          ) : (
            <Button icon={ArrowLeft} onClick={() => navigate(`/agents/new/${STEPS[at - 1]}`)}>
              Back
            </Button>
          )}
          <span className="flex-1" />
          {isLast ? null : (
            <Button isBusy={spawn.isPending} disabled={!isNamed} icon={Sparkles} onClick={create}>
              Create now
            </Button>
          )}
          <Button
            type="submit"
            kind="primary"
            icon={isLast ? Sparkles : ArrowRight}
            isBusy={isLast && spawn.isPending}
            disabled={isLast && !isNamed}
          >
            {isLast ? 'Create' : 'Next'}
          </Button>
        </div>
      </form>
    </Page>
  );
}

function Step({ at, ...props }: StepProps & { readonly at: number }) {
  if (at === 0) return <WhoStep {...props} />;
  return at === 1 ? <MayStep {...props} /> : <CheckStep values={props.values} />;
}
