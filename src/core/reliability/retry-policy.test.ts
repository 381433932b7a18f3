import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { passTime, settled } from '../../../test/support/pass-time.ts';
import type { Attempt, Fault, Repeatability } from './fault.ts';
import { decideRetry, faultOfAttempt, type RetryNotice, withRetry } from './retry-policy.ts';
import { DEFAULT_RELIABILITY } from './settings.ts';

const policy = DEFAULT_RELIABILITY.retry;
const readTool: Repeatability = { idempotent: true, hasStrongKey: false };
const busy: Fault = {
  code: 'provider_failed',
  message: 'busy',
  retryable: true,
  details: { status: 503 },
};

interface Plan {
  readonly faults: readonly Fault[];
  readonly tool?: Repeatability;
  readonly signal?: AbortSignal;
  readonly random?: () => number;
  readonly attemptMs?: number;
  readonly mayContinue?: () => boolean;
}

/** Runs a call whose first attempts fail as planned; time passes until it has ended. */
async function play(plan: Plan) {
  const clock = new ManualClock();
  const startMs = clock.nowMs();
  const startsMs: number[] = [];
  const notices: RetryNotice[] = [];
  const ended = withRetry<Attempt<string>>({
    policy,
    tool: plan.tool ?? readTool,
    clock,
    random: plan.random ?? (() => 0.999_999),
    signal: plan.signal,
    ...(plan.mayContinue ? { mayContinue: plan.mayContinue } : {}),
    onRetry: (notice) => notices.push(notice),
    faultOf: faultOfAttempt,
    attempt: async (attempt) => {
      startsMs.push(clock.nowMs() - startMs);
      if (plan.attemptMs) await clock.sleep(plan.attemptMs);
      const fault = plan.faults[attempt - 1];
      return fault ? { ok: false, fault } : { ok: true, value: `attempt ${attempt}` };
    },
  });
  await settled();
  for (let step = 0; step < 400 && clock.pendingTimers > 0; step += 1) await passTime(clock, 500);
  return { attempt: await ended, startsMs, notices };
}

test('a transient failure is retried, with waits that double up to the ceiling', async () => {
  const { attempt, startsMs } = await play({ faults: [busy, busy, busy] });

  expect(attempt).toEqual({ ok: true, value: 'attempt 4' });
  expect(startsMs).toEqual([0, 500, 1_500, 3_500]);
});

test('after three retries the last failure is the answer', async () => {
  const { attempt, startsMs } = await play({ faults: [busy, busy, busy, busy, busy] });

  expect(attempt).toEqual({ ok: false, fault: busy });
  expect(startsMs).toHaveLength(4);
});

test('bad input is not retried', async () => {
  const bad: Fault = { code: 'tool_input_invalid', message: 'no', retryable: false };

  const { attempt, startsMs } = await play({ faults: [bad] });

  expect(attempt).toEqual({ ok: false, fault: bad });
  expect(startsMs).toEqual([0]);
});

test('a failed mutation is retried only when it is idempotent or carries a key downstream', async () => {
  const plain = await play({
    faults: [busy],
    tool: { idempotent: false, hasStrongKey: false },
  });
  const keyed = await play({ faults: [busy], tool: { idempotent: false, hasStrongKey: true } });

  expect(plain.startsMs).toHaveLength(1);
  expect(keyed.startsMs).toHaveLength(2);
});

test("a server's own wait is honoured, also above the ceiling", async () => {
  const throttled: Fault = { ...busy, code: 'rate_limited', details: { retryAfterMs: 20_000 } };

  const { startsMs } = await play({ faults: [throttled] });

  expect(startsMs).toEqual([0, 20_000]);
});

test('a wait beyond the deadline ends the call at once', async () => {
  const throttled: Fault = { ...busy, details: { retryAfterMs: 3_600_000 } };

  const { attempt, startsMs, notices } = await play({ faults: [throttled] });

  expect(attempt).toEqual({ ok: false, fault: throttled });
  expect(startsMs).toEqual([0]);
  expect(notices).toEqual([]);
});

test('no attempt starts after the deadline', async () => {
  const { startsMs } = await play({ faults: [busy, busy, busy], attemptMs: 59_500 });

  expect(startsMs).toEqual([0, 60_000]);
});

test('an abort ends the wait and the retries', async () => {
  const stop = new AbortController();
  const playing = play({
    faults: [busy, busy],
    signal: stop.signal,
    random: () => {
      queueMicrotask(() => stop.abort());
      return 0.9;
    },
  });

  const { attempt, startsMs } = await playing;

  expect(attempt).toEqual({ ok: false, fault: busy });
  expect(startsMs).toEqual([0]);
});

test('a circuit that opens meanwhile ends the retries', async () => {
  let asked = 0;

  const { startsMs } = await play({
    faults: [busy, busy, busy],
    mayContinue: () => {
      asked += 1;
      return asked < 4;
    },
  });

  expect(startsMs).toHaveLength(2);
});

test('jitter is full: waits lie anywhere between nothing and the ceiling, and never above', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 3 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (attempt, random) => {
        const decision = decideRetry(policy, readTool, {
          fault: busy,
          attempt,
          elapsedMs: 0,
          random,
        });
        const ceilingMs = 500 * 2 ** (attempt - 1);
        expect(decision.retry).toBe(true);
        if (!decision.retry) return;
        expect(decision.delayMs).toBe(Math.floor(random * (ceilingMs + 1)));
        expect(decision.delayMs).toBeLessThanOrEqual(Math.min(ceilingMs, 5_000));
      },
    ),
  );
});

test('no wait is above the ceiling however many retries are allowed', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100 }), (attempt) => {
      const many = { ...policy, maxRetries: 100 };
      const failed = { fault: busy, attempt, elapsedMs: 0, random: 0.999_999_9 };
      const decision = decideRetry(many, readTool, failed);
      expect(decision).toEqual({ retry: true, delayMs: Math.min(5_000, 500 * 2 ** (attempt - 1)) });
    }),
  );
});
