import { RuntimeError } from '../../core/errors.ts';
import type { IntegrationManifest } from '../../core/integrations/manifest.ts';
import type { ToolContext } from '../../core/tools/tool.ts';
import type { Service } from './call-service.ts';

type Provider = IntegrationManifest['provider'];

export interface IntegrationSettings {
  readonly githubBaseUrl: string;
  readonly resendBaseUrl: string;
  readonly timeoutMs: number;
}

export interface ServiceDeps {
  /** Asked for every call. */
  readonly settings: () => IntegrationSettings;
  readonly findKey: (ctx: ToolContext, provider: Provider) => Promise<string | undefined>;
}

/** A call may not take longer than this, whatever the settings say. */
export const MAX_SERVICE_TIMEOUT_MS = 60_000;

/** Where the service is and with which key this call may use it. */
export async function findService(
  deps: ServiceDeps,
  provider: Provider,
  ctx: ToolContext,
): Promise<Omit<Service, 'headers'>> {
  const key = await deps.findKey(ctx, provider);
  if (key === undefined) {
    throw new RuntimeError('policy_denied', `missing_api_token: there is no key for ${provider}`);
  }
  const { githubBaseUrl, resendBaseUrl, timeoutMs } = deps.settings();
  const baseUrl = provider === 'github' ? githubBaseUrl : resendBaseUrl;
  return { name: provider, baseUrl, timeoutMs, key };
}
