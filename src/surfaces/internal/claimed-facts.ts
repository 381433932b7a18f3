import type { FastifyRequest } from 'fastify';
import { isJsonObject } from '../../core/json.ts';
import type { SignatureClaims } from '../../core/threads/signature.ts';
import { findInteger } from './fields.ts';
import { findHeader, findUserId } from './principal.ts';

const FACTS = ['run_id', 'thread_id', 'user_id', 'guest_scope'] as const;
type Fact = (typeof FACTS)[number];

/** The first fact of path, query and headers that the token does not claim as it stands there. */
export function findHeadMismatch(
  request: FastifyRequest,
  claims: SignatureClaims,
): Fact | undefined {
  const headers = {
    user_id: findUserId(request, Number.MIN_SAFE_INTEGER),
    guest_scope: findHeader(request, 'x-oa-guest-scope'),
  };
  return (
    findMismatch(request.params, claims) ??
    findMismatch(request.query, claims) ??
    findMismatch(headers, claims)
  );
}

/** The same of the fields at the top of the body. */
export function findBodyMismatch(
  request: FastifyRequest,
  claims: SignatureClaims,
): Fact | undefined {
  return findMismatch(request.body, claims);
}

function findMismatch(fields: unknown, claims: SignatureClaims): Fact | undefined {
  if (!isJsonObject(fields)) return undefined;
  return FACTS.find(
    (name) => isStated(fields[name]) && toClaim(name, fields[name]) !== claims[name],
  );
}

/** Routes refuse an empty name in words of their own. */
function isStated(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** A number that came as text is that number; anything else stays as it is and equals no claim of another type. */
function toClaim(name: Fact, value: unknown): unknown {
  const isText = name === 'user_id' && typeof value === 'string';
  return isText ? (findInteger(value) ?? value) : value;
}
