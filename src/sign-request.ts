import { createHash, randomUUID } from 'node:crypto';
import { defined } from './core/defined.ts';
import { type SignatureClaims, signToken } from './core/threads/signature.ts';

/** What one request to `/internal/v1` is about: it must say the same in its path, query, body and headers. */
export interface SignedRequest {
  /** `RUNTIME_SIGNATURE_SECRET`, or the secret of `keyId`. */
  readonly secret: string;
  /** Which of `RUNTIME_SIGNATURE_SECRETS` the secret is. */
  readonly keyId?: string;
  readonly runId?: string;
  readonly threadId?: string;
  /** Sent as `x-oa-user-id` too. */
  readonly userId?: number;
  /** Sent as `x-oa-guest-scope` too. */
  readonly guestScope?: string;
  /** The body to the byte: its digest is sent, and a body that changes on its way is refused. */
  readonly body?: string | Uint8Array;
  readonly ttlSeconds?: number;
  readonly nonce?: string;
  readonly nowMs?: number;
}

const DEFAULT_TTL_SECONDS = 60;

/** The headers of one request to `/internal/v1`. They are good for one request: a retry needs new ones. */
export function signRequest(request: SignedRequest): Record<string, string> {
  const { keyId, userId, guestScope, body } = request;
  return {
    'x-oa-runtime-signature': signToken(toClaims(request), request.secret),
    ...defined({ 'x-oa-runtime-key-id': keyId }),
    ...(body === undefined ? {} : { 'x-oa-runtime-body-sha256': sha256(body) }),
    ...(userId === undefined ? {} : { 'x-oa-user-id': String(userId) }),
    ...defined({ 'x-oa-guest-scope': guestScope }),
  };
}

function toClaims(request: SignedRequest): SignatureClaims {
  const { runId, threadId, userId, guestScope } = request;
  const iat = Math.floor((request.nowMs ?? Date.now()) / 1000);
  return {
    iat,
    exp: iat + (request.ttlSeconds ?? DEFAULT_TTL_SECONDS),
    nonce: request.nonce ?? randomUUID(),
    ...defined({ run_id: runId, thread_id: threadId, user_id: userId, guest_scope: guestScope }),
  };
}

function sha256(body: string | Uint8Array): string {
  return createHash('sha256').update(body).digest('hex');
}
