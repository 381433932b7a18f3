import { RuntimeError } from '../core/errors.ts';
import type { ProviderName } from './model-reference.ts';
import type { ModelsConfig } from './models-config.ts';

export type RemoteProvider = Exclude<ProviderName, 'offline' | 'scripted'>;

/** Where a provider is reached and with what. */
export interface Endpoint {
  readonly provider: RemoteProvider;
  readonly baseUrl: string;
  readonly key: string | undefined;
  /** The variable a person sets to change the key; undefined where none is used. */
  readonly keyVariable: string | undefined;
}

const OLLAMA_URL = 'http://127.0.0.1:11434';

/** The provider's address and key, or `provider_misconfigured` with the variable that is missing. */
export function resolveEndpoint(provider: RemoteProvider, config: ModelsConfig): Endpoint {
  const { keys = {}, baseUrls = {} } = config;
  switch (provider) {
    case 'openai':
      return {
        provider,
        baseUrl: parseBaseUrl(baseUrls.openai ?? 'https://api.openai.com/v1', 'OPENAI_BASE_URL'),
        key: requireKey(provider, keys.openai, 'OPENAI_API_KEY'),
        keyVariable: 'OPENAI_API_KEY',
      };
    case 'anthropic':
      return {
        provider,
        baseUrl: toVersionedUrl(
          parseBaseUrl(baseUrls.anthropic ?? 'https://api.anthropic.com', 'ANTHROPIC_BASE_URL'),
        ),
        key: requireKey(provider, keys.anthropic, 'ANTHROPIC_API_KEY'),
        keyVariable: 'ANTHROPIC_API_KEY',
      };
    case 'openrouter':
      return {
        provider,
        baseUrl: parseBaseUrl(
          baseUrls.openrouter ?? 'https://openrouter.ai/api/v1',
          'OPENROUTER_BASE_URL',
        ),
        key: requireKey(provider, keys.openrouter, 'OPENROUTER_API_KEY'),
        keyVariable: 'OPENROUTER_API_KEY',
      };
    case 'ollama':
      return {
        provider,
        baseUrl: `${parseBaseUrl(baseUrls.ollama ?? OLLAMA_URL, 'OLLAMA_HOST')}/v1`,
        key: undefined,
        keyVariable: undefined,
      };
    case 'openai-compatible':
      return {
        provider,
        baseUrl: parseBaseUrl(requireCompatibleUrl(baseUrls), 'OPENAI_COMPAT_BASE_URL'),
        // Local servers often want none.
        key: keys.openaiCompatible || undefined,
        keyVariable: 'OPENAI_COMPAT_API_KEY',
      };
  }
}

function requireKey(provider: string, key: string | undefined, variable: string): string {
  if (key) return key;
  throw new RuntimeError('provider_misconfigured', `${provider} needs a key: set ${variable}`, {
    details: { variable },
  });
}

function requireCompatibleUrl(baseUrls: NonNullable<ModelsConfig['baseUrls']>): string {
  if (baseUrls.openaiCompatible) return baseUrls.openaiCompatible;
  throw new RuntimeError(
    'provider_misconfigured',
    'openai-compatible needs an address: set OPENAI_COMPAT_BASE_URL, as in http://127.0.0.1:8000/v1',
    { details: { variable: 'OPENAI_COMPAT_BASE_URL' } },
  );
}

function parseBaseUrl(text: string, variable: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) {
    return url.href.replace(/\/+$/, '');
  }
  throw new RuntimeError(
    'provider_misconfigured',
    `${variable} is not an http(s) address: set it to one, as in http://127.0.0.1:8000/v1`,
    { details: { variable } },
  );
}

/** Anthropic's own clients take the address without the version, others with it. Both work here. */
function toVersionedUrl(url: string): string {
  return url.endsWith('/v1') ? url : `${url}/v1`;
}
