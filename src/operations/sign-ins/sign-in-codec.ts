import { toIso } from '../../core/clock.ts';
import type { SignInId } from '../../core/ids.ts';
import type { SignIn } from '../../core/sign-ins/sign-in.ts';
import type { SignInCode } from '../../core/sign-ins/sign-in-codes.ts';
import type { Session } from '../../core/sign-ins/sign-ins.ts';
import type { SessionShape, SignInCodeShape, SignInListShape } from './sign-in-shapes.ts';

export function encodeSignIns(
  signIns: readonly SignIn[],
  current: SignInId | undefined,
): SignInListShape {
  return {
    sign_ins: signIns.map((one) => ({
      sign_in_id: one.id,
      current: one.id === current,
      user_agent: one.userAgent,
      address: one.address,
      created_at: toIso(one.createdAtMs),
      last_seen_at: toIso(one.lastSeenAtMs),
      expires_at: toIso(one.expiresAtMs),
    })),
  };
}

export function encodeCode({ code, expiresAtMs }: SignInCode, origin: string): SignInCodeShape {
  return { code, url: toSignInLink(origin, code), expires_at: toIso(expiresAtMs) };
}

/** Behind `#`: a browser tells it to the page, and to no server and no log. */
export function toSignInLink(origin: string, code: string): string {
  return `${origin}/dashboard/#code=${code}`;
}

export function encodeSession({ signIn, csrfToken }: Session, version: string): SessionShape {
  return {
    sign_in_id: signIn.id,
    csrf_token: csrfToken,
    expires_at: toIso(signIn.expiresAtMs),
    version,
  };
}
