import type { IncomingMessage } from 'node:http';
import { classifyAddress } from './classify-address.ts';
import { exchange, type Outgoing, toRequestError } from './exchange.ts';
import { httpDenied, withUnknownEffect } from './http-errors.ts';
import { type Connect, openSocket } from './open-socket.ts';
import { assertAllowed, type HostRule, parseTarget, type Target } from './parse-target.ts';
import { type Body, readBody } from './read-body.ts';
import { withoutContent, withoutCredentials } from './request-headers.ts';
import { type Resolve, resolveHost } from './resolve-host.ts';

export interface NetworkGuard {
  readonly rules: readonly HostRule[];
  readonly allowLocalhosts: boolean;
  readonly resolve: Resolve;
  readonly connect: Connect;
}

export interface GuardedRequest extends Outgoing {
  readonly url: string;
  readonly secretNames: ReadonlySet<string>;
  readonly maxBytes: number;
  /** 5 when left out. */
  readonly maxRedirects?: number;
  readonly signal: AbortSignal;
}

export interface GuardedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  /** Where the answer came from, after redirects. */
  readonly url: string;
  /** What was asked there: a redirect may have made a `GET` of it. */
  readonly method: string;
  /** As of the request; false too when a redirect led away from those who know its key. */
  readonly mayRepeat: boolean;
}

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Makes a request and follows its redirects. Every hop is checked from the start: URL, host, addresses. */
export async function guardedRequest(
  guard: NetworkGuard,
  request: GuardedRequest,
): Promise<GuardedResponse> {
  let target = parseTarget(request.url);
  let hop: GuardedRequest = request;
  let isAnswered = false;
  try {
    for (let redirects = 0; ; redirects += 1) {
      const response = await send(guard, target, hop);
      isAnswered = true;
      const status = response.statusCode ?? 0;
      if (!REDIRECTS.has(status)) return await finish(response, target, hop);
      response.destroy();
      if (redirects >= (request.maxRedirects ?? MAX_REDIRECTS)) {
        throw httpDenied(target.host, 'ssrf_block.redirect_limit_exceeded');
      }
      const next = parseLocation(response.headers.location, target);
      hop = follow(hop, { status, isSameOrigin: next.url.origin === target.url.origin });
      target = next;
    }
  } catch (thrown) {
    // Whoever sent us elsewhere has had the request, and may have acted on it first.
    throw isAnswered && request.isWrite ? withUnknownEffect(thrown, hop.mayRepeat) : thrown;
  }
}

async function send(
  guard: NetworkGuard,
  target: Target,
  hop: GuardedRequest,
): Promise<IncomingMessage> {
  const { signal } = hop;
  assertAllowed(target, guard.rules, guard.allowLocalhosts);
  const looking = resolveHost(guard.resolve, target.host, guard.allowLocalhosts);
  const addresses = await unlessAborted(looking, signal);
  const isLocal = addresses.every((address) => classifyAddress(address) === 'loopback');
  if (hop.secretNames.size > 0 && !target.isSecure && !isLocal) {
    throw httpDenied(target.host, 'secret_over_plain_http');
  }
  const socket = await openSocket(guard.connect, target, { addresses, signal });
  try {
    return await exchange(socket, target, { outgoing: hop, signal });
  } catch (thrown) {
    socket.destroy();
    throw thrown;
  }
}

/** Name servers take their time and can't be told to stop. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

async function finish(
  response: IncomingMessage,
  target: Target,
  hop: GuardedRequest,
): Promise<GuardedResponse> {
  const { maxBytes, signal, mayRepeat, method } = hop;
  const onAbort = () => response.destroy(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    const body = await readBody(response, maxBytes);
    const status = response.statusCode ?? 0;
    const { href: url } = target.url;
    return { status, headers: flatten(response), body, url, method, mayRepeat };
  } catch (thrown) {
    signal.throwIfAborted();
    throw toRequestError(thrown, target, hop);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function flatten(response: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}

function parseLocation(location: string | undefined, from: Target): Target {
  if (location === undefined || location === '') {
    throw httpDenied(from.host, 'ssrf_block.redirect_missing_location');
  }
  // Headers are read as latin1; what is not plain text in one is no URL.
  const isPlain = /^[\x21-\x7e]+$/.test(location) && URL.canParse(location, from.url.href);
  if (!isPlain || location.includes('\\')) {
    throw httpDenied(from.host, 'ssrf_block.redirect_invalid_location');
  }
  const next = new URL(location, from.url);
  next.hash = '';
  if (from.isSecure && next.protocol === 'http:') {
    throw httpDenied(next.hostname, 'ssrf_block.redirect_invalid_location', 'it leaves https');
  }
  return parseTarget(next.href);
}

interface Redirect {
  readonly status: number;
  readonly isSameOrigin: boolean;
}

function follow(hop: GuardedRequest, { status, isSameOrigin }: Redirect): GuardedRequest {
  const headers = isSameOrigin ? hop.headers : withoutCredentials(hop.headers, hop.secretNames);
  const secretNames = isSameOrigin ? hop.secretNames : new Set<string>();
  const becomesGet =
    (status === 303 && hop.method !== 'HEAD') || (status <= 302 && hop.method === 'POST');
  // The key stays behind with the credentials: what goes on without it must not be sent twice.
  const mayRepeat = hop.mayRepeat && (isSameOrigin || becomesGet || !hop.isWrite);
  if (!becomesGet) return { ...hop, headers, secretNames, mayRepeat };
  return { ...hop, method: 'GET', headers: withoutContent(headers), body: undefined, secretNames };
}
