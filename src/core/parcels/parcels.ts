import type { Agent, AgentStore } from '../agents/agent.ts';
import { resolveAgent } from '../agents/resolve-agent.ts';
import type { ReadSoul } from '../agents/souls.ts';
import { type ImportParcelDeps, importParcel } from './import-parcel.ts';
import type { ImportOptions, ImportReport } from './import-report.ts';
import type { ParcelContainer } from './parcel-container.ts';
import { type WriteParcelDeps, writeParcel } from './write-parcel.ts';

/** Whole agents in one file. */
export interface Parcels {
  /** The same bytes as long as nothing changes. Throws `not_found` before the first of them. */
  export(reference: string, options: ExportOptions): Promise<AsyncIterable<Uint8Array>>;
  /**
   * All of it or nothing. Throws `unprocessable` for a file that is not what was signed or reaches further than its
   * agent, and refuses what the operator has not allowed; `--preview` tells what that is.
   */
  import(source: AsyncIterable<Uint8Array>, options: ImportOptions): Promise<ImportReport>;
}

interface ExportOptions {
  /** With the logs of its runs, for people to read. */
  readonly withAudit: boolean;
}

export interface ParcelsDeps {
  readonly agents: AgentStore;
  readonly readSoul: ReadSoul;
  readonly container: ParcelContainer;
  readonly writing: WriteParcelDeps;
  readonly taking: ImportParcelDeps;
}

export function createParcels(deps: ParcelsDeps): Parcels {
  return {
    async export(reference, { withAudit }) {
      const agent: Agent = await deps.readSoul(await resolveAgent(deps.agents, reference));
      return deps.container.pack(writeParcel(deps.writing, { agent, withAudit }));
    },

    async import(source, options) {
      const received = await deps.container.receive(source);
      try {
        return await importParcel(deps.taking, received, options);
      } finally {
        await received.close();
      }
    },
  };
}
