import type { AgentShape } from '../../../../../src/operations/agents/agent-shapes.ts';
import { type KeptForm, useKeptForm } from '../use-kept-form.ts';
import { getPreset, type Preset } from './presets.ts';

/** What the wizard asks for. */
export interface NewAgent {
  readonly preset: string;
  readonly name: string;
  readonly role: string;
  readonly skills: readonly string[];
  readonly memory: AgentShape['memory_access'];
  readonly runtime: AgentShape['runtime'];
  /** Empty: the model of the runtime. */
  readonly model: string;
}

/** Of one step. */
export interface StepProps {
  readonly values: NewAgent;
  readonly change: (part: Partial<NewAgent>) => void;
}

const FIRST = getPreset('assistant');

export function useNewAgent(): KeptForm<NewAgent> {
  return useKeptForm<NewAgent>('agent.new', {
    preset: FIRST.id,
    name: '',
    memory: 'private',
    runtime: 'pincer',
    model: '',
    ...fromPreset(FIRST),
  });
}

export function fromPreset({ role, skills }: Preset): Pick<NewAgent, 'role' | 'skills'> {
  return { role, skills };
}

/** In the words of the operation. */
export function toBody({ preset, name, role, skills, memory, runtime, model }: NewAgent) {
  return {
    name: name.trim(),
    role: role.trim(),
    personality_template: getPreset(preset).template,
    skills: [...skills],
    memory_access: memory,
    ...(runtime === 'openclaw' ? { runtime } : {}),
    ...(model.trim() === '' ? {} : { model: model.trim() }),
  };
}
