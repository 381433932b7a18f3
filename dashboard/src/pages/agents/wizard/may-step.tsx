import { MemoryChoice } from '../memory-choice.tsx';
import { ModelFields } from '../model-fields.tsx';
import { SkillChoice } from '../skill-choice.tsx';
import type { StepProps } from './new-agent.ts';

export function MayStep({ values, change }: StepProps) {
  return (
    <>
      <SkillChoice skills={values.skills} onChange={(skills) => change({ skills })} />
      <MemoryChoice value={values.memory} onChange={(memory) => change({ memory })} />
      <ModelFields runtime={values.runtime} model={values.model} onChange={change} />
    </>
  );
}
