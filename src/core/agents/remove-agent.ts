import { RuntimeError } from '../errors.ts';
import { DEFAULT_AGENT_ID } from '../ids.ts';
import { isTerminal, RUN_STATUSES } from '../runs/run.ts';
import type { RunStore } from '../runs/run-store.ts';
import type { Agent, AgentStore } from './agent.ts';
import type { AgentFiles } from './agent-files.ts';

export interface RemoveAgentDeps {
  readonly store: Pick<AgentStore, 'remove'>;
  readonly runs: Pick<RunStore, 'list'>;
  readonly files: Pick<AgentFiles, 'discard'>;
  readonly onRemoved: readonly ((agent: Agent) => Promise<void>)[];
}

const OPEN = RUN_STATUSES.filter((status) => !isTerminal(status));

/** Its records stay. After a crash halfway it is still there, and removing it again finishes the job. */
export async function removeAgent(deps: RemoveAgentDeps, agent: Agent): Promise<void> {
  if (agent.id === DEFAULT_AGENT_ID) {
    throw new RuntimeError('conflict', `agent ${agent.id} is always there and can't be removed`, {
      details: { recovery_action: 'Put it to sleep instead, or change what it is.' },
    });
  }
  await assertNoOpenRuns(deps, agent);
  for (const take of deps.onRemoved) await take(agent);
  // Before its row: a definition that outlives its agent would be taken for one to import.
  await deps.files.discard(agent.slug);
  await deps.store.remove(agent.id);
}

async function assertNoOpenRuns({ runs }: RemoveAgentDeps, agent: Agent): Promise<void> {
  const filters = OPEN.map((status) => ({ agentId: agent.id, status, limit: 1 }));
  const pages = await Promise.all(filters.map((filter) => runs.list(filter)));
  const open = pages.flatMap((page) => page.runs.map(({ id }) => id));
  if (open.length === 0) return;
  throw new RuntimeError('conflict', `agent ${agent.slug} has open runs: ${open.join(', ')}`, {
    details: { recovery_action: 'Wait until its runs have ended, or cancel them.' },
  });
}
