import type { Runtime } from '../../../src/app.ts';
import { assembleSkills } from '../../../src/assembly/assemble-skills.ts';
import { assembleTools } from '../../../src/assembly/assemble-tools.ts';
import { createClosingList } from '../../../src/closing-list.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { createSeal } from '../../../src/core/events/seal.ts';
import {
  createIntegrations,
  type Integrations,
  type IntegrationsDeps,
} from '../../../src/core/integrations/integrations.ts';
import { createKeyring } from '../../../src/core/integrations/keyring.ts';
import { findManifest } from '../../../src/core/skills/find-manifest.ts';
import { noMetrics } from '../../../src/core/telemetry.ts';
import type { IntegrationSettings } from '../../../src/toolbox/integrations/find-service.ts';
import { createIntegrationTools } from '../../../src/toolbox/integrations/integration-tools.ts';

export interface TestIntegrations {
  readonly integrations: Integrations;
  close(): Promise<void>;
}

/** The tools and the operations over a runtime, with services of the test's own. */
export async function openTestIntegrations(
  runtime: Runtime,
  settings: IntegrationSettings,
  deps: Partial<IntegrationsDeps> = {},
): Promise<TestIntegrations> {
  const { storage, secrets, ids, redactor, threads, runs } = runtime;
  const keyring = createKeyring({ secrets, listNames: () => [] });
  const isSuppressed = (recipient: string) => storage.comms.isSuppressed(recipient);
  const closing = createClosingList();
  const { tools } = await assembleTools({
    ...runtime,
    closing,
    metrics: noMetrics,
    runs: { runs, agents: storage.agents },
    tools: createIntegrationTools({
      settings: () => settings,
      findKey: (ctx, provider) => keyring.find(ctx, provider),
      isSuppressed,
    }),
  });
  const { registry } = assembleSkills(runtime).skills;
  const integrations = createIntegrations({
    ...storage,
    ...{ tools, threads, keyring, redactor, ids },
    comms: { isSuppressed },
    clock: systemClock,
    seal: createSeal({ ids, redactor }),
    findToolSpec: (ref, principal) => findManifest(registry, ref, principal),
    callLeaseMs: 300,
    ...deps,
  });
  return { integrations, close: () => closing.close(0) };
}
