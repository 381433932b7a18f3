import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { RuntimeError } from '../../core/errors.ts';
import { errnoOf } from '../../platform/errno-of.ts';
import { requestFailed } from './http-errors.ts';
import type { Target } from './parse-target.ts';

export interface Outgoing {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Whether the call changes something on the other side, also after a redirect has made a GET of it. */
  readonly isWrite: boolean;
  /** Whether the whole call may be made again by itself. */
  readonly mayRepeat: boolean;
}

const MAX_HEADER_BYTES = 32 * 1024;

/** Sends one request on a connection that stands, and gives the response when its headers are there. */
export function exchange(
  socket: Socket,
  target: Target,
  { outgoing, signal }: { readonly outgoing: Outgoing; readonly signal: AbortSignal },
): Promise<IncomingMessage> {
  const { method, headers, body } = outgoing;
  return new Promise((resolve, reject) => {
    const call = request({
      createConnection: () => socket,
      method,
      path: `${target.url.pathname}${target.url.search}`,
      setHost: false,
      headers: {
        ...headers,
        host: hostHeader(target),
        ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
      },
      maxHeaderSize: MAX_HEADER_BYTES,
    });
    const onAbort = () => call.destroy(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    call.once('close', () => signal.removeEventListener('abort', onAbort));
    call.once('response', resolve);
    call.on('error', (error) => reject(toRequestError(error, target, outgoing)));
    call.end(body);
  });
}

function hostHeader({ url, host }: Target): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return url.port === '' ? name : `${name}:${url.port}`;
}

/** The request may have arrived: only one that changes nothing, or carries a key, may be sent again. */
export function toRequestError(
  thrown: unknown,
  target: Target,
  { isWrite, mayRepeat }: Pick<Outgoing, 'isWrite' | 'mayRepeat'>,
): RuntimeError {
  if (thrown instanceof RuntimeError) return thrown;
  const reason = errnoOf(thrown) ?? 'failed';
  return requestFailed({
    host: target.host,
    reason,
    message: `the exchange with ${target.host}:${target.port} failed (${reason})`,
    retryable: mayRepeat && /^E[A-Z]+$/.test(reason),
    effect: isWrite ? 'unknown' : 'none',
  });
}
