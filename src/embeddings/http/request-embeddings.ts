import type { Clock } from '../../core/clock.ts';
import { defined } from '../../core/defined.ts';
import { RuntimeError } from '../../core/errors.ts';
import { isJsonObject } from '../../core/json.ts';
import { parseRetryAfterMs } from '../../core/reliability/retry-after.ts';
import { errnoOf } from '../../platform/errno-of.ts';
import type { EmbeddingService, ServiceKey } from './embedding-service.ts';
import { WIRE_FORMATS } from './wire-formats.ts';

interface EmbeddingRequest {
  readonly texts: readonly string[];
  readonly kind: 'document' | 'query';
  readonly signal: AbortSignal;
  readonly limitMs: number;
  readonly clock: Clock;
}

/** A hundred of the longest vectors there are, written out. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
const MAX_MESSAGE_CHARS = 300;
const RETRYABLE = new Set([408, 409, 425, 429]);

/** One request: as many vectors as texts, as they were sent. */
export async function requestEmbeddings(
  service: EmbeddingService,
  request: EmbeddingRequest,
): Promise<unknown[]> {
  const { texts, signal, limitMs, clock } = request;
  const key = await service.findKey();
  const limit = new AbortController();
  const cancel = clock.after(limitMs, () => limit.abort());
  try {
    const abort = AbortSignal.any([signal, limit.signal]);
    const answer = await send(service, key, { ...request, signal: abort });
    const vectors = WIRE_FORMATS[service.provider].read(answer);
    if (vectors?.length === texts.length) return vectors;
    const problem = `${vectors?.length ?? 'no'} vectors for ${texts.length} texts`;
    throw failed(`${nameOf(service)} sent ${problem}`, false);
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof RuntimeError) throw thrown;
    if (limit.signal.aborted) {
      const next = 'check that it is up, or raise memory.embedding.timeout_ms';
      throw failed(`${nameOf(service)} did not answer within ${limitMs} ms: ${next}`, true);
    }
    throw unreachable(service, thrown);
  } finally {
    cancel();
  }
}

async function send(
  service: EmbeddingService,
  key: ServiceKey | undefined,
  { texts, kind, signal, clock }: EmbeddingRequest,
): Promise<unknown> {
  const { provider, modelName, baseUrl } = service;
  const format = WIRE_FORMATS[provider];
  const response = await fetch(`${baseUrl}${format.path(modelName)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...format.headers(key?.value) },
    body: JSON.stringify(format.body(texts, { modelName, kind })),
    // A key must not follow to wherever a server points.
    redirect: 'error',
    signal,
  });
  const answer = parseJson(await readText(response, service));
  if (!response.ok) throw fromStatus({ service, key, response, answer, nowMs: clock.nowMs() });
  if (answer === undefined) throw failed(`${nameOf(service)} sent an answer that is no JSON`, true);
  return answer;
}

async function readText(response: Response, service: EmbeddingService): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw failed(`${nameOf(service)} sent too long an answer`, false);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Refusal {
  readonly service: EmbeddingService;
  readonly key: ServiceKey | undefined;
  readonly response: Response;
  readonly answer: unknown;
  readonly nowMs: number;
}

function fromStatus({ service, key, response, answer, nowMs }: Refusal): RuntimeError {
  const { status, headers } = response;
  const said = quote(answer, key);
  const name = nameOf(service);
  if (status === 401 || status === 403) {
    const what = key ? `the key in ${key.place}` : 'a request without a key';
    return misconfigured(`${name} refused ${what} (HTTP ${status})${said}`, status);
  }
  if (status === 404) {
    const next =
      service.provider === 'ollama'
        ? `get the model with ollama pull ${service.modelName}`
        : 'check memory.embedding.model and base_url';
    return misconfigured(`${name} was not found at ${originOf(service)}: ${next}`, status);
  }
  const retryAfterMs = parseRetryAfterMs((header) => headers.get(header) ?? undefined, nowMs);
  const retryable = status >= 500 || RETRYABLE.has(status);
  const details = { status, ...defined({ retryAfterMs }) };
  return failed(`${name} answered HTTP ${status}${said}`, retryable, details);
}

/** The provider's own words, cut short and without the key, which some of them repeat. */
function quote(answer: unknown, key: ServiceKey | undefined): string {
  const error = isJsonObject(answer) ? answer['error'] : undefined;
  const message = isJsonObject(error) ? error['message'] : error;
  if (typeof message !== 'string' || message.trim() === '') return '';
  const safe = key ? message.replaceAll(key.value, '[key]') : message;
  return `: ${safe.replace(/\s+/g, ' ').trim().slice(0, MAX_MESSAGE_CHARS)}`;
}

function unreachable(service: EmbeddingService, thrown: unknown): RuntimeError {
  const code = errnoOf(thrown) ?? errnoOf(thrown instanceof Error ? thrown.cause : undefined);
  const next =
    service.provider === 'ollama'
      ? 'start it with ollama serve, or set memory.embedding.base_url'
      : 'check the network and memory.embedding.base_url';
  const why = code === undefined ? '' : ` (${code})`;
  return failed(
    `${nameOf(service)} cannot be reached at ${originOf(service)}${why}: ${next}`,
    true,
    {
      host: new URL(service.baseUrl).hostname,
      ...defined({ code }),
    },
  );
}

function nameOf({ provider, modelName }: EmbeddingService): string {
  return `the embedding model ${provider}/${modelName}`;
}

function originOf({ baseUrl }: EmbeddingService): string {
  return new URL(baseUrl).origin;
}

function misconfigured(message: string, status: number): RuntimeError {
  return new RuntimeError('provider_misconfigured', message, { details: { status } });
}

function failed(message: string, retryable: boolean, details: object = {}): RuntimeError {
  return new RuntimeError('provider_failed', message, { retryable, details: { ...details } });
}
