import type { AgentStore } from '../agents/agent.ts';
import { runtimeOf } from '../agents/agent-runtime.ts';
import { RuntimeError } from '../errors.ts';
import type { CompletionRequest, Target } from './completions.ts';
import { findReference, type ListModelsDeps } from './list-models.ts';

export interface MannerDeps extends Pick<ListModelsDeps, 'models'> {
  readonly agents: Pick<AgentStore, 'find'>;
}

/** On refusals of what is known and not served. */
export const UNSUPPORTED = 'unsupported';

/**
 * An agent that lives in a gateway is told what was said and nothing else: it decides there how to answer, and with which
 * tools. A caller who asked for more would take an answer for what it is not.
 */
export async function assertFollowsManner(
  { agents, models }: MannerDeps,
  { agentId, model }: Target,
  { manner }: Pick<CompletionRequest, 'manner'>,
): Promise<void> {
  const [field] = manner;
  if (field === undefined) return;
  const reference = model ?? (await agents.find(agentId))?.model;
  const asked = await findReference(models, reference);
  if (runtimeOf({ model: asked }) === 'pincer') return;
  throw new RuntimeError(
    'invalid_input',
    `${field} is not supported: the agent lives in an OpenClaw gateway, which decides how it answers. Leave it out, or ask an agent of this runtime`,
    { details: { field, reason: UNSUPPORTED } },
  );
}
