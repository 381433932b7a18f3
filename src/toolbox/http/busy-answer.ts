import { defined } from '../../core/defined.ts';
import { RuntimeError } from '../../core/errors.ts';
import { parseRetryAfterMs } from '../../core/reliability/retry-after.ts';
import type { GuardedResponse } from './guarded-request.ts';
import { bareHost } from './parse-target.ts';

/** Answers that are not the service's word on the request: it, or what stands before it, can't serve it now. */
const BUSY = new Set([429, 502, 503, 504]);
const MAX_BODY_CHARS = 1_000;

export interface BusyAnswer {
  readonly answer: Omit<GuardedResponse, 'body'>;
  /** As the caller may see it. */
  readonly body: string;
  /** Whether the request was to change something. */
  readonly isWrite: boolean;
  readonly nowMs: number;
}

/** A busy service is a failure, so that retries and circuits see it; any other status is a result. */
export function findBusy({ answer, body, isWrite, nowMs }: BusyAnswer): RuntimeError | undefined {
  const { status, headers } = answer;
  if (!BUSY.has(status)) return undefined;
  const host = bareHost(new URL(answer.url).hostname);
  const retryAfterMs = parseRetryAfterMs((name) => headers[name], nowMs);
  return new RuntimeError('tool_failed', `${host} answered ${status}`, {
    retryable: answer.mayRepeat,
    details: {
      host,
      status,
      ...defined({ retryAfterMs }),
      // Only too many requests says that this one was not looked at.
      effect: isWrite && status !== 429 ? 'unknown' : 'none',
      body: body.slice(0, MAX_BODY_CHARS),
    },
  });
}
