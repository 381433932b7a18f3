import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { errnoOf } from '../../platform/errno-of.ts';
import { requestFailed } from './http-errors.ts';
import type { Target } from './parse-target.ts';

export interface Endpoint {
  readonly address: string;
  readonly port: number;
  /** The name that the certificate must be for; undefined for a connection without TLS. */
  readonly tlsName: string | undefined;
}

/** Starts a connection to an address. Injected, so that tests can stand in for the internet. */
export type Connect = (endpoint: Endpoint) => Socket;

export const systemConnect: Connect = ({ address, port, tlsName }) => {
  if (tlsName === undefined) return connectTcp({ host: address, port });
  // An address has no server name indication; its certificate is checked against the address itself.
  const servername = isIP(tlsName) === 0 ? tlsName : '';
  return connectTls({ host: address, port, servername, ALPNProtocols: ['http/1.1'] });
};

const MAX_ATTEMPTS = 3;

/** Connects to the first address that answers. Nothing is sent yet, so trying the next one repeats nothing. */
export async function openSocket(
  connect: Connect,
  target: Target,
  { addresses, signal }: { readonly addresses: readonly string[]; readonly signal: AbortSignal },
): Promise<Socket> {
  let reason = 'unknown';
  for (const address of addresses.slice(0, MAX_ATTEMPTS)) {
    signal.throwIfAborted();
    const tlsName = target.isSecure ? target.host : undefined;
    const socket = connect({ address, port: target.port, tlsName });
    const failure = await whenConnected(socket, target.isSecure, signal);
    if (failure === undefined) return socket;
    socket.destroy();
    reason = failure;
  }
  signal.throwIfAborted();
  throw requestFailed({
    host: target.host,
    reason,
    message: `can't connect to ${target.host}:${target.port} (${reason})`,
    // A certificate that is wrong now is wrong in a second too.
    retryable: /^E[A-Z]+$/.test(reason),
    effect: 'none',
  });
}

/** Why the connection failed, or undefined once it stands. */
function whenConnected(
  socket: Socket,
  isSecure: boolean,
  signal: AbortSignal,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const settle = (failure: string | undefined) => {
      signal.removeEventListener('abort', onAbort);
      resolve(failure);
    };
    const onAbort = () => settle('aborted');
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once(isSecure ? 'secureConnect' : 'connect', () => settle(undefined));
    // It stays: an error after the abort must not be without a listener.
    socket.on('error', (error) => settle(errnoOf(error) ?? 'failed'));
  });
}
