import type { AgentShape } from '../../../../../src/operations/agents/agent-shapes.ts';
import { useKeptForm } from '../use-kept-form.ts';

export interface SoulDraft {
  readonly text: string;
  /** The soul that this was made of. */
  readonly base: string;
  readonly isChanged: boolean;
  /** Somebody else changed it since: neither is thrown away unseen. */
  readonly isConflict: boolean;
  readonly write: (text: string) => void;
  /** What there is now has been seen: what was typed may stand instead of it. */
  readonly keepMine: () => void;
  readonly forget: () => void;
}

/** While nothing is typed the soul is shown as it is, whoever changes it. */
export function useSoulDraft({ agent_id, instructions }: AgentShape): SoulDraft {
  const form = useKeptForm(`agent.${agent_id}.soul`, { text: instructions, base: instructions });
  const { text, base } = form.values;
  const isChanged = text !== instructions;
  return {
    text,
    base,
    isChanged,
    isConflict: isChanged && base !== instructions,
    write: (next) => (next === base ? form.forget() : form.change({ text: next, base })),
    keepMine: () => form.change({ base: instructions }),
    forget: form.forget,
  };
}
