import { RuntimeError } from '../core/errors.ts';
import { toProviderSecret } from '../core/secrets/secret-references.ts';
import type { Secrets } from '../core/secrets/secrets.ts';
import type {
  FindProviderKey,
  KeyedProvider,
  ModelsConfig,
  ProviderKey,
  ProviderKeys,
} from './models-config.ts';

export const KEY_VARIABLES = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
  openrouter: 'OPENROUTER_API_KEY',
  google: 'GOOGLE_API_KEY',
  'openai-compatible': 'OPENAI_COMPAT_API_KEY',
} as const satisfies Record<KeyedProvider, string>;

const KEY_NAMES = {
  openai: 'openai',
  anthropic: 'anthropic',
  openrouter: 'openrouter',
  google: 'google',
  'openai-compatible': 'openaiCompatible',
} as const satisfies Record<KeyedProvider, keyof ProviderKeys>;

export interface KeySources {
  /** As it is now: a configuration may change while the runtime is running. */
  readonly given: () => { readonly environment: ProviderKeys; readonly config: ProviderKeys };
  readonly secrets: Pick<Secrets, 'find'>;
}

/** Environment, then the secret store, then the configuration file. */
export function createKeyFinder({ given, secrets }: KeySources): FindProviderKey {
  return async (provider) => {
    const { environment, config } = given();
    const name = KEY_NAMES[provider];
    const secret = toProviderSecret(provider);
    return (
      toKey(environment[name], KEY_VARIABLES[provider]) ??
      toKey(await secrets.find(secret), `secret ${secret}`) ??
      toKey(config[name], `providers.${provider.replace('-', '_')}.api_key`)
    );
  };
}

/** The key to use now; undefined when there is none. */
export async function findProviderKey(
  provider: KeyedProvider,
  { keys = {} }: ModelsConfig,
): Promise<ProviderKey | undefined> {
  const key =
    typeof keys === 'function'
      ? await keys(provider)
      : toKey(keys[KEY_NAMES[provider]], KEY_VARIABLES[provider]);
  // It travels in a header, where anything else would be refused or cut.
  if (key === undefined || /^[\x21-\x7e]+$/.test(key.value)) return key;
  throw new RuntimeError(
    'provider_misconfigured',
    `the key in ${key.place} is not printable ASCII without spaces`,
    { details: { variable: KEY_VARIABLES[provider] } },
  );
}

export async function requireProviderKey(
  provider: KeyedProvider,
  config: ModelsConfig,
): Promise<ProviderKey> {
  const key = await findProviderKey(provider, config);
  if (key !== undefined) return key;
  const variable = KEY_VARIABLES[provider];
  throw new RuntimeError(
    'provider_misconfigured',
    `${provider} needs a key: set ${variable}, or store it with claw secrets set ${toProviderSecret(provider)}`,
    { details: { variable } },
  );
}

function toKey(value: string | undefined, place: string): ProviderKey | undefined {
  return value ? { value, place } : undefined;
}
