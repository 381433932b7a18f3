import { AISDKError, APICallError } from '@ai-sdk/provider';
import { defined } from '../core/defined.ts';
import { RuntimeError } from '../core/errors.ts';
import { isJsonObject } from '../core/json.ts';
import { parseRetryAfterMs } from '../core/reliability/retry-after.ts';
import { errnoOf } from '../platform/errno-of.ts';
import type { Endpoint } from './endpoint.ts';

const MAX_MESSAGE_CHARS = 300;
/** Deep enough for fetch's error in the SDK's error in ours. */
const MAX_CAUSES = 5;

/** Faults of the request itself: sending it again would only repeat them. */
const OUR_FAULTS = new Set([
  'AI_InvalidPromptError',
  'AI_InvalidArgumentError',
  'AI_UnsupportedFunctionalityError',
]);

/**
 * What a provider threw, as ours. The original is not kept as the cause: it holds the request body and the whole
 * response, and whatever logs an error logs its causes too.
 */
export function toProviderError(thrown: unknown, endpoint: Endpoint, nowMs: number): RuntimeError {
  if (thrown instanceof RuntimeError) return thrown;
  const status = findStatus(thrown);
  if (status !== undefined) return fromStatus({ status, thrown, endpoint, nowMs });
  const { provider } = endpoint;
  if (AISDKError.isInstance(thrown) && !APICallError.isInstance(thrown)) {
    // Messages of these quote what was received, in full.
    return OUR_FAULTS.has(thrown.name)
      ? failed(`${provider} cannot take this request (${thrown.name})`, false)
      : failed(`${provider} sent an answer that cannot be read (${thrown.name})`, true);
  }
  const code = findCode(thrown);
  if (code !== undefined && !BROKEN_OFF.has(code)) return unreachable(endpoint, code);
  return failed(withMessage(`${provider} broke off its answer`, thrown, endpoint), true);
}

/** Codes of connections that were there: these broke, and what could not be reached never began. */
const BROKEN_OFF = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'UND_ERR_BODY_TIMEOUT']);

/** Nobody was there: the model has not said a word, and nothing was spent. */
function unreachable(endpoint: Endpoint, code: string): RuntimeError {
  const { hostname } = new URL(endpoint.baseUrl);
  const next = nextStep(endpoint, code);
  return failed(`${whereOf(endpoint)} (${code}): ${next}`, true, {
    code,
    host: hostname,
    unreachable: true,
  });
}

/** The time for an answer passed without a byte of one. It may have been read all the same, so what was spent is unknown. */
export function unanswered(endpoint: Endpoint, timeoutMs: number): RuntimeError {
  const { hostname } = new URL(endpoint.baseUrl);
  const next = 'check that it is up and not overloaded, or raise model.request_timeout_ms';
  const why = `no answer within ${timeoutMs} ms`;
  return failed(`${whereOf(endpoint)} (${why}): ${next}`, true, { timeoutMs, host: hostname });
}

function whereOf({ provider, baseUrl }: Endpoint): string {
  return `${provider} cannot be reached at ${new URL(baseUrl).origin}`;
}

function nextStep({ provider, baseUrl }: Endpoint, code: string): string {
  if (/CERT|TLS|SSL|EPROTO/.test(code)) {
    return 'check its certificate, and that https is spoken there';
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `check the name ${new URL(baseUrl).hostname} and the network`;
  }
  if (provider === 'ollama') return 'start it with ollama serve, or set OLLAMA_HOST';
  return 'check the network and the base URL';
}

/** Whether a server refused the request only because it carried tools. */
export function isToolsUnsupported(thrown: unknown): boolean {
  if (!APICallError.isInstance(thrown)) return false;
  const status = thrown.statusCode ?? 0;
  if (status < 400 || status === 401 || status === 403 || status === 429) return false;
  const text = `${thrown.message}\n${thrown.responseBody ?? ''}`.slice(0, 4_000);
  // In order: Ollama; OpenRouter; vLLM and llama.cpp, which want a flag before they take tools.
  return (
    /not support (?:tools|tool use|tool calls|function call)/i.test(text) ||
    /no endpoints found that support tool use/i.test(text) ||
    /tools?\b[^\n]{0,40}\brequires? --/i.test(text)
  );
}

interface HttpFailure {
  readonly status: number;
  readonly thrown: unknown;
  readonly endpoint: Endpoint;
  readonly nowMs: number;
}

function fromStatus({ status, thrown, endpoint, nowMs }: HttpFailure): RuntimeError {
  const { provider, keyVariable, keyPlace = keyVariable } = endpoint;
  if (status === 401 || status === 403) {
    const where = keyPlace ? `the key in ${keyPlace}` : 'the request';
    return new RuntimeError(
      'provider_misconfigured',
      `${provider} refused ${where} (HTTP ${status})`,
      { details: { status, ...(keyVariable ? { variable: keyVariable } : {}) } },
    );
  }
  const retryable = status < 400 || status >= 500 || [408, 409, 429].includes(status);
  const headers = APICallError.isInstance(thrown) ? thrown.responseHeaders : undefined;
  const retryAfterMs = parseRetryAfterMs((name) => headers?.[name], nowMs);
  const text = status < 400 ? 'broke off its answer' : `answered HTTP ${status}`;
  return failed(withMessage(`${provider} ${text}`, thrown, endpoint), retryable, {
    status,
    ...defined({ retryAfterMs }),
  });
}

function failed(message: string, retryable: boolean, details?: Record<string, unknown>) {
  return new RuntimeError('provider_failed', message, {
    retryable,
    ...(details ? { details } : {}),
  });
}

/** The provider's own words, cut short and without the key, which some of them repeat. */
function withMessage(prefix: string, thrown: unknown, endpoint: Endpoint): string {
  const message = isJsonObject(thrown) || thrown instanceof Error ? thrown['message'] : undefined;
  if (typeof message !== 'string' || message.trim() === '') return prefix;
  const safe = endpoint.key ? message.replaceAll(endpoint.key, '[key]') : message;
  return `${prefix}: ${safe.replace(/\s+/g, ' ').trim().slice(0, MAX_MESSAGE_CHARS)}`;
}

/** An HTTP status, or the one that a provider writes into an error it sends in the middle of a stream. */
function findStatus(thrown: unknown): number | undefined {
  if (APICallError.isInstance(thrown)) return thrown.statusCode;
  if (!isJsonObject(thrown)) return undefined;
  const { code } = thrown;
  return typeof code === 'number' && code >= 400 && code < 600 ? code : undefined;
}

function findCode(thrown: unknown): string | undefined {
  let current = thrown;
  for (let depth = 0; depth < MAX_CAUSES && current instanceof Error; depth += 1) {
    const code = errnoOf(current);
    if (code !== undefined) return code;
    current = current.cause;
  }
  return undefined;
}
