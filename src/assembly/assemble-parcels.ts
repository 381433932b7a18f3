import type { LiveConfig } from '../config/live-config.ts';
import type { Agent } from '../core/agents/agent.ts';
import type { AgentFiles } from '../core/agents/agent-files.ts';
import type { ReadSoul } from '../core/agents/souls.ts';
import { toRuntimeError } from '../core/errors.ts';
import type { Ids } from '../core/ids.ts';
import type { Logger } from '../core/log.ts';
import type { Models } from '../core/loop/model.ts';
import type { Parcels, ParcelsDeps } from '../core/parcels/parcels.ts';
import type { Capabilities } from '../core/policy/capabilities.ts';
import { OPERATOR } from '../core/principal.ts';
import type { Redactor } from '../core/redact/redact.ts';
import type { SkillKeys } from '../core/skills/release-signature.ts';
import type { Skills } from '../core/skills/skills.ts';
import type { Storage } from '../core/storage.ts';
import type { ToolRegistry } from '../core/tools/registry.ts';

/** What is made after agents are. */
export interface ParcelParts {
  readonly models: Models;
  readonly registry: ToolRegistry;
  readonly capabilities: Capabilities;
  readonly skills: Pick<Skills, 'releases' | 'shelf'>;
  readonly skillKeys: SkillKeys;
  /** Memories have come in. */
  readonly noteMemories: () => void;
}

export interface ParcelGround extends ParcelParts {
  readonly live: LiveConfig;
  readonly storage: Storage;
  readonly ids: Ids;
  readonly redactor: Redactor;
  readonly logger: Logger;
  readonly files: AgentFiles;
  readonly readSoul: ReadSoul;
}

/** Whole agents in one file. Nothing of it is loaded before somebody exports or imports one. */
export function assembleParcels(ground: ParcelGround): Parcels {
  let opened: Promise<Parcels> | undefined;
  const open = () => {
    opened ??= openParcels(ground);
    return opened;
  };
  return {
    export: async (reference, options) => (await open()).export(reference, options),
    import: async (source, options) => (await open()).import(source, options),
  };
}

async function openParcels(ground: ParcelGround): Promise<Parcels> {
  const { createParcels } = await import('../core/parcels/parcels.ts');
  const { packEntries } = await import('../storage/parcels/pack-entries.ts');
  const { receiveParcel } = await import('../storage/parcels/receive-parcel.ts');
  const { storage, skills, redactor, skillKeys } = ground;
  const { releases } = skills;
  return createParcels({
    agents: storage.agents,
    readSoul: ground.readSoul,
    container: { pack: packEntries, receive: receiveParcel },
    writing: { ...storage, releases, redactor, getKey: () => skillKeys.getOwn() },
    taking: toTaking(ground),
  });
}

function toTaking(ground: ParcelGround): ParcelsDeps['taking'] {
  const { live, storage, ids, redactor, models, registry, skills, skillKeys } = ground;
  const { capabilities } = ground;
  return {
    ...{ ids, redactor, models, registry, capabilities, keys: skillKeys },
    ...{ agents: storage.agents, imports: storage.imports, releases: skills.releases },
    store: storage,
    needsMemoryApproval: () => live.current().config.agents.require_global_memory_approval,
    jobBounds(owner) {
      const { max_jobs: maxJobs, max_jobs_per_principal: maxOfOwner } =
        live.current().config.scheduler;
      return owner === OPERATOR ? { maxJobs } : { maxJobs, maxOfOwner };
    },
    onImported: (agent) => settle(ground, agent),
  };
}

/** What others remember of the store is out of date. The import itself is done, whatever comes of this. */
async function settle(ground: ParcelGround, agent: Agent): Promise<void> {
  ground.noteMemories();
  const done = await Promise.allSettled([
    ground.files.write(agent),
    ground.capabilities.refresh(),
    ground.skills.shelf.refresh(),
  ]);
  for (const one of done) {
    if (one.status === 'fulfilled') continue;
    const { message } = toRuntimeError(one.reason);
    ground.logger.warn({ agent_id: agent.id }, `after the import of ${agent.slug}: ${message}`);
  }
  ground.logger.info({ agent_id: agent.id }, 'an agent was imported');
}
