import type { Closing } from '../closing-list.ts';
import type { LiveConfig } from '../config/live-config.ts';
import type { LoadedConfig } from '../config/load-config.ts';
import { systemClock } from '../core/clock.ts';
import type { Seal } from '../core/events/seal.ts';
import type { Ids } from '../core/ids.ts';
import type { SwitchWatch } from '../core/kill-switch/kill-switch.ts';
import type { Logger } from '../core/log.ts';
import type { Redactor } from '../core/redact/redact.ts';
import type { Secrets } from '../core/secrets/secrets.ts';
import { findManifest } from '../core/skills/find-manifest.ts';
import type { Storage } from '../core/storage.ts';
import type { Threads } from '../core/threads/threads.ts';
import type { ToolRunner } from '../core/tools/tool-runner.ts';
import type { Role } from '../open-storage.ts';
import { assembleComms } from './assemble-comms.ts';
import { assembleIntegrations } from './assemble-integrations.ts';
import { createLiveProviders } from './assemble-models.ts';
import { assembleProjector } from './assemble-projection.ts';
import { assembleRetention } from './assemble-retention.ts';
import { assembleSkills } from './assemble-skills.ts';
import { assembleWorkers } from './assemble-workers.ts';

export interface ControlGround {
  readonly loaded: LoadedConfig;
  readonly live: LiveConfig;
  readonly storage: Storage;
  readonly secrets: Secrets;
  readonly ids: Ids;
  readonly redactor: Redactor;
  readonly logger: Logger;
  readonly role: Role;
  readonly killSwitch: Pick<SwitchWatch, 'assertOff'>;
}

/** What is made after these parts are, since it calls tools. */
export interface ControlParts {
  readonly tools: ToolRunner;
  readonly threads: Threads;
  readonly seal: Seal;
}

/** Skills, workers, deliveries and tool packs: what a product's back end adds to runs, and what keeps house behind it. */
export function assembleControlPlane(ground: ControlGround) {
  const { live, role } = ground;
  const integrations = assembleIntegrations(ground);
  const { skills, keys, tools } = assembleSkills(ground);
  const hosting = assembleWorkers(ground);
  const janitor = assembleRetention({ ...ground, config: () => live.current().config.events });
  const projector = assembleProjector(ground);
  const comms = assembleComms(ground);
  const isServer = role === 'server';
  return {
    tools: [...integrations.tools, ...tools],
    skills,
    skillKeys: keys,
    createServices: (parts: ControlParts) => ({
      skills,
      comms,
      workers: hosting.workers,
      workerOversight: hosting.oversight,
      panel: integrations.panel,
      modelProviders: createLiveProviders({ ...ground, clock: systemClock }),
      integrations: integrations.create({
        ...parts,
        assertMayCall: () => ground.killSwitch.assertOff(),
        findToolSpec: (reference, principal) => findManifest(skills.registry, reference, principal),
      }),
    }),

    /** Only a server hosts workers, deletes old events and feeds the sink. */
    async start(closing: Closing): Promise<void> {
      if (!isServer) return;
      closing.add(() => hosting.stop());
      await hosting.start();
      closing.add(() => janitor.stop());
      janitor.start();
      if (projector === undefined) return;
      closing.add(() => projector.stop());
      projector.start();
    },
  };
}

export type ControlServices = ReturnType<ReturnType<typeof assembleControlPlane>['createServices']>;
