import type { FastifyRequest } from 'fastify';
import { RuntimeError } from '../../core/errors.ts';
import { digestSecret, isSecretOf } from '../../core/secrets/secret-digest.ts';
import type { Session, SignIns } from '../../core/sign-ins/sign-ins.ts';
import { refuseCaller } from './answers/refuse-caller.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { readSessionCookie } from './session-cookie.ts';
import type { Authenticate } from './surface.ts';

export interface SessionAuthOptions {
  readonly signIns: Pick<SignIns, 'find' | 'whenEnded'>;
  /** Counts failures by client address, beside those with tokens. */
  readonly failures: RateLimiter;
  /** For callers with an Authorization header, and those with nothing at all. */
  readonly bearer: Authenticate;
}

const CSRF_HEADER = 'x-pincer-csrf';
const SAFE_METHODS = new Set(['GET', 'HEAD']);
/** `none`: somebody typed the address. Pages of other ports and subdomains are `same-site`, and are not ours. */
const OWN_FETCH_SITES = new Set(['same-origin', 'none']);

/** Takes the cookie of a sign-in where it takes the token. Whoever sends a token means it. */
export function createSessionAuth({ signIns, failures, bearer }: SessionAuthOptions): Authenticate {
  return async (request) => {
    if (request.headers.authorization !== undefined) return bearer(request);
    const session = await findSession(signIns, request);
    if (session === undefined && readSessionCookie(request) === undefined) return bearer(request);
    if (session === undefined) {
      const message = 'this sign-in is over: sign in again, or send the bearer token';
      const challenge = 'Bearer realm="pincer"';
      return refuseCaller(failures, request.ip, { message, challenge });
    }
    const { id } = session.signIn;
    const whenEnded = (onEnd: () => void) => signIns.whenEnded(id, onEnd);
    return { id: `sign-in:${id}`, signInId: id, whenEnded };
  };
}

/**
 * Who is signed in. A browser sends cookies with whatever a page asks for, also pages that are not ours: those are
 * refused, and what changes something needs a word that only our own pages are told.
 */
export async function findSession(
  signIns: Pick<SignIns, 'find'>,
  request: FastifyRequest,
): Promise<Session | undefined> {
  const cookie = readSessionCookie(request);
  if (cookie === undefined) return undefined;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && !OWN_FETCH_SITES.has(String(site))) {
    throw refused('a page of another site can not use your sign-in: open the dashboard itself');
  }
  const session = await signIns.find(cookie);
  if (session && !SAFE_METHODS.has(request.method)) assertOwnPage(session, request);
  return session;
}

function assertOwnPage({ csrfToken }: Session, { headers }: FastifyRequest): void {
  const given = headers[CSRF_HEADER];
  if (typeof given === 'string' && isSecretOf(digestSecret(csrfToken), given)) return;
  const problem = given === undefined ? 'is missing' : 'is of another sign-in';
  throw refused(
    `the ${CSRF_HEADER} header ${problem}: send the csrf_token that GET /dashboard/session answers with`,
  );
}

function refused(message: string): RuntimeError {
  return new RuntimeError('forbidden_origin', message);
}
