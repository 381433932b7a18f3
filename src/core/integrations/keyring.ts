import { isSecretName } from '../secrets/parse-secret.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { ToolContext } from '../tools/tool.ts';
import { BUILT_IN_MANIFESTS } from './built-in-manifests.ts';
import { INTEGRATION_CALLER } from './integration-caller.ts';
import type { IntegrationManifest } from './manifest.ts';
import { parseManifest } from './parse-manifest.ts';
import { isIntegrationSecret } from './secret-namespace.ts';

type Provider = IntegrationManifest['provider'];
type CallName = Pick<ToolContext, 'agentId' | 'runId' | 'callId'>;

/**
 * Which key a call is made with. A tool can't be told by its arguments: they are on record, and an agent could name any
 * secret in them. So the key's name goes past them, for as long as the call runs.
 */
export interface Keyring {
  /** `not_allowed` for a name that is out of reach, whether there is such a secret or not. */
  check(keyId: string, provider: Provider): Promise<KeyCheck>;
  lend<T>(call: Omit<CallName, 'agentId'>, keyId: string, work: () => Promise<T>): Promise<T>;
  /** The key for a call: the one lent to it, and for an agent's own call that of the built-in integration. */
  find(call: CallName, provider: Provider): Promise<string | undefined>;
}

export type KeyCheck = 'usable' | 'missing' | 'not_allowed';

export interface KeyringDeps {
  readonly secrets: Pick<Secrets, 'find'>;
  /** Names that the operator lists for a provider. Asked for every call. */
  readonly listNames: (provider: Provider) => readonly string[];
}

export function createKeyring({ secrets, listNames }: KeyringDeps): Keyring {
  const lent = new Map<string, string>();
  const nameOf = ({ runId, callId }: Omit<CallName, 'agentId'>) => JSON.stringify([runId, callId]);

  const isAllowed = (keyId: string, provider: Provider) =>
    isIntegrationSecret(keyId, provider, listNames(provider));

  async function findKey(keyId: string, provider: Provider): Promise<string | undefined> {
    if (!isSecretName(keyId) || !isAllowed(keyId, provider)) return undefined;
    return (await secrets.find(keyId)) || undefined;
  }

  return {
    async check(keyId, provider) {
      if (!isAllowed(keyId, provider)) return 'not_allowed';
      return (await findKey(keyId, provider)) === undefined ? 'missing' : 'usable';
    },

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
      return keyId === undefined ? undefined : findKey(keyId, provider);
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
