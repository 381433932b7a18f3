import { isProviderSecret } from '../secrets/secret-references.ts';
import type { IntegrationManifest } from './manifest.ts';

/** How the contract names secrets of integrations. */
const CONTRACT_PREFIX = 'intsec_';

/**
 * Whether a manifest for this provider may name the secret. Manifests come from callers, and secrets are kept for many
 * other things: only what is meant for integrations, or what the operator lists for the provider, is in their reach.
 * Keys of model providers never are, whatever is listed.
 */
export function isIntegrationSecret(
  name: string,
  provider: IntegrationManifest['provider'],
  listed: readonly string[],
): boolean {
  if (isProviderSecret(name)) return false;
  return (
    name.startsWith(CONTRACT_PREFIX) ||
    name.startsWith(`integration/${provider}/`) ||
    listed.includes(name)
  );
}
