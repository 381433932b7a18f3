import { createHash } from 'node:crypto';
import type { AgentStore } from '../agents/agent.ts';
import { RuntimeError } from '../errors.ts';
import type { AgentId } from '../ids.ts';
import type { CapabilityStore } from '../policy/capability-store.ts';
import type { RunStore } from '../runs/run-store.ts';
import type { SessionStore } from '../sessions/session-store.ts';

export interface ChooseAgentIdDeps {
  readonly agents: Pick<AgentStore, 'find'>;
  readonly runs: Pick<RunStore, 'list'>;
  readonly sessions: Pick<SessionStore, 'list'>;
  readonly capabilities: Pick<CapabilityStore, 'list'>;
}

interface ChosenId {
  readonly id: AgentId;
  /** The parcel was imported before, under this name. */
  readonly isPresent: boolean;
}

/** An agent may be removed and imported again this often. */
const MAX_LIVES = 100;

/**
 * Made of the parcel and of the name it gets, so that the same file again finds the agent that it made. A removed agent
 * leaves its runs, sessions and grants behind; those must not become the new one's.
 */
export async function chooseAgentId(
  deps: ChooseAgentIdDeps,
  parcel: { readonly digest: string; readonly name: string },
): Promise<ChosenId> {
  for (let life = 0; life < MAX_LIVES; life += 1) {
    const id = toAgentId([parcel.digest, parcel.name, life]);
    if (await deps.agents.find(id)) return { id, isPresent: true };
    if (!(await hasPast(deps, id))) return { id, isPresent: false };
    // What looks like the past of a removed agent may be that of one that came in since we looked.
    if (await deps.agents.find(id)) return { id, isPresent: true };
  }
  throw new RuntimeError('limit_reached', `the parcel was imported ${MAX_LIVES} times already`, {
    details: { hint: 'import it under another name with --as' },
  });
}

async function hasPast(deps: ChooseAgentIdDeps, agentId: AgentId): Promise<boolean> {
  const [{ runs }, { sessions }, changes] = await Promise.all([
    deps.runs.list({ agentId, limit: 1 }),
    deps.sessions.list({ agentId, includeClosed: true, limit: 1 }),
    deps.capabilities.list(agentId),
  ]);
  return runs.length + sessions.length + changes.length > 0;
}

/** A UUID, as every agent has that is not given an id: of version 8, for those made in a way of one's own. */
function toAgentId(parts: readonly unknown[]): AgentId {
  const hex = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  const marked = `${hex.slice(0, 12)}8${hex.slice(13, 16)}a${hex.slice(17, 32)}`;
  const cuts = [0, 8, 12, 16, 20, 32];
  return cuts
    .slice(1)
    .map((end, at) => marked.slice(cuts[at], end))
    .join('-') as AgentId;
}
