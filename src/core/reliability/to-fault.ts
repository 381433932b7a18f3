import * as z from 'zod';
import { defined } from '../defined.ts';
import { type ErrorCode, RuntimeError, toRuntimeError } from '../errors.ts';
import { type JsonObject, toJsonValue } from '../json.ts';
import type { Fault } from './fault.ts';
import { parseRetryAfterMs } from './retry-after.ts';

const MAX_MESSAGE_CHARS = 500;
/** Deep enough for a socket's error in fetch's error in a client's error. */
const MAX_CAUSES = 5;

const TIMEOUTS = new Set([
  'ETIMEDOUT',
  'ESOCKETTIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);
const BROKEN_CONNECTIONS = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
]);
const RETRIABLE_STATUSES = new Set([429, 502, 503, 504]);

/** What a handler threw, whatever it is. Errors of HTTP clients and sockets are known by `status` and `code`. */
export function toFault(thrown: unknown, nowMs: number): Fault {
  if (thrown instanceof RuntimeError) return fromRuntimeError(thrown);
  if (thrown instanceof z.ZodError) return invalidInput(thrown);
  const status = findStatus(thrown);
  if (status !== undefined) return fromStatus(thrown, status, nowMs);
  const reason = findCause(thrown, 'code', (code) => typeof code === 'string');
  if (typeof reason === 'string') {
    if (TIMEOUTS.has(reason)) return network(thrown, 'timeout', reason);
    if (BROKEN_CONNECTIONS.has(reason)) return network(thrown, 'provider_failed', reason);
  }
  if (nameOf(thrown) === 'TimeoutError') return fault(thrown, { code: 'timeout', retryable: true });
  if (nameOf(thrown) === 'AbortError')
    return fault(thrown, { code: 'cancelled', retryable: false });
  const error = toRuntimeError(thrown);
  if (error.code !== 'internal') return fromRuntimeError(error);
  return fault(thrown, { code: 'tool_failed', retryable: declaresRetriable(thrown) });
}

/** Zod's issues as one line, and as details. */
export function invalidInput(error: z.ZodError): Fault {
  const issues = error.issues.slice(0, 5).map((issue) => ({
    path: issue.path.map(String).join('.'),
    message: issue.message,
  }));
  const message = issues
    .map((issue) => (issue.path ? `${issue.path}: ${issue.message}` : issue.message))
    .join('; ');
  return { code: 'tool_input_invalid', message, retryable: false, details: { issues } };
}

function fromRuntimeError(error: RuntimeError): Fault {
  return {
    code: error.code,
    message: error.message,
    retryable: error.retryable,
    ...(error.details === undefined ? {} : { details: toJsonValue(error.details) as JsonObject }),
  };
}

function fromStatus(thrown: unknown, status: number, nowMs: number): Fault {
  const retryAfterMs = findRetryAfterMs(thrown, nowMs);
  return fault(thrown, {
    code: codeOf(status),
    retryable: RETRIABLE_STATUSES.has(status),
    details: { status, ...defined({ retryAfterMs }) },
  });
}

function codeOf(status: number): ErrorCode {
  if (status === 400 || status === 422) return 'tool_input_invalid';
  if (status === 429) return 'rate_limited';
  if (status === 504) return 'timeout';
  return status >= 500 ? 'provider_failed' : 'tool_failed';
}

function network(thrown: unknown, code: 'timeout' | 'provider_failed', reason: string): Fault {
  return fault(thrown, { code, retryable: true, details: { reason } });
}

function fault(thrown: unknown, kind: Omit<Fault, 'message'>): Fault {
  const message =
    thrown instanceof Error && thrown.message !== '' ? thrown.message : 'the tool failed';
  return { ...kind, message: message.slice(0, MAX_MESSAGE_CHARS) };
}

function nameOf(thrown: unknown): unknown {
  return read(thrown, 'name');
}

function declaresRetriable(thrown: unknown): boolean {
  return read(thrown, 'retryable') === true || read(thrown, 'retriable') === true;
}

function findStatus(thrown: unknown): number | undefined {
  for (const holder of [thrown, read(thrown, 'response')]) {
    for (const name of ['status', 'statusCode']) {
      const status = read(holder, name);
      if (typeof status === 'number' && status >= 400 && status < 600) return status;
    }
  }
  return undefined;
}

function findRetryAfterMs(thrown: unknown, nowMs: number): number | undefined {
  const given = read(thrown, 'retryAfterMs');
  if (typeof given === 'number' && given >= 0) return given;
  const headers = read(thrown, 'headers') ?? read(read(thrown, 'response'), 'headers');
  return parseRetryAfterMs((name) => readHeader(headers, name), nowMs);
}

function readHeader(headers: unknown, name: string): string | undefined {
  const get = read(headers, 'get');
  const value: unknown = typeof get === 'function' ? get.call(headers, name) : read(headers, name);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** The nearest value of that name along the chain of causes. */
function findCause(thrown: unknown, name: string, fits: (value: unknown) => boolean): unknown {
  let current = thrown;
  for (let depth = 0; depth < MAX_CAUSES && current !== undefined; depth += 1) {
    const value = read(current, name);
    if (fits(value)) return value;
    current = read(current, 'cause');
  }
  return undefined;
}

function read(holder: unknown, name: string): unknown {
  return typeof holder === 'object' && holder !== null
    ? (holder as Record<string, unknown>)[name]
    : undefined;
}
