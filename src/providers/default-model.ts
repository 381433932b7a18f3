import type { Clock } from '../core/clock.ts';
import { RuntimeError } from '../core/errors.ts';
import { isJsonObject } from '../core/json.ts';
import { newTraceparent } from '../core/trace-context.ts';
import { type Endpoint, resolveEndpoint } from './endpoint.ts';
import { type ModelReference, parseModelReference } from './model-reference.ts';
import type { ModelsConfig } from './models-config.ts';
import { findProviderKey } from './provider-key.ts';

export interface DefaultModel {
  find(): Promise<ModelReference>;
}

const OFFLINE_REFERENCE: ModelReference = { provider: 'offline', name: 'rules' };

/**
 * Models of the middle size, known to call tools over chat completions and messages. The Anthropic one thinks only
 * when asked: our messages carry no thinking blocks, which its later siblings want back.
 */
const DEFAULT_NAMES = {
  openai: 'gpt-5-mini',
  anthropic: 'claude-sonnet-4-6',
  openrouter: 'openai/gpt-5-mini',
} as const;

/** A local server answers in a few milliseconds; nobody should wait longer for one that is not there. */
const OLLAMA_PROBE_MS = 300;
const LIST_TIMEOUT_MS = 5_000;
const MAX_LIST_BYTES = 1_000_000;

/** How long "no Ollama here" is believed, so that one started later is found without a restart. */
const ABSENT_FOR_MS = 30_000;

/**
 * The model for runs that name none. Looks for servers at first use, not at start, and remembers what it found. Keys
 * are looked for every time: one that is stored later counts from the next run on.
 */
export function createDefaultModel(config: ModelsConfig, clock: Clock): DefaultModel {
  let found: ModelReference | undefined;
  let pending: Promise<ModelReference> | undefined;
  let absentUntilMs = 0;

  async function search(): Promise<ModelReference> {
    if (config.baseUrls?.openaiCompatible) return firstOfCompatible(config);
    if (config.detectOllama === false || clock.nowMs() < absentUntilMs) return OFFLINE_REFERENCE;
    const name = await findFirstModel(await resolveEndpoint('ollama', config), OLLAMA_PROBE_MS);
    if (name !== undefined) return { provider: 'ollama', name };
    absentUntilMs = clock.nowMs() + ABSENT_FOR_MS;
    return OFFLINE_REFERENCE;
  }

  return {
    async find() {
      const configured = await findConfigured(config);
      if (configured) return configured;
      if (found) return found;
      // One search at a time: the first runs after a start must not each send their own probe.
      pending ??= search().finally(() => {
        pending = undefined;
      });
      const reference = await pending;
      if (reference !== OFFLINE_REFERENCE) found = reference;
      return reference;
    },
  };
}

async function findConfigured(config: ModelsConfig): Promise<ModelReference | undefined> {
  if (config.default) return parseModelReference(config.default);
  for (const provider of ['openai', 'anthropic', 'openrouter'] as const) {
    const key = await findProviderKey(provider, config);
    if (key !== undefined) return { provider, name: DEFAULT_NAMES[provider] };
  }
  return undefined;
}

async function firstOfCompatible(config: ModelsConfig): Promise<ModelReference> {
  const endpoint = await resolveEndpoint('openai-compatible', config);
  const name = await findFirstModel(endpoint, LIST_TIMEOUT_MS);
  if (name !== undefined) return { provider: 'openai-compatible', name };
  throw new RuntimeError(
    'provider_misconfigured',
    'the server at OPENAI_COMPAT_BASE_URL lists no model: set CLAW_MODEL to openai-compatible/<name>',
    { details: { variable: 'CLAW_MODEL' } },
  );
}

/** The first model that a chat-completions server lists; undefined when it does not answer or has none. */
async function findFirstModel(endpoint: Endpoint, timeoutMs: number): Promise<string | undefined> {
  try {
    const response = await fetch(`${endpoint.baseUrl}/models`, {
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        traceparent: newTraceparent(),
        ...(endpoint.key ? { authorization: `Bearer ${endpoint.key}` } : {}),
      },
    });
    const text = response.ok ? await readBounded(response) : '{}';
    const body: unknown = JSON.parse(text);
    const models = isJsonObject(body) && Array.isArray(body['data']) ? body['data'] : [];
    return models
      .map((model: unknown) => (isJsonObject(model) ? model['id'] : undefined))
      .find((id): id is string => typeof id === 'string' && id !== '' && !/embed/i.test(id));
  } catch {
    // Nobody there, too slow, or not such a server: all mean that no model was found here.
    return undefined;
  }
}

async function readBounded(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_LIST_BYTES) break;
  }
  return text + decoder.decode();
}
