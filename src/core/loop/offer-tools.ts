import type { Agent } from '../agents/agent.ts';
import type { DescribeGranted } from '../tools/granted-tools.ts';
import type { ModelSettings, ToolDescription } from './model.ts';
import type { RunState } from './run-state.ts';

export interface OfferToolsDeps {
  readonly describeGranted: DescribeGranted;
}

interface Offer {
  readonly agent: Pick<Agent, 'id'>;
  /** Whom the run acts for. */
  readonly owner: string;
  readonly state: RunState;
}

/** What a model may call in its next turn: what the agent is granted, and what the caller carries out. */
export function offerTools(
  { describeGranted }: OfferToolsDeps,
  { agent, owner, state }: Offer,
): readonly ToolDescription[] {
  const { clientTools } = state;
  const choice = findToolChoice(state);
  // One that must be called is the caller's: ours would answer in its place.
  if (choice === 'required') return [...clientTools];
  if (typeof choice === 'object') return clientTools.filter(({ name }) => name === choice.tool);
  // A tool that came later under a name of the client's does not take its place.
  const taken = new Set(clientTools.map(({ name }) => name));
  const granted = describeGranted(agent.id, owner);
  const own = taken.size === 0 ? granted : granted.filter(({ name }) => !taken.has(name));
  return choice === 'none' || taken.size === 0 ? own : [...own, ...clientTools];
}

/** What must be called is called once: the turn that follows decides by itself. */
function findToolChoice(state: RunState): ModelSettings['toolChoice'] {
  const choice = state.prompt?.settings.toolChoice;
  if (choice === undefined || choice === 'none') return choice;
  return state.totals.turns === 0 ? choice : undefined;
}

/** The settings of this turn; undefined where nobody has given any. */
export function settingsOf(state: RunState): ModelSettings | undefined {
  if (!state.prompt) return undefined;
  const { toolChoice: _, ...settings } = state.prompt.settings;
  const toolChoice = findToolChoice(state);
  // Without the tools there is nothing to forbid.
  return toolChoice === undefined || toolChoice === 'none' ? settings : { ...settings, toolChoice };
}
