import { join } from 'node:path';
import type { Closing } from '../closing-list.ts';
import type { LiveConfig } from '../config/live-config.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import type { NewAgent } from '../core/agents/agent.ts';
import type { Agents } from '../core/agents/agents.ts';
import { createApproveMemory } from '../core/agents/approve-memory.ts';
import { type AgentsDeps, createAgents } from '../core/agents/create-agents.ts';
import { importAgents } from '../core/agents/import-agents.ts';
import { createReadSoul } from '../core/agents/souls.ts';
import type { AgentId, Ids } from '../core/ids.ts';
import type { Logger } from '../core/log.ts';
import type { SecurityEvents } from '../core/observability/security-events.ts';
import type { Parcels } from '../core/parcels/parcels.ts';
import type { Redactor } from '../core/redact/redact.ts';
import type { Storage } from '../core/storage.ts';
import type { Role } from '../open-storage.ts';
import { isInside } from '../platform/is-inside.ts';
import { openAgentFiles } from '../storage/agents/open-agent-files.ts';
import { assembleParcels, type ParcelParts } from './assemble-parcels.ts';

interface AgentOwner {
  forgetAgent(id: AgentId): Promise<void>;
}

export interface AgentGround {
  readonly ids: Ids;
  readonly live: LiveConfig;
  readonly storage: Storage;
  readonly redactor: Redactor;
  readonly logger: Logger;
  readonly securityEvents: Pick<SecurityEvents, 'note'>;
  readonly closing: Closing;
}

/** Agents, with what people see of them on disk. */
export function assembleAgents(ground: AgentGround) {
  const { live, storage, redactor, logger, securityEvents } = ground;
  const { store, runs } = { store: storage.agents, runs: storage.runs };
  const files = openAgentFiles({ root: findAgentRoot(live.current()), logger });
  const needsApproval = () => live.current().config.agents.require_global_memory_approval;
  const shared = { store, files, redactor, logger };
  const readSoul = createReadSoul(shared);
  return {
    readSoul,
    createParcels: (parts: ParcelParts): Parcels =>
      assembleParcels({ ...ground, ...parts, files, readSoul }),
    /** The owners of what belongs to agents forget it with them. */
    createAgents: (models: AgentsDeps['models'], owners: readonly AgentOwner[]): Agents =>
      createAgents({
        ...shared,
        models,
        onRemoved: owners.map(
          (owner) =>
            ({ id }) =>
              owner.forgetAgent(id),
        ),
        runs,
        approveMemory: createApproveMemory({ isRequired: needsApproval, securityEvents }),
      }),
    /** Files matter only where runs are served. */
    async begin(first: NewAgent, role: Role): Promise<void> {
      await store.ensure(first);
      if (role !== 'server') return;
      await importAgents({ ...shared, needsApproval, isShared: storage.engine === 'postgres' });
    },
  };
}

/** Beside the workspace, or with what no tool can reach when the root itself is the workspace. */
export function findAgentRoot({ paths, workspaceDir }: LoadedConfig): string {
  const isReachable = ['souls', 'agents'].some((name) =>
    isInside(workspaceDir, join(paths.root, name)),
  );
  return isReachable ? paths.stateDir : paths.root;
}
