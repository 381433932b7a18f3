import type { Logger } from '../log.ts';
import type { Models } from '../loop/model.ts';
import type { Redactor } from '../redact/redact.ts';
import type { RunStore } from '../runs/run-store.ts';
import type { Agent, AgentStore } from './agent.ts';
import type { AgentFiles } from './agent-files.ts';
import { createAgentReader } from './agent-reader.ts';
import type { Agents } from './agents.ts';
import type { ApproveMemory } from './approve-memory.ts';
import { changeAgent } from './change-agent.ts';
import { createAgent } from './create-agent.ts';
import { listTemplates } from './personality-template.ts';
import { removeAgent } from './remove-agent.ts';

export interface AgentsDeps {
  readonly store: AgentStore;
  readonly runs: Pick<RunStore, 'list' | 'setAgentStatus'>;
  readonly models: Pick<Models, 'describe'>;
  readonly redactor: Pick<Redactor, 'redactText'>;
  readonly files: AgentFiles;
  readonly approveMemory: ApproveMemory;
  /** What belongs to an agent and goes with it, before it goes itself. */
  readonly onRemoved: readonly ((agent: Agent) => Promise<void>)[];
  readonly logger: Logger;
}

export function createAgents(deps: AgentsDeps): Agents {
  const reader = createAgentReader(deps);
  return {
    ...reader,
    create: (agent) => createAgent(deps, agent),

    async update(reference, change) {
      const changed = await changeAgent(deps, await reader.resolve(reference), change);
      return reader.get(changed.id);
    },

    async setStatus(reference, status) {
      const { id } = await reader.resolve(reference);
      await deps.runs.setAgentStatus(id, status);
      return reader.get(id);
    },

    listTemplates: () => listTemplates(deps.files),

    async remove(reference) {
      const agent = await reader.resolve(reference);
      await removeAgent(deps, agent);
      return agent;
    },
  };
}
