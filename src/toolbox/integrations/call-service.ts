import { defined } from '../../core/defined.ts';
import { RuntimeError } from '../../core/errors.ts';
import { isJsonObject, type JsonObject } from '../../core/json.ts';
import type { ToolContext } from '../../core/tools/tool.ts';
import { findBusy } from '../http/busy-answer.ts';
import { type GuardedResponse, guardedRequest } from '../http/guarded-request.ts';
import { maskSecrets } from '../http/secret-references.ts';
import { withDeadline } from '../http/with-deadline.ts';
import { createServiceGuard } from './service-guard.ts';

export interface Service {
  readonly name: string;
  /** The operator's word: a service on loopback is allowed when it says so. */
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
}

export interface ServiceRequest {
  readonly method: 'GET' | 'POST';
  /** Below the base URL, every part of it escaped. */
  readonly path: string;
  readonly body?: JsonObject;
}

export interface ServiceAnswer {
  readonly status: number;
  readonly body: JsonObject;
}

const MAX_RESPONSE_BYTES = 2 * 1024 * 1024;
const MAX_REDIRECTS = 2;
const MAX_MESSAGE_CHARS = 300;

/** One request with the service's key, to the service and nowhere else. Throws unless it answers with success. */
export async function callService(
  service: Service,
  request: ServiceRequest,
  ctx: ToolContext,
): Promise<ServiceAnswer> {
  const isWrite = request.method !== 'GET';
  const mayRepeat = !isWrite || ctx.idempotencyKey !== undefined;
  const timedOut = toTimeout(service, { isWrite, mayRepeat });
  const deadline = { timeoutMs: service.timeoutMs, timedOut, signal: ctx.signal };
  const answer = await withDeadline(deadline, (signal) =>
    guardedRequest(createServiceGuard(service), {
      url: `${service.baseUrl.replace(/\/+$/, '')}${request.path}`,
      method: request.method,
      headers: headersOf(service, request, ctx),
      body: request.body === undefined ? undefined : JSON.stringify(request.body),
      secretNames: new Set(['authorization']),
      isWrite,
      mayRepeat,
      maxBytes: MAX_RESPONSE_BYTES,
      maxRedirects: MAX_REDIRECTS,
      signal,
    }),
  );
  const text = maskSecrets(answer.body.bytes.toString('utf8'), [service.key]);
  const busy = findBusy({ answer, body: text, isWrite, nowMs: Date.now() });
  if (busy) throw busy;
  const body = answer.body.truncated ? undefined : parseObject(text);
  const { status } = answer;
  const isSuccess = status >= 200 && status < 300;
  if (!isSuccess) throw refused(service, { answer, body: body ?? {}, isWrite, mayRepeat });
  if (isWrite && answer.method !== request.method) throw turnedAway(service);
  // A write that succeeded has happened, whatever is said about it; a read without an answer has not.
  if (body === undefined && !isWrite) throw unreadable(service, answer);
  return { status, body: body ?? {} };
}

function headersOf(
  { key, headers }: Service,
  { body }: ServiceRequest,
  { traceparent, idempotencyKey }: ToolContext,
): Record<string, string> {
  // What else could break out of the header, or be another key than was meant.
  if (/[^\x21-\x7e]/.test(key)) {
    throw new RuntimeError('policy_denied', "the service's key can't be sent in a header");
  }
  return {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': 'pincer',
    ...headers,
    authorization: `Bearer ${key}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...defined({ traceparent }),
    ...(idempotencyKey === undefined || body === undefined
      ? {}
      : { 'idempotency-key': idempotencyKey }),
  };
}

interface Circumstances {
  readonly isWrite: boolean;
  readonly mayRepeat: boolean;
}

function toTimeout(
  { name, timeoutMs }: Service,
  { isWrite, mayRepeat }: Circumstances,
): RuntimeError {
  return new RuntimeError('timeout', `${name} did not answer within ${timeoutMs} ms`, {
    retryable: mayRepeat,
    details: { timeout_ms: timeoutMs, effect: isWrite ? 'unknown' : 'none' },
  });
}

interface Refusal extends Circumstances {
  readonly answer: Pick<GuardedResponse, 'status' | 'headers'>;
  readonly body: JsonObject;
}

/** The service's word on the request. A fault of its own leaves open whether it acted before it broke. */
function refused({ name }: Service, { answer, body, isWrite, mayRepeat }: Refusal): RuntimeError {
  const { status, headers } = answer;
  const said = typeof body['message'] === 'string' ? body['message'] : '';
  const isFault = status >= 500;
  // Resend, while an earlier request with the same key is under way.
  const isConcurrent = status === 409 && body['name'] === 'concurrent_idempotent_requests';
  const isRateLimited =
    headers['x-ratelimit-remaining'] === '0' && (status === 403 || status === 429);
  return new RuntimeError(
    'tool_failed',
    `${name} answered ${status}${said === '' ? '' : `: ${said.slice(0, MAX_MESSAGE_CHARS)}`}`,
    {
      retryable: (isFault || isConcurrent) && mayRepeat,
      details: {
        status,
        effect: isWrite && (isFault || isConcurrent) ? 'unknown' : 'none',
        ...(isRateLimited ? { rate_limited: true } : {}),
      },
    },
  );
}

/** Another page was read in place of the write, and that page's success is not the write's. */
function turnedAway({ name }: Service): RuntimeError {
  return new RuntimeError('tool_failed', `${name} answered the write with another page to read`, {
    details: { effect: 'unknown' },
  });
}

function unreadable({ name }: Service, { status, body }: GuardedResponse): RuntimeError {
  const what = body.truncated ? `more than ${MAX_RESPONSE_BYTES} bytes` : 'no JSON object';
  return new RuntimeError('tool_failed', `${name} answered ${status} with ${what}`, {
    details: { effect: 'none' },
  });
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
