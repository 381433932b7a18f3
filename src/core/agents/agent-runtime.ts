import { RuntimeError } from '../errors.ts';
import type { Models } from '../loop/model.ts';

/** Where an agent lives: in this runtime, or in an OpenClaw gateway. */
export const AGENT_RUNTIMES = ['pincer', 'openclaw'] as const;
export type AgentRuntime = (typeof AGENT_RUNTIMES)[number];

/** Names the default agent of the gateway when nothing follows. */
export const REMOTE_PROVIDER = 'openclaw';
const PREFIX = `${REMOTE_PROVIDER}/`;

/** An agent that lives in a gateway is asked as a model is, so its model says where it lives: `openclaw/main`. */
export function runtimeOf({ model }: { readonly model: string | undefined }): AgentRuntime {
  return model?.startsWith(PREFIX) ? 'openclaw' : 'pincer';
}

export interface GivenRuntime {
  readonly runtime: AgentRuntime | undefined;
  readonly model: string | null | undefined;
  /** Of the agent as it is, where there is one. */
  readonly current: string | undefined;
}

/** The model that an agent gets with its runtime; undefined when it keeps what it has. */
export async function chooseModel(
  models: Pick<Models, 'describe'>,
  { runtime, model, current }: GivenRuntime,
): Promise<string | null | undefined> {
  if (runtime === undefined) return model;
  const isRemote = (reference: string | null | undefined) =>
    typeof reference === 'string' && reference.startsWith(PREFIX);
  if (runtime === 'pincer') {
    if (isRemote(model)) throw contradictory(`${PREFIX}… is for agents with runtime openclaw`);
    return model === undefined && isRemote(current) ? null : model;
  }
  if (isRemote(model)) return model;
  if (model) throw contradictory(`an agent with runtime openclaw is named as ${PREFIX}NAME`);
  if (model === undefined && isRemote(current)) return undefined;
  const { provider, name } = await models.describe(REMOTE_PROVIDER);
  return `${provider}/${name}`;
}

function contradictory(why: string): RuntimeError {
  return new RuntimeError('invalid_input', `runtime and model do not fit: ${why}`, {
    details: { field: 'model' },
  });
}
