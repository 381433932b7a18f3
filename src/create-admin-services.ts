import type { Runtime } from './app.ts';
import { createApprovals } from './core/approvals/approvals.ts';
import { systemClock } from './core/clock.ts';
import { createEffects } from './core/effects/effects.ts';
import { createSeal } from './core/events/seal.ts';
import { createCapabilities } from './core/policy/capabilities.ts';
import { createReliability } from './core/reliability/create-reliability.ts';
import { DEFAULT_RELIABILITY } from './core/reliability/settings.ts';
import { createToolAdmin } from './core/tools/tool-admin.ts';
import { createToolGrants } from './core/tools/tool-grants.ts';
import type { AdminServices } from './surfaces/cli/context.ts';

/** What operators do in a process of their own: nothing but the store is shared with a server. */
export function createAdminServices(runtime: Runtime): AdminServices {
  const { storage, registry, ids, redactor, logger, loaded } = runtime;
  const clock = systemClock;
  const { breakers: breakerStore, idempotency: idempotencyStore, agents } = storage;
  const reliability = createReliability({ clock, breakerStore, idempotencyStore });
  const capabilities = createCapabilities(storage.capabilities, loaded.config.tools.granted);
  const seal = createSeal({ ids, redactor });
  return {
    effects: createEffects(storage.effects),
    approvals: createApprovals({ store: storage.approvals, seal, clock, logger }),
    grants: createToolGrants({ capabilities, registry, agents }),
    toolAdmin: createToolAdmin({
      registry,
      reliability,
      breakerStore,
      mode: () => 'all',
      settingsOf: () => DEFAULT_RELIABILITY,
      shadow: { report: () => ({ sinceMs: undefined, tools: [] }) },
    }),
  };
}
