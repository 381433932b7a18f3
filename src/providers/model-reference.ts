import { RuntimeError } from '../core/errors.ts';

const PROVIDERS = [
  'openai',
  'anthropic',
  'openrouter',
  'ollama',
  'openai-compatible',
  'offline',
  'scripted',
] as const;

export type ProviderName = (typeof PROVIDERS)[number];

/** A model as configuration names it: `provider/name`, where the name may hold slashes of its own. */
export interface ModelReference {
  readonly provider: ProviderName;
  readonly name: string;
}

const MAX_REFERENCE_CHARS = 512;

export function parseModelReference(reference: string): ModelReference {
  const shown = JSON.stringify(reference.slice(0, 80));
  const slash = reference.indexOf('/');
  const provider = slash === -1 ? reference : reference.slice(0, slash);
  const name = slash === -1 ? '' : reference.slice(slash + 1).trim();
  if (!isProvider(provider)) {
    throw new RuntimeError(
      'provider_misconfigured',
      `model ${shown} names no known provider: write <provider>/<name> with one of ${PUBLIC_PROVIDERS.join(', ')}`,
    );
  }
  if (name === '' || reference.length > MAX_REFERENCE_CHARS) {
    throw new RuntimeError(
      'provider_misconfigured',
      `model ${shown} has no usable name: write ${provider}/<name>`,
    );
  }
  return { provider, name };
}

export function formatModelReference(reference: ModelReference): string {
  return `${reference.provider}/${reference.name}`;
}

/** `scripted` is for tests and refused elsewhere, so it is not offered. */
const PUBLIC_PROVIDERS = PROVIDERS.filter((provider) => provider !== 'scripted');

function isProvider(text: string): text is ProviderName {
  return PROVIDERS.some((provider) => provider === text);
}
