import type { LiveConfig } from '../config/live-config.ts';
import { systemClock } from '../core/clock.ts';
import type { Seal } from '../core/events/seal.ts';
import type { Ids } from '../core/ids.ts';
import type { FindToolSpec } from '../core/integrations/find-manifest.ts';
import { createIntegrations, type Integrations } from '../core/integrations/integrations.ts';
import { createKeyring } from '../core/integrations/keyring.ts';
import { createPanel, type Panel, type PanelPlace } from '../core/integrations/panel.ts';
import { PANEL_SERVICES, type PanelService } from '../core/integrations/panel-services.ts';
import type { Redactor } from '../core/redact/redact.ts';
import type { Secrets } from '../core/secrets/secrets.ts';
import type { Storage } from '../core/storage.ts';
import type { Threads } from '../core/threads/threads.ts';
import type { Tool } from '../core/tools/tool.ts';
import type { ToolRunner } from '../core/tools/tool-runner.ts';
import { createIntegrationTools } from '../toolbox/integrations/integration-tools.ts';
import { probeService } from '../toolbox/integrations/probe-service.ts';

export interface IntegrationGround {
  readonly live: LiveConfig;
  readonly storage: Storage;
  readonly secrets: Pick<Secrets, 'find'>;
  readonly ids: Ids;
  readonly redactor: Redactor;
}

/** What is made after the tools are. */
interface IntegrationParts {
  readonly tools: ToolRunner;
  readonly threads: Pick<Threads, 'get'>;
  readonly seal: Seal;
  readonly findToolSpec: FindToolSpec;
  readonly assertMayCall: () => Promise<void>;
}

export interface AssembledIntegrations {
  /** For the registry: runs may use them too, once they are granted. */
  readonly tools: readonly Tool[];
  /** How it stands with services outside, for people. */
  readonly panel: Panel;
  create(parts: IntegrationParts): Integrations;
}

/** GitHub and Resend, as tools and as operations of tool packs. */
export function assembleIntegrations(ground: IntegrationGround): AssembledIntegrations {
  const { live, storage, ids, redactor } = ground;
  const secrets = withEnvironment(ground);
  const keyring = createKeyring({
    secrets,
    listNames: (provider) => live.current().config.integrations[provider].secret_names,
  });
  const { comms, receipts, runs, events, effects, wakeups } = storage;
  return {
    tools: createIntegrationTools({
      settings() {
        const { github, resend, timeout_ms: timeoutMs } = live.current().config.integrations;
        return { githubBaseUrl: github.base_url, resendBaseUrl: resend.base_url, timeoutMs };
      },
      findKey: (ctx, provider) => keyring.find(ctx, provider),
      isSuppressed: (recipient) => comms.isSuppressed(recipient),
    }),

    panel: createPanel({
      findPlace: (section) => findPlace(live, section),
      findSecret: (name) => secrets.find(name),
      probe: (probe) => probeService(probe, live.current().config.integrations.timeout_ms),
      clock: systemClock,
    }),

    create: (parts) =>
      createIntegrations({
        ...parts,
        ...{ receipts, runs, events, effects, wakeups, comms, keyring, redactor, ids },
        clock: systemClock,
      }),
  };
}

const RESEND_SECRET = PANEL_SERVICES.find(({ section }) => section === 'resend')?.secretName;

/** The key of the environment stands for the secret of the built-in integration, where that is not stored. */
function withEnvironment({ live, secrets }: IntegrationGround): Pick<Secrets, 'find'> {
  return {
    async find(name) {
      const stored = await secrets.find(name);
      if (stored !== undefined || name !== RESEND_SECRET) return stored;
      return live.current().credentials.resendKey;
    },
  };
}

function findPlace(live: LiveConfig, section: PanelService['section']): PanelPlace {
  const place = live.current().config.integrations[section];
  const baseUrl = place.base_url;
  return 'test_path' in place ? { baseUrl, testPath: place.test_path } : { baseUrl };
}
