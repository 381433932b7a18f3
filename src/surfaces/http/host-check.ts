import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { RuntimeError } from '../../core/errors.ts';
import type { HttpConfig } from './http-config.ts';
import { findAuthority } from './request-target.ts';

const HOST_HEADER = /^(\[[0-9a-f:.]+\]|[^:/@[\]\s]+?)\.?(?::\d{1,5})?$/i;
const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '[::1]'];
const WILDCARD_ADDRESSES = new Set(['0.0.0.0', '::']);
const MAX_ECHOED_CHARS = 100;

export type AddressedRequest = Pick<IncomingMessage, 'headers' | 'rawHeaders'>;

/**
 * Refuses requests that a web page smuggled to us. A page on a rebound DNS name sends that name as `Host`; a page
 * of another site sends its `Origin`. Programs such as curl send no `Origin` and name us as we are.
 */
export function createHostCheck(
  config: Pick<HttpConfig, 'host' | 'allowedHosts' | 'allowedOrigins'>,
): (request: AddressedRequest, target: string) => RuntimeError | undefined {
  const names = new Set([
    ...LOOPBACK_NAMES,
    bracketed(config.host),
    ...config.allowedHosts.map(lower),
  ]);
  const origins = new Set(config.allowedOrigins.map(lower));
  // Rebinding needs a name. A server that listens everywhere can't know its addresses, but an address is no name.
  const acceptsAddresses = WILDCARD_ADDRESSES.has(config.host);

  return ({ headers, rawHeaders }, target) => {
    const host = headers.host?.toLowerCase();
    if (host === undefined || host === '') return invalid('host header is required');
    // Node shows the first of several, a proxy in front may have gone by the last.
    if (countHosts(rawHeaders) > 1) return invalid('host header must be given once');
    if ((findAuthority(target)?.toLowerCase() ?? host) !== host) {
      return invalid('host header does not match the request target');
    }
    const name = HOST_HEADER.exec(host)?.[1];
    if (name === undefined) return invalid(`host header ${echo(host)} is not valid`);
    const isKnown = names.has(name) || names.has(host) || (acceptsAddresses && isAddress(name));
    if (!isKnown) return refused(`host ${echo(host)} is not allowed`);

    const origin = headers.origin?.toLowerCase();
    if (origin === undefined || origins.has(origin) || hostOf(origin) === host) return undefined;
    return refused(`origin ${echo(origin)} is not allowed`);
  };
}

function countHosts(rawHeaders: readonly string[]): number {
  return rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length;
}

function hostOf(origin: string): string | undefined {
  return /^https?:\/\/([^/]+)$/.exec(origin)?.[1];
}

function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}

function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host.toLowerCase()}]` : host.toLowerCase();
}

function lower(text: string): string {
  return text.toLowerCase();
}

function echo(text: string): string {
  return text.slice(0, MAX_ECHOED_CHARS);
}

function invalid(message: string): RuntimeError {
  return new RuntimeError('invalid_input', message);
}

function refused(message: string): RuntimeError {
  return new RuntimeError('forbidden_origin', message);
}
