import type { Clock } from '../core/clock.ts';
import { toRuntimeError } from '../core/errors.ts';
import {
  MODEL_PROVIDER_IDS,
  type ModelProvider,
  type ModelProviderId,
  type ModelProviders,
  type ProviderAnswer,
} from '../core/integrations/model-providers.ts';
import { toProviderSecret } from '../core/secrets/secret-references.ts';
import { newTraceparent } from '../core/trace-context.ts';
import { type Endpoint, resolveEndpoint } from './endpoint.ts';
import type { ModelsConfig } from './models-config.ts';

export interface ModelProvidersDeps {
  /** As it is now: a key that was stored a moment ago counts. */
  readonly config: () => ModelsConfig;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly maxWaitMs?: number;
}

/** People look at the answer and wait for it. */
const MAX_WAIT_MS = 5_000;
const ANTHROPIC_VERSION = '2023-06-01';

export function createModelProviders(deps: ModelProvidersDeps): ModelProviders {
  const { config } = deps;
  return {
    list: () => Promise.all(MODEL_PROVIDER_IDS.map((id) => describeProvider(id, config()))),

    async test(id) {
      const endpoint = await findEndpoint(id, config());
      if ('missing' in endpoint) {
        return { id, status: 'disconnected', message: endpoint.missing, check: undefined };
      }
      return ask(endpoint, deps);
    },
  };
}

async function describeProvider(id: ModelProviderId, config: ModelsConfig): Promise<ModelProvider> {
  const endpoint = await findEndpoint(id, config);
  if ('missing' in endpoint) {
    return { id, origin: undefined, keyPlace: undefined, missing: endpoint.missing };
  }
  const { origin } = new URL(endpoint.baseUrl);
  return { id, origin, keyPlace: endpoint.keyPlace, missing: undefined };
}

async function findEndpoint(
  id: ModelProviderId,
  config: ModelsConfig,
): Promise<Endpoint | { readonly missing: string }> {
  try {
    return await resolveEndpoint(id, config);
  } catch (thrown) {
    return { missing: toRuntimeError(thrown).message };
  }
}

async function ask(
  endpoint: Endpoint,
  { clock, maxWaitMs = MAX_WAIT_MS }: ModelProvidersDeps,
): Promise<ProviderAnswer> {
  const { provider: id } = endpoint;
  const atMs = clock.nowMs();
  const { httpStatus, message } = await request(endpoint, atMs, maxWaitMs);
  const check = { atMs, durationMs: clock.nowMs() - atMs, httpStatus };
  if (message !== undefined) return { id, status: 'review', message, check };
  const told = `${id} answered ${httpStatus} and ${whatWorks(endpoint)}`;
  return { id, status: 'connected', message: told, check };
}

function whatWorks({ provider, key }: Endpoint): string {
  if (key === undefined) return 'lists its models';
  // Many such servers show their models to everybody.
  return provider === 'openai-compatible'
    ? 'lists its models; whether it takes the key shows with the first run'
    : 'takes the key';
}

interface Answered {
  readonly httpStatus: number | undefined;
  /** What is wrong; undefined when nothing is. */
  readonly message: string | undefined;
}

async function request(endpoint: Endpoint, nowMs: number, maxWaitMs: number): Promise<Answered> {
  try {
    const response = await fetch(`${endpoint.baseUrl}${pathOf(endpoint)}`, {
      // Another address than was set up must not get the key.
      redirect: 'manual',
      signal: AbortSignal.timeout(maxWaitMs),
      headers: { traceparent: newTraceparent(), accept: 'application/json', ...keyOf(endpoint) },
    });
    await response.body?.cancel();
    return { httpStatus: response.status, message: findFault(endpoint, response.status) };
  } catch (thrown) {
    const isLate = thrown instanceof DOMException && thrown.name === 'TimeoutError';
    if (isLate) return { httpStatus: undefined, message: describeLate(endpoint, maxWaitMs) };
    // Loaded when it is needed: it brings the providers' SDK along.
    const { toProviderError } = await import('./provider-error.ts');
    const { message } = toProviderError(thrown, endpoint, nowMs);
    return { httpStatus: undefined, message };
  }
}

/** Not in the words of a run: what those advise to raise changes nothing here. */
function describeLate({ provider, baseUrl }: Endpoint, maxWaitMs: number): string {
  const { origin } = new URL(baseUrl);
  return `${provider} at ${origin} gave no answer within ${maxWaitMs} ms: check that it is up and not overloaded`;
}

/** OpenRouter shows its models to everybody, so it is asked about the key. */
function pathOf({ provider }: Endpoint): string {
  return provider === 'openrouter' ? '/key' : '/models';
}

function keyOf({ provider, key }: Endpoint): Record<string, string> {
  if (key === undefined) return {};
  return provider === 'anthropic'
    ? { 'x-api-key': key, 'anthropic-version': ANTHROPIC_VERSION }
    : { authorization: `Bearer ${key}` };
}

function findFault(endpoint: Endpoint, status: number): string | undefined {
  const { provider, baseUrl, key } = endpoint;
  if (status >= 200 && status < 300) return undefined;
  if (status === 401 || status === 403) {
    const next = describeKeyStep(endpoint);
    return `${provider} answered ${status} and does not take the request: ${next}`;
  }
  if (status === 429) {
    const why = key === undefined ? 'it was asked too often' : 'the key has spent what it may';
    return `${provider} answered 429: ${why}; try later`;
  }
  if (status >= 500) return `${provider} answered ${status}: it has trouble of its own; try later`;
  return `${provider} answered ${status}: check that its API is at ${baseUrl}`;
}

function describeKeyStep({ provider, keyPlace, keyVariable }: Endpoint): string {
  if (keyPlace !== undefined) return `put a valid key into ${keyPlace}`;
  if (keyVariable === undefined) return 'it wants a key, and is asked without one';
  return `it wants a key: set ${keyVariable}, or store it with claw secrets set ${toProviderSecret(provider)}`;
}
