import { isSecretName } from '../secrets/parse-secret.ts';
import { isProviderSecret } from '../secrets/secret-references.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { ToolContext } from '../tools/tool.ts';
import { BUILT_IN_MANIFESTS } from './built-in-manifests.ts';
import { INTEGRATION_CALLER } from './integration-caller.ts';
import type { IntegrationManifest } from './manifest.ts';
import { parseManifest } from './parse-manifest.ts';

type Provider = IntegrationManifest['provider'];
type CallName = Pick<ToolContext, 'agentId' | 'runId' | 'callId'>;

/**
 * Which key a call is made with. A tool can't be told by its arguments: they are on record, and an agent could name any
 * secret in them. So the key's name goes past them, for as long as the call runs.
 */
export interface Keyring {
  /** Whether there is a key by this name that integrations may use. */
  has(keyId: string): Promise<boolean>;
  lend<T>(call: Omit<CallName, 'agentId'>, keyId: string, work: () => Promise<T>): Promise<T>;
  /** The key for a call: the one lent to it, and for an agent's own call that of the built-in integration. */
  find(call: CallName, provider: Provider): Promise<string | undefined>;
}

export function createKeyring(secrets: Pick<Secrets, 'find'>): Keyring {
  const lent = new Map<string, string>();
  const nameOf = ({ runId, callId }: Omit<CallName, 'agentId'>) => JSON.stringify([runId, callId]);

  async function findKey(keyId: string): Promise<string | undefined> {
    // Keys of model providers are the providers' alone, whatever a manifest says.
    if (!isSecretName(keyId) || isProviderSecret(keyId)) return undefined;
    return (await secrets.find(keyId)) || undefined;
  }

  return {
    has: async (keyId) => (await findKey(keyId)) !== undefined,

    async lend(call, keyId, work) {
      const name = nameOf(call);
      lent.set(name, keyId);
      try {
        return await work();
      } finally {
        lent.delete(name);
      }
    },

    async find(call, provider) {
      const keyId =
        call.agentId === INTEGRATION_CALLER ? lent.get(nameOf(call)) : builtInKey(provider);
      return keyId === undefined ? undefined : findKey(keyId);
    },
  };
}

function builtInKey(provider: Provider): string | undefined {
  for (const { manifest } of BUILT_IN_MANIFESTS) {
    const parsed = parseManifest(manifest);
    if (parsed.outcome === 'valid' && parsed.manifest.provider === provider) {
      return parsed.manifest.keyId;
    }
  }
  return undefined;
}
