import { lookup } from 'node:dns/promises';
import { isIP, isIPv4 } from 'node:net';
import { classifyAddress } from './classify-address.ts';
import { httpDenied, requestFailed } from './http-errors.ts';

/** All addresses of a name. Injected, so that tests can answer as a hostile name server would. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export const systemResolve: Resolve = async (host) => {
  const found = await lookup(host, { all: true, verbatim: true });
  return found.map(({ address }) => address);
};

const MAX_ADDRESSES = 32;

/**
 * The addresses to connect to, each of them checked. The connection is made to one of these and the name is not
 * looked up again, so that a name server can't answer differently the second time.
 */
export async function resolveHost(
  resolve: Resolve,
  host: string,
  allowLocalhosts: boolean,
): Promise<readonly string[]> {
  const addresses = isIP(host) !== 0 ? [host] : await lookUp(resolve, host);
  // One bad address condemns the name: which one a later connection gets is the attacker's choice.
  for (const address of addresses) {
    const kind = classifyAddress(address);
    if (kind === 'metadata') throw httpDenied(host, 'ssrf_block.metadata_endpoint');
    if (kind === 'private' || (kind === 'loopback' && !allowLocalhosts)) {
      throw httpDenied(host, 'ssrf_block.private_address');
    }
  }
  // Many machines have IPv6 addresses in their DNS answers and no way to them.
  return [...addresses].sort((a, b) => Number(isIPv4(b)) - Number(isIPv4(a)));
}

async function lookUp(resolve: Resolve, host: string): Promise<readonly string[]> {
  try {
    const addresses = (await resolve(host)).slice(0, MAX_ADDRESSES);
    if (addresses.length > 0) return addresses;
  } catch {
    // What the resolver says about it is of no use to the caller; that there is no answer is.
  }
  throw requestFailed({
    host,
    reason: 'ssrf_block.dns_resolution_failed',
    message: `${host} has no address`,
    retryable: true,
    effect: 'none',
  });
}
