import type { NetworkGuard } from '../http/guarded-request.ts';
import { httpDenied } from '../http/http-errors.ts';
import { type Connect, systemConnect } from '../http/open-socket.ts';
import { bareHost, parseTarget } from '../http/parse-target.ts';
import { systemResolve } from '../http/resolve-host.ts';

export interface GuardedService {
  readonly name: string;
  /** The operator's word: a service on loopback is allowed when it says so. */
  readonly baseUrl: string;
}

/** The base URL's own host and port, also after a redirect: an answer must not lead the key elsewhere. */
export function createServiceGuard({ baseUrl, name }: GuardedService): NetworkGuard {
  const { host, port } = parseTarget(baseUrl);
  const connect: Connect = (endpoint) => {
    if (endpoint.port !== port) throw httpDenied(name, 'ssrf_block.host_not_allowed');
    return systemConnect(endpoint);
  };
  const allowLocalhosts = isLoopbackName(host);
  return { rules: [{ host, port }], allowLocalhosts, resolve: systemResolve, connect };
}

function isLoopbackName(host: string): boolean {
  const bare = bareHost(host);
  return bare === 'localhost' || bare === '::1' || /^127\.[\d.]+$/.test(bare);
}
