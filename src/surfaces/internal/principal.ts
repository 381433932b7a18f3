import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { RuntimeError } from '../../core/errors.ts';
import type { Principal } from '../../core/principal.ts';
import { findInteger } from './fields.ts';

const MAX_SCOPE_CHARS = 255;

/** Whom a request is made for: the user, else the guest. Throws `unauthenticated` when it names nobody. */
export function getPrincipal(request: FastifyRequest): Principal {
  const principal = findPrincipal(request, Number.MIN_SAFE_INTEGER);
  if (principal) return principal;
  throw new RuntimeError('unauthenticated', 'missing or invalid principal headers');
}

/** As `getPrincipal`, for things that no user id below 1 can own. */
export function getPositivePrincipal(request: FastifyRequest): Principal {
  const principal = findPrincipal(request, 1);
  if (principal) return principal;
  throw new RuntimeError('unauthenticated', 'missing or invalid principal headers');
}

/** For what only users may do. Throws `invalid_input`, as the contract has it. */
export function getUserId(request: FastifyRequest): number {
  const id = findUserId(request, 1);
  if (id !== undefined) return id;
  throw new RuntimeError('invalid_input', 'x-oa-user-id header is required');
}

/** A malformed user id does not count, and neither does a header that is sent twice. */
function findPrincipal(request: FastifyRequest, minUserId: number): Principal | undefined {
  const id = findUserId(request, minUserId);
  if (id !== undefined) return { kind: 'user', id };
  const scope = findHeader(request, 'x-oa-guest-scope');
  if (scope === undefined || scope === '' || scope.length > MAX_SCOPE_CHARS) return undefined;
  return { kind: 'guest', scope };
}

export function findUserId(request: FastifyRequest, minUserId: number): number | undefined {
  const text = findHeader(request, 'x-oa-user-id');
  const id = text === undefined ? undefined : findInteger(text);
  return id !== undefined && id >= minUserId ? id : undefined;
}

/** Undefined when it is sent twice: which of the two is meant, nobody can tell. */
export function findHeader(request: FastifyRequest, name: string): string | undefined {
  const [value, ...more] = request.raw.headersDistinct[name] ?? [];
  return value === undefined || more.length > 0 ? undefined : decodeHeader(value).trim();
}

/** Node reads headers as Latin-1; claims are Unicode, and clients send what they sign as UTF-8. */
function decodeHeader(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : value;
}
