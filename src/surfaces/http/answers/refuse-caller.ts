import { RuntimeError } from '../../../core/errors.ts';
import type { RateLimiter } from '../rate-limiter.ts';

export interface Refusal {
  readonly message: string;
  /** For `WWW-Authenticate`; absent where no scheme of HTTP is asked for. */
  readonly challenge?: string;
}

/** Counts one more failed authentication of `address`, and throws: `unauthenticated`, or `rate_limited` after many. */
export async function refuseCaller(
  failures: RateLimiter,
  address: string,
  refusal: Refusal,
): Promise<never> {
  const verdict = await failures.take(address);
  if (!verdict.isAllowed) {
    throw new RuntimeError('rate_limited', 'too many failed authentications', {
      details: { retry_after_seconds: verdict.resetSeconds },
    });
  }
  const { message, challenge } = refusal;
  throw new RuntimeError('unauthenticated', message, {
    ...(challenge === undefined ? {} : { details: { www_authenticate: challenge } }),
  });
}
