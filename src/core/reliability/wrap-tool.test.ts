import { expect, test } from 'vitest';
import * as z from 'zod';
import {
  envelopeOf,
  failing,
  httpError,
  type Mail,
  wrapForTest,
} from '../../../test/support/guarded-tool.ts';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { createGate, passTime, settled } from '../../../test/support/pass-time.ts';
import { RuntimeError } from '../errors.ts';
import { noTracer } from '../telemetry.ts';
import { createReliability } from './create-reliability.ts';
import type { HandlerContext } from './handler-context.ts';
import { wrapTool } from './wrap-tool.ts';

test('read_only guards reads and leaves writes alone', async () => {
  const service = failing(() => new Error('boom'));
  const read = wrapForTest(service.handler, { mode: () => 'read_only' });
  const write = wrapForTest(service.handler, { mode: () => 'read_only', effect: 'write' });

  for (let call = 0; call < 6; call += 1) {
    await read.send({ to: 'ada' }).catch(() => {});
    await write.send({ to: 'ada' }).catch(() => {});
  }

  expect(read.reliability.breakers.of('mail.send').status().status).toBe('open');
  expect(write.reliability.breakers.list()).toEqual([]);
  expect(service.calls).toBe(11);
});

test('shadow reports what it would have done and changes nothing', async () => {
  let failures = 0;
  const { send, events, store, reliability } = wrapForTest(
    async ({ to }) => {
      if (to !== 'down') return { to };
      failures += 1;
      throw httpError(503);
    },
    { effect: 'write', idempotent: true, mode: () => 'shadow' },
  );

  await send({ to: 'ada' }, { idempotencyKey: 'k' });
  await settled();
  await send({ to: 'ada' }, { idempotencyKey: 'k' });
  await send({ to: 'bob' }, { idempotencyKey: 'k' });
  for (let call = 0; call < 6; call += 1) {
    await send({ to: 'down' }).catch(() => {});
    await settled();
  }

  const decisions = events.map((event) => event.type === 'shadow.decided' && event.decision);
  expect(decisions).toEqual([
    'would_replay',
    'would_conflict',
    ...new Array(5).fill('would_retry'),
    'would_cut_off',
  ]);
  expect(failures).toBe(6);
  expect([store.size, reliability.breakers.list()]).toEqual([0, []]);
});

test('shadow sees what would have been too slow, refused or awaited', async () => {
  const gate = createGate<object>();
  const { send, clock, events } = wrapForTest(() => gate.promise, {
    effect: 'write',
    mode: () => 'shadow',
    input: z.object({ to: z.string().min(2) }),
  });

  const slow = send({ to: 'ada' }, { idempotencyKey: 'k' });
  const duplicate = send({ to: 'ada' }, { idempotencyKey: 'k' });
  const refused = send({ to: '' });
  clock.advance(30_001);
  gate.open({ sent: true });
  await Promise.all([slow, duplicate, refused]);
  await settled();

  const decisions = events.map((event) => event.type === 'shadow.decided' && event.decision);
  expect(decisions.sort()).toEqual(['would_refuse_input', 'would_time_out', 'would_wait']);
});

test('a cached success is served while the circuit is open, and the open circuit is not cached', async () => {
  const service = failing(() => undefined, 0);
  const { send, reliability } = wrapForTest(service.handler, { effect: 'write' });
  await send({ to: 'ada' }, { idempotencyKey: 'k' });
  await reliability.breakers.of('mail.send').forceOpen();

  const cached = await send.execute(envelopeOf({ idempotencyKey: 'k' }));
  const refused = await send.execute(envelopeOf({ idempotencyKey: 'new' }));
  await reliability.breakers.of('mail.send').reset();
  const later = await send.execute(envelopeOf({ idempotencyKey: 'new' }));

  expect(cached).toMatchObject({ status: 'success', fromCache: true });
  expect(refused).toMatchObject({ status: 'circuit_open', error: { retriable: false } });
  expect(later).toMatchObject({ status: 'success', fromCache: false });
});

test('a call that takes too long is a timeout; a mutation is then not retried, a read is', async () => {
  const aborted: unknown[] = [];
  const handler = (_mail: Mail, { signal }: HandlerContext) =>
    new Promise<never>(() => signal.addEventListener('abort', () => aborted.push(signal.reason)));
  const write = wrapForTest(handler, { effect: 'write', settings: { timeoutMs: 1_000 } });
  const read = wrapForTest(handler, { settings: { timeoutMs: 1_000, retry: { maxRetries: 1 } } });

  const wrote = write.send.execute(envelopeOf({ idempotencyKey: 'k' }));
  const looked = read.send.execute(envelopeOf());
  await passTime(write.clock, 1_000);
  await passTime(read.clock, 3_000, 250);
  const again = await write.send.execute(envelopeOf({ idempotencyKey: 'k' }));

  expect(await wrote).toEqual({
    status: 'timeout',
    error: {
      code: 'timeout',
      message: 'mail.send did not finish within 1000 ms',
      retriable: false,
      details: { effect: 'unknown' },
    },
    durationMs: 1_000,
    fromCache: false,
  });
  expect(again).toMatchObject({ status: 'error', error: { code: 'outcome_unknown' } });
  expect(await looked).toMatchObject({ status: 'timeout', durationMs: 2_250 });
  expect(aborted).toHaveLength(3);
});

test('a cancel aborts the handler and ends the call', async () => {
  const { send } = wrapForTest(() => new Promise(() => {}), { effect: 'write' });
  const stop = new AbortController();
  const sent = send.execute(envelopeOf(), { signal: stop.signal });
  await settled();

  stop.abort();

  expect(await sent).toMatchObject({ status: 'error', error: { code: 'cancelled' } });
  expect(await send.execute(envelopeOf(), { signal: stop.signal })).toMatchObject({
    error: { code: 'cancelled', details: { effect: 'none' } },
  });
});

test('keys are derived for writes declared dedupe-able, per caller and hour, and for nothing else', async () => {
  const service = failing(() => undefined, 0);
  const { send, clock } = wrapForTest(service.handler, { effect: 'write', dedupe: true });
  const append = wrapForTest(service.handler, { effect: 'write' });

  const results = [
    await send({ to: 'ada' }, { callerId: 'run:1' }),
    await send({ to: 'ada' }, { callerId: 'run:1' }),
    await send({ to: 'ada' }, { callerId: 'run:2' }),
    await send({ to: 'bob' }, { callerId: 'run:1' }),
  ];
  clock.advance(3_600_000);
  results.push(await send({ to: 'ada' }, { callerId: 'run:1' }));
  results.push(await append.send({ to: 'ada' }), await append.send({ to: 'ada' }));

  expect(results.map((result) => (result as { sent: number }).sent)).toEqual([1, 1, 2, 3, 4, 5, 6]);
});

test('a mutation that sends its key downstream is retried with the same key', async () => {
  const keys: unknown[] = [];
  const { send, clock } = wrapForTest(
    async (_mail, { idempotencyKey, attempt, traceId }) => {
      keys.push([idempotencyKey, attempt, traceId]);
      if (attempt < 3) throw httpError(503);
      return { sent: true };
    },
    { effect: 'write', sendsKey: true },
  );
  const sent = send({ to: 'ada' }, { idempotencyKey: 'k', traceId: 't' });

  await passTime(clock, 5_000, 250);

  expect(await sent).toEqual({ sent: true });
  expect(keys).toEqual([
    ['k', 1, 't'],
    ['k', 2, 't'],
    ['k', 3, 't'],
  ]);
});

test('the wrapped function throws what the handler threw', async () => {
  const thrown = new TypeError('of my own');
  const { send } = wrapForTest(() => Promise.reject(thrown));

  await expect(send({ to: 'ada' })).rejects.toBe(thrown);
});

test('a handler that throws before it returns a promise is a failed attempt', async () => {
  const { send } = wrapForTest(() => {
    throw new RuntimeError('not_found', 'no such box');
  });

  await expect(send({ to: 'ada' })).rejects.toMatchObject({ code: 'not_found' });
});

test('a payload that is not JSON is refused when it has to be told apart', async () => {
  const service = failing(() => undefined, 0);
  const { send } = wrapForTest(service.handler, { effect: 'write' });
  const cyclic: Mail & { self?: unknown } = { to: 'ada' };
  cyclic.self = cyclic;

  await expect(send(cyclic, { idempotencyKey: 'k' })).rejects.toMatchObject({
    code: 'tool_input_invalid',
  });
  expect(service.calls).toBe(0);
});

test('guarded calls leave no deadlines behind', async () => {
  const { send, reliability } = wrapForTest(async ({ to }) => ({ to }));

  await Promise.all(Array.from({ length: 100 }, () => send({ to: 'ada' })));

  expect(reliability.deadlines.pending).toBe(0);
});

test('attempts are traced one by one', async () => {
  const spans: unknown[] = [];
  const clock = new ManualClock();
  const reliability = createReliability({
    clock,
    random: () => 0,
    tracer: {
      ...noTracer,
      span: (name, attributes, work) =>
        work({ set: (more) => spans.push({ name, ...attributes, ...more }) }),
    },
  });
  const service = failing(() => httpError(503), 1);
  const send = wrapTool(service.handler, { toolId: 'mail.send', effect: 'read', reliability });
  const sent = send({ to: 'ada' });

  await passTime(clock, 1);

  expect(await sent).toEqual({ sent: 2 });
  expect(spans).toEqual([
    {
      name: 'tool_attempt',
      tool: 'mail.send',
      attempt: 1,
      ok: false,
      'error.code': 'provider_failed',
    },
    { name: 'tool_attempt', tool: 'mail.send', attempt: 2, ok: true },
  ]);
});
