import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../core/clock.ts';
import { CODE_MINUTES } from '../../core/sign-ins/sign-in-codes.ts';
import type { Credential, SignIns } from '../../core/sign-ins/sign-ins.ts';
import type { CookieAccess } from '../../operations/sign-ins/dashboard-session.ts';
import { refuseCaller } from '../http/answers/refuse-caller.ts';
import type { RateLimiter } from '../http/rate-limiter.ts';
import { findSession } from '../http/session-auth.ts';
import { clearSessionCookie, readSessionCookie, setSessionCookie } from '../http/session-cookie.ts';

export interface CookieDeps {
  readonly signIns: SignIns;
  /** Counts failures by client address, beside those with tokens. */
  readonly failures: RateLimiter;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly version: string;
}

const WRONG_CODE =
  `this link was used or is older than ${CODE_MINUTES} minutes: ` +
  'run `claw dashboard` for a new one';
const WRONG_TOKEN =
  'this is not the token of this server: it said where its token is when it started, or run `claw dashboard`';
const OVER = 'this sign-in is over: sign in again';

export function createCookieAccess(
  { signIns, failures, clock, version }: CookieDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): CookieAccess {
  const refuse = (message: string) => refuseCaller(failures, request.ip, { message });

  async function get() {
    const session = await findSession(signIns, request);
    if (session) return session;
    clearSessionCookie(request, reply);
    return refuse(OVER);
  }

  return {
    version,
    get,

    async enter(credential) {
      const userAgent = request.headers['user-agent'] ?? '';
      const opened = await signIns.signIn(credential, { userAgent, address: request.ip });
      if (!opened) return refuse(isCode(credential) ? WRONG_CODE : WRONG_TOKEN);
      // The cookie of this browser is replaced: nobody could end that sign-in from here any more.
      const before = await signIns.find(readSessionCookie(request) ?? '');
      if (before) await signIns.end(before.signIn.id);
      const maxAgeSeconds = Math.floor((opened.endsAtMs - clock.nowMs()) / 1000);
      setSessionCookie(request, reply, { value: opened.secret, maxAgeSeconds });
      return opened;
    },

    async leave() {
      const { signIn } = await get();
      await signIns.end(signIn.id);
      clearSessionCookie(request, reply);
    },
  };
}

function isCode(credential: Credential): boolean {
  return 'code' in credential;
}
