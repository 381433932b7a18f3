import { Buffer } from 'node:buffer';
import * as z from 'zod';
import { defined } from '../../core/defined.ts';
import { RuntimeError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { spellUrl } from '../../core/policy/aim.ts';
import {
  defineTool,
  type Tool,
  type ToolContext,
  type ToolEffect,
  type ToolNature,
  type ToolTrait,
} from '../../core/tools/tool.ts';
import { toTraceHeaders } from '../../core/trace-context.ts';
import { adoptAlias } from '../files/repair-arguments.ts';
import { findBusy } from './busy-answer.ts';
import { decodeText } from './decode-text.ts';
import { guardedRequest, type NetworkGuard } from './guarded-request.ts';
import { httpDenied } from './http-errors.ts';
import { type Connect, systemConnect } from './open-socket.ts';
import { type HostRule, isListed, parseHostRules, parseTarget } from './parse-target.ts';
import { findIdempotencyKey, parseHeaders } from './request-headers.ts';
import { type Resolve, systemResolve } from './resolve-host.ts';
import {
  maskSecrets,
  namesSecret,
  type ResolveSecret,
  resolveSecretReferences,
} from './secret-references.ts';
import { withDeadline } from './with-deadline.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const DEFAULT_TIMEOUT_MS = 15_000;
const MAX_TIMEOUT_MS = 120_000;
const DEFAULT_RESPONSE_BYTES = 1024 * 1024;
const MAX_RESPONSE_BYTES = 5 * 1024 * 1024;
const MAX_BODY_BYTES = 1024 * 1024;
const TRAITS: readonly ToolTrait[] = ['untrusted_input', 'outward_effect'];

const input = z.strictObject({
  url: z
    .string({
      error: (issue) => (issue.input === undefined ? 'url is required' : 'url must be a string'),
    })
    .describe('An absolute http or https URL, without a user name.'),
  method: z
    .enum(METHODS, { error: `method must be one of ${METHODS.join(', ')}` })
    .describe('GET when left out.')
    .optional(),
  headers: z
    .record(z.string(), z.string({ error: 'headers must be text' }), {
      error: 'headers must be an object',
    })
    .describe('Header values may hold {{secret:NAME}}, which the runtime fills in.')
    .optional(),
  body: z
    .string({ error: 'body must be a string' })
    .refine((body) => Buffer.byteLength(body) <= MAX_BODY_BYTES, {
      error: `body must be at most ${MAX_BODY_BYTES} bytes`,
    })
    .optional(),
  timeout_ms: z
    .int({ error: 'timeout_ms must be a whole number' })
    .min(1, 'timeout_ms must be at least 1')
    .max(MAX_TIMEOUT_MS, `timeout_ms must be at most ${MAX_TIMEOUT_MS}`)
    .describe(`For the whole exchange, redirects included; ${DEFAULT_TIMEOUT_MS} when left out.`)
    .optional(),
  max_response_bytes: z
    .int({ error: 'max_response_bytes must be a whole number' })
    .describe(`${DEFAULT_RESPONSE_BYTES} when left out or below 1, ${MAX_RESPONSE_BYTES} at most.`)
    .optional(),
});

type HttpInput = z.infer<typeof input>;

interface HttpOutput {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly bytes_read: number;
  readonly truncated: boolean;
  readonly url: string;
  readonly max_response_bytes: number;
  /** Only when the body is not text. */
  readonly body_encoding?: 'base64';
}

export interface HttpToolConfig {
  readonly enabled: boolean;
  readonly allowedDomains: readonly string[];
  readonly allowLocalhosts: boolean;
  /** Hosts that honour `Idempotency-Key`: a request to them may be sent again with the same key. */
  readonly keyDomains: readonly string[];
}

export interface HttpToolDeps {
  readonly config: HttpToolConfig;
  readonly resolve?: Resolve;
  readonly connect?: Connect;
  readonly resolveSecret?: (name: string, ctx: ToolContext) => Promise<string | undefined>;
  readonly nowMs?: () => number;
}

/** What a request does to the world, by its method; `POST` and the like may not be repeated. */
export function effectOfRequest({ method }: { readonly method?: string | undefined }): ToolEffect {
  return method === undefined || ['GET', 'HEAD', 'OPTIONS'].includes(method) ? 'read' : 'write';
}

/** Told before the arguments are checked: what can't be read counts as the more dangerous. */
function natureOfRequest(call: JsonObject, keyRules: readonly HostRule[]): ToolNature {
  const method = typeof call['method'] === 'string' ? call['method'] : undefined;
  const effect = effectOfRequest({ method });
  return {
    effect,
    idempotent: effect === 'read',
    sendsKey: honoursKeys(call['url'], keyRules),
    traits: namesSecret(call['headers']) ? [...TRAITS, 'secret_data'] : TRAITS,
  };
}

function honoursKeys(url: unknown, rules: readonly HostRule[]): boolean {
  try {
    return typeof url === 'string' && isListed(parseTarget(url), rules);
  } catch {
    return false;
  }
}

export function createHttpRequest(deps: HttpToolDeps): Tool {
  const { config, resolve, connect, resolveSecret, nowMs = Date.now } = deps;
  const guard: NetworkGuard = {
    rules: parseHostRules(config.allowedDomains),
    allowLocalhosts: config.allowLocalhosts,
    resolve: resolve ?? systemResolve,
    connect: connect ?? systemConnect,
  };
  return defineTool<HttpInput, HttpOutput>({
    name: 'http.request',
    aliases: ['net.fetch'],
    description:
      'Make an HTTP request to an allowed host. Redirects are followed, private addresses are refused, and a ' +
      'response longer than max_response_bytes is cut (truncated is true then).',
    effect: 'write',
    aims: async ({ url }) => [{ kind: 'url', field: 'url', url: spellUrl(url) ?? url }],
    natureOf: (call) => natureOfRequest(call, parseHostRules(config.keyDomains)),
    keyOf: ({ headers }) => findIdempotencyKey(headers),
    requires: 'full',
    traits: TRAITS,
    limits: { timeoutMs: MAX_TIMEOUT_MS },
    serves: 'everyone',
    source: 'src/toolbox/http/http-request.ts',
    input,
    repair: repairRequest,
    summarize: ({ method = 'GET' }, { status, url, bytes_read }) =>
      `${method} ${url} answered ${status} (${bytes_read} bytes)`,

    async execute(call, ctx: ToolContext) {
      if (!config.enabled) throw httpDenied(parseTarget(call.url).host, 'network_disabled');
      const resolveOne = resolveSecret && ((name: string) => resolveSecret(name, ctx));
      const timeoutMs = call.timeout_ms ?? DEFAULT_TIMEOUT_MS;
      const timedOut = toTimeout(timeoutMs, { call, ctx });
      return withDeadline({ timeoutMs, timedOut, signal: ctx.signal }, (signal) =>
        makeRequest({ guard, call, ctx, signal, nowMs, resolveSecret: resolveOne }),
      );
    },
  });
}

interface Exchange {
  readonly guard: NetworkGuard;
  readonly call: HttpInput;
  readonly ctx: ToolContext;
  readonly signal: AbortSignal;
  readonly nowMs: () => number;
  readonly resolveSecret: ResolveSecret | undefined;
}

async function makeRequest({
  guard,
  call,
  ctx,
  signal,
  nowMs,
  resolveSecret,
}: Exchange): Promise<HttpOutput> {
  const { url, method = 'GET', body, max_response_bytes = 0 } = call;
  if (body !== undefined && (method === 'GET' || method === 'HEAD')) {
    throw new RuntimeError('tool_input_invalid', `a ${method} request has no body`, {
      details: { field: 'body' },
    });
  }
  const isWrite = effectOfRequest(call) === 'write';
  // Before any secret is fetched for it: a request that may not be made needs none.
  parseTarget(url);
  const { headers, secretNames, secrets } = await resolveSecretReferences(
    {
      accept: '*/*',
      'accept-encoding': 'identity',
      'user-agent': 'pincer',
      ...toTraceHeaders(ctx),
      ...defined({ 'x-request-id': ctx.callerRequestId }),
      ...(isWrite && ctx.idempotencyKey !== undefined
        ? { 'idempotency-key': ctx.idempotencyKey }
        : {}),
      ...parseHeaders(call.headers ?? {}),
    },
    resolveSecret,
  );
  const asked = max_response_bytes > 0 ? max_response_bytes : DEFAULT_RESPONSE_BYTES;
  const maxBytes = Math.min(asked, MAX_RESPONSE_BYTES);
  const answer = await guardedRequest(guard, {
    url,
    method,
    headers,
    body,
    secretNames,
    isWrite,
    mayRepeat: canRepeat(call, ctx),
    maxBytes,
    signal,
  });
  const { text, isText } = decodeText(answer.body.bytes, answer.headers['content-type']);
  const mask = (value: string) => maskSecrets(value, secrets);
  const busy = findBusy({ answer, body: mask(text), isWrite, nowMs: nowMs() });
  if (busy) throw busy;
  return {
    status: answer.status,
    headers: Object.fromEntries(Object.entries(answer.headers).map(([name, v]) => [name, mask(v)])),
    body: mask(text),
    bytes_read: answer.body.bytes.length,
    truncated: answer.body.truncated,
    url: mask(answer.url),
    max_response_bytes: maxBytes,
    ...(isText ? {} : { body_encoding: 'base64' }),
  };
}

/** Whoever gives the key, the configuration or the caller, says that the service honours it. */
function canRepeat(call: HttpInput, { idempotencyKey }: ToolContext): boolean {
  return effectOfRequest(call) === 'read' || idempotencyKey !== undefined;
}

function toTimeout(
  timeoutMs: number,
  { call, ctx }: { readonly call: HttpInput; readonly ctx: ToolContext },
): RuntimeError {
  const isRead = effectOfRequest(call) === 'read';
  return new RuntimeError('timeout', `http.request did not finish within ${timeoutMs} ms`, {
    retryable: canRepeat(call, ctx),
    details: { timeout_ms: timeoutMs, effect: isRead ? 'none' : 'unknown' },
  });
}

function repairRequest(raw: JsonObject): JsonObject {
  const named = adoptAlias(adoptAlias(raw, 'url', ['uri', 'href']), 'body', ['data', 'json']);
  const { method, body } = named;
  const isStructured = typeof body === 'object' && body !== null;
  return {
    ...named,
    ...(typeof method === 'string' ? { method: method.trim().toUpperCase() } : {}),
    ...(isStructured
      ? { body: JSON.stringify(body), headers: withJsonType(named['headers']) }
      : {}),
  };
}

/** Models give a structure where the text of one is wanted. */
function withJsonType(headers: unknown): JsonObject {
  const given = typeof headers === 'object' && headers !== null ? (headers as JsonObject) : {};
  const hasType = Object.keys(given).some((name) => name.toLowerCase() === 'content-type');
  return hasType ? given : { ...given, 'content-type': 'application/json' };
}
