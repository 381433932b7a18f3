import { expect, test } from 'vitest';
import * as z from 'zod';
import { RuntimeError } from '../errors.ts';
import { canRetry, type Fault, leavesEffectUnknown, toCallResult } from './fault.ts';
import { toFault } from './to-fault.ts';

const NOW = Date.UTC(2027, 0, 15, 8);

function statusError(status: number, more: object = {}): Error {
  return Object.assign(new Error('failed'), { status, ...more });
}

function codeError(code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
}

const read = { idempotent: true, hasStrongKey: false };

test('statuses and codes are told apart: which to retry, whom to blame, what may have happened', () => {
  const rows = [
    [statusError(400), 'tool_input_invalid', false, 'neutral', false],
    [statusError(401), 'tool_failed', false, 'neutral', false],
    [statusError(404), 'tool_failed', false, 'neutral', false],
    [statusError(422), 'tool_input_invalid', false, 'neutral', false],
    [statusError(429), 'rate_limited', true, 'failure', false],
    [statusError(500), 'provider_failed', false, 'failure', false],
    [statusError(502), 'provider_failed', true, 'failure', true],
    [statusError(503), 'provider_failed', true, 'failure', false],
    [statusError(504), 'timeout', true, 'failure', true],
    [codeError('ETIMEDOUT'), 'timeout', true, 'failure', true],
    [codeError('ECONNREFUSED'), 'provider_failed', true, 'failure', false],
    [codeError('ECONNRESET'), 'provider_failed', true, 'failure', true],
    [codeError('EAI_AGAIN'), 'provider_failed', true, 'failure', false],
    [new Error('boom'), 'tool_failed', false, 'failure', false],
    [Object.assign(new Error('later'), { retriable: true }), 'tool_failed', true, 'failure', false],
    [new DOMException('slow', 'TimeoutError'), 'timeout', true, 'failure', true],
    [new DOMException('stop', 'AbortError'), 'cancelled', false, 'neutral', true],
    [new RuntimeError('policy_denied', 'no'), 'policy_denied', false, 'neutral', false],
    ['a text', 'tool_failed', false, 'failure', false],
    [undefined, 'tool_failed', false, 'failure', false],
  ] as const;

  const judged = rows.map(([thrown]) => {
    const fault = toFault(thrown, NOW);
    return [fault.code, canRetry(fault, read), toCallResult(fault), leavesEffectUnknown(fault)];
  });

  expect(judged).toEqual(rows.map(([, ...expected]) => expected));
});

test("a server's wait is read from headers of all kinds", () => {
  const waits = [
    statusError(429, { headers: { 'retry-after': '7' } }),
    statusError(429, { response: { headers: new Headers({ 'Retry-After': '7' }) } }),
    statusError(503, { headers: { 'retry-after': 'Fri, 15 Jan 2027 08:00:07 GMT' } }),
    statusError(503, { retryAfterMs: 7_000 }),
  ].map((thrown) => toFault(thrown, NOW).details?.['retryAfterMs']);

  expect(waits).toEqual([7_000, 7_000, 7_000, 7_000]);
});

test('a schema that refuses is bad input', () => {
  const { error } = z.object({ to: z.string() }).safeParse({ to: 1 });

  const fault = toFault(error, NOW);

  expect(fault).toMatchObject({
    code: 'tool_input_invalid',
    retryable: false,
    details: { issues: [{ path: 'to' }] },
  });
});

test('an open circuit is never retried, however retriable it says it is', () => {
  const open: Fault = { code: 'circuit_open', message: '', retryable: true };

  expect(canRetry(open, read)).toBe(false);
});

test('long messages are cut', () => {
  expect(toFault(new Error('x'.repeat(10_000)), NOW).message).toHaveLength(500);
});
