import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../core/clock.ts';
import { RuntimeError } from '../../core/errors.ts';
import type { NonceStore } from '../../core/threads/nonce-store.ts';
import {
  checkClaims,
  hasExpired,
  isSignedWith,
  parseToken,
  type SignatureClaims,
  type SignatureToken,
  TOKEN_EXPIRED,
} from '../../core/threads/signature.ts';
import { refuseCaller } from '../http/answers/refuse-caller.ts';
import type { RateLimiter } from '../http/rate-limiter.ts';
import type { Authenticate, Surface } from '../http/surface.ts';
import { findBodyMismatch, findHeadMismatch } from './claimed-facts.ts';
import { findHeader } from './principal.ts';

export interface SignatureSecrets {
  /** For callers that name no key. */
  readonly single: string | undefined;
  /** By key id, while secrets are being rotated. */
  readonly byKeyId: ReadonlyMap<string, string>;
}

export interface SignatureAuthDeps {
  /** Asked with every request: the operator may change them. */
  readonly secrets: () => SignatureSecrets;
  readonly nonces: NonceStore;
  /** Counts failures by client address. */
  readonly failures: RateLimiter;
  readonly clock: Pick<Clock, 'nowMs'>;
}

/**
 * Authentication in two steps. Before the body is read: signature, times, and the facts of path, query and headers.
 * After it: the facts of the body, and the nonce last, so that nothing but an accepted request uses it up.
 */
export interface SignatureAuth extends Required<Pick<Surface, 'checkBytes' | 'confirm'>> {
  readonly authenticate: Authenticate;
}

interface Admitted {
  readonly claims: SignatureClaims;
  hasCheckedBody: boolean;
}

const SIGNATURE = 'x-oa-runtime-signature';
const KEY_ID = 'x-oa-runtime-key-id';
const BODY_SHA256 = 'x-oa-runtime-body-sha256';
const NO_BYTES = Buffer.alloc(0);

export function createSignatureAuth(deps: SignatureAuthDeps): SignatureAuth {
  const admitted = new WeakMap<FastifyRequest, Admitted>();
  const refuse = (request: FastifyRequest, message: string) =>
    refuseCaller(deps.failures, request.ip, { message });

  return {
    async authenticate(request) {
      const verdict = verify(request, deps);
      if (verdict.problem !== undefined) return refuse(request, verdict.problem);
      const mismatch = findHeadMismatch(request, verdict.claims);
      if (mismatch !== undefined) throw claimMismatch(mismatch);
      admitted.set(request, { claims: verdict.claims, hasCheckedBody: false });
      return { id: callerOf(verdict.claims) };
    },

    checkBytes(request, bytes) {
      const admission = admitted.get(request);
      if (admission) admission.hasCheckedBody = true;
      assertDigest(request, bytes);
    },

    async confirm(request) {
      const admission = admitted.get(request);
      if (!admission) throw new RuntimeError('unauthenticated', 'missing runtime signature');
      const { claims } = admission;
      if (!admission.hasCheckedBody) assertDigest(request, NO_BYTES);
      const mismatch = findBodyMismatch(request, claims);
      if (mismatch !== undefined) throw claimMismatch(mismatch);
      // The body may have been long on its way: a nonce is not kept for ever after the end of its token.
      if (hasExpired(claims, nowSeconds(deps))) return refuse(request, TOKEN_EXPIRED);
      const nonce = { value: claims.nonce, expiresAtMs: claims.exp * 1000 };
      if (!(await deps.nonces.use(nonce))) await refuse(request, 'token nonce already used');
    },
  };
}

type Verdict =
  | { readonly claims: SignatureClaims; readonly problem?: never }
  | { readonly problem: string; readonly claims?: never };

function verify(request: FastifyRequest, deps: SignatureAuthDeps): Verdict {
  const text = request.raw.headersDistinct[SIGNATURE]?.[0]?.trim();
  if (text === undefined || text === '') return { problem: 'missing runtime signature' };
  const token = parseToken(text);
  if (!token) return { problem: 'invalid token encoding' };
  const problem = findKeyProblem(request, token, deps.secrets());
  if (problem !== undefined) return { problem };
  return checkClaims(token.claims, nowSeconds(deps));
}

function nowSeconds({ clock }: SignatureAuthDeps): number {
  return Math.floor(clock.nowMs() / 1000);
}

/**
 * A caller that names one of the keys is held to it. One that names none may use any of the secrets. A name that we do not
 * know can only mean the secret without a name: clients send one whether the server rotates or not.
 */
function findKeyProblem(
  request: FastifyRequest,
  token: SignatureToken,
  { single, byKeyId }: SignatureSecrets,
): string | undefined {
  const keyId = findHeader(request, KEY_ID);
  const isNamed = keyId !== undefined && keyId !== '' && byKeyId.size > 0;
  const secrets = isNamed ? [byKeyId.get(keyId) ?? single] : [single, ...byKeyId.values()];
  const isSigned = secrets.some((secret) => secret !== undefined && isSignedWith(token, secret));
  if (isSigned) return undefined;
  return isNamed && !byKeyId.has(keyId) ? 'unknown signature key id' : 'invalid token signature';
}

/** A product's back end signs for all of its users: each has a rate of his own. */
function callerOf({ user_id: userId, guest_scope: guestScope }: SignatureClaims): string {
  if (userId !== undefined) return `signed:user:${userId}`;
  return guestScope === undefined ? 'signed' : `signed:guest:${guestScope}`;
}

/** Guards against what happens to a body on its way; who can forge the body can leave the header out. */
function assertDigest(request: FastifyRequest, bytes: Buffer): void {
  const given = request.raw.headersDistinct[BODY_SHA256] ?? [];
  if (given.length === 0) return;
  const expected = createHash('sha256').update(bytes).digest('hex');
  if (given.every((digest) => digest.trim().toLowerCase() === expected)) return;
  throw new RuntimeError('unauthenticated', `body does not match ${BODY_SHA256}`);
}

function claimMismatch(name: string): RuntimeError {
  return new RuntimeError('forbidden', `claim mismatch for ${name}`);
}
