import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import * as z from 'zod';
import {
  envelopeOf,
  failing,
  httpError,
  type Mail,
  wrapForTest,
} from '../../../test/support/guarded-tool.ts';
import { createGate, passTime, settled } from '../../../test/support/pass-time.ts';
import { responseEnvelopeSchema } from './envelope.ts';
import type { ReliabilityMode } from './reliability-mode.ts';
import { wrapTool } from './wrap-tool.ts';

test('TR-1: a malformed envelope is a terminal error that leaves no record and no trace on the circuit', async () => {
  const service = failing(() => httpError(503));
  const { send, store, reliability } = wrapForTest(service.handler, { effect: 'write' });
  const malformed = [
    undefined,
    {},
    envelopeOf({ executionId: 'not a uuid' }),
    envelopeOf({ payload: 'text' }),
    envelopeOf({ payload: { at: new Date() } }),
    envelopeOf({ idempotencyKey: '' }),
    envelopeOf({ idempotency_key: 'misspelt' }),
    envelopeOf({ metadata: {} }),
    envelopeOf({ toolId: 'mail.read' }),
  ];

  for (const envelope of malformed) {
    const response = await send.execute(envelope);
    expect(response).toMatchObject({
      status: 'error',
      error: { code: 'invalid_input', retriable: false },
      fromCache: false,
    });
  }

  expect([service.calls, store.size]).toEqual([0, 0]);
  expect(reliability.breakers.list()).toEqual([]);
});

test('TR-1: a payload that its schema refuses is treated alike', async () => {
  const service = failing(() => httpError(503));
  const { send, store, reliability } = wrapForTest(service.handler, {
    effect: 'write',
    input: z.strictObject({ to: z.string().min(5) }),
  });

  const response = await send.execute(envelopeOf({ idempotencyKey: 'k' }));

  expect(response).toMatchObject({
    status: 'error',
    error: { code: 'tool_input_invalid', retriable: false },
  });
  expect([service.calls, store.size, reliability.breakers.list()]).toEqual([0, 0, []]);
});

test('TR-2: duplicates while the first runs lead to one execution', async () => {
  const gate = createGate<object>();
  let calls = 0;
  const { send, clock } = wrapForTest(
    () => {
      calls += 1;
      return gate.promise;
    },
    { effect: 'write' },
  );
  const envelope = envelopeOf({ idempotencyKey: 'k' });
  const responses = [
    send.execute(envelope),
    send.execute({ ...envelope, executionId: randomUUID() }),
  ];

  await passTime(clock, 5_000);
  gate.open({ sent: 1 });

  const common = { status: 'success', data: { sent: 1 }, durationMs: 5_000 };
  expect(await Promise.all(responses)).toEqual([
    { ...common, fromCache: false },
    { ...common, fromCache: true },
  ]);
  expect(calls).toBe(1);
});

test('TR-3: a duplicate after completion is served from the store', async () => {
  const service = failing(() => undefined, 0);
  const { send, events } = wrapForTest(service.handler, { effect: 'write' });

  const first = await send.execute(envelopeOf({ idempotencyKey: 'k' }));
  const second = await send.execute(envelopeOf({ idempotencyKey: 'k' }));

  expect(first).toEqual({ status: 'success', data: { sent: 1 }, durationMs: 0, fromCache: false });
  expect(second).toEqual({ ...first, fromCache: true });
  expect(responseEnvelopeSchema.parse(second)).toEqual(second);
  expect(events.filter(({ type }) => type === 'cache.hit')).toHaveLength(1);
  expect(service.calls).toBe(1);
});

test('TR-4: the same key with other parameters never gets the cached result', async () => {
  const service = failing(() => undefined, 0);
  const { send } = wrapForTest(service.handler, { effect: 'write' });
  await send.execute(envelopeOf({ idempotencyKey: 'k' }));

  const other = await send.execute(envelopeOf({ idempotencyKey: 'k', payload: { to: 'bob' } }));

  expect(other).toMatchObject({ status: 'error', error: { code: 'conflict', retriable: false } });
  expect(service.calls).toBe(1);
});

test('TR-5: a transient failure is retried with jitter and then succeeds', async () => {
  const service = failing(() => httpError(503), 2);
  const { send, clock, events } = wrapForTest(service.handler);
  const sent = send({ to: 'ada' });

  await passTime(clock, 2_000, 250);

  expect(await sent).toEqual({ sent: 3 });
  expect(events.filter(({ type }) => type === 'call.retried')).toEqual([
    {
      type: 'call.retried',
      toolId: 'mail.send',
      attempt: 1,
      delayMs: 250,
      errorCode: 'provider_failed',
    },
    {
      type: 'call.retried',
      toolId: 'mail.send',
      attempt: 2,
      delayMs: 500,
      errorCode: 'provider_failed',
    },
  ]);
});

test('TR-6: a 400 fails at once and says nothing about the service', async () => {
  const service = failing(() => httpError(400));
  const { send, reliability } = wrapForTest(service.handler);

  for (let call = 0; call < 6; call += 1) {
    expect(await send.execute(envelopeOf())).toMatchObject({
      status: 'error',
      error: { code: 'tool_input_invalid', retriable: false, details: { status: 400 } },
    });
  }

  expect(service.calls).toBe(6);
  expect(reliability.breakers.of('mail.send').status()).toMatchObject({
    status: 'closed',
    failures: 0,
    measured: 0,
  });
});

test('TR-7: a service that is always down exhausts the retries, and the call counts once', async () => {
  const service = failing(() => httpError(503));
  const { send, clock, reliability } = wrapForTest(service.handler);
  const sent = send.execute(envelopeOf());

  await passTime(clock, 10_000, 250);

  expect(await sent).toMatchObject({ status: 'error', error: { retriable: true } });
  expect(service.calls).toBe(4);
  expect(reliability.breakers.of('mail.send').status()).toMatchObject({ failures: 1 });
});

test('TR-8: five failed calls open the circuit, and the next answers at once without the handler', async () => {
  const service = failing(() => new Error('boom'));
  const { send } = wrapForTest(service.handler);
  for (let call = 0; call < 5; call += 1) await send.execute(envelopeOf());

  const sixth = await send.execute(envelopeOf());

  expect(sixth).toEqual({
    status: 'circuit_open',
    error: {
      code: 'circuit_open',
      message: 'the circuit of mail.send is open',
      retriable: true,
      details: { state: 'open', effect: 'none', retryAfterMs: 30_000 },
    },
    durationMs: 0,
    fromCache: false,
  });
  expect(service.calls).toBe(5);
});

test('TR-9: after the reset timeout a good trial closes the circuit', async () => {
  const service = failing(() => new Error('boom'), 5);
  const { send, clock, reliability } = wrapForTest(service.handler);
  for (let call = 0; call < 5; call += 1) await send.execute(envelopeOf());

  clock.advance(30_000);

  expect((await send.execute(envelopeOf())).status).toBe('success');
  expect(reliability.breakers.of('mail.send').status().status).toBe('closed');
});

test('TR-10 and TR-11: a failing trial opens the circuit again and is not retried', async () => {
  const service = failing(() => httpError(503));
  const { send, clock, reliability } = wrapForTest(service.handler, {
    settings: { retry: { maxRetries: 0 } },
  });
  for (let call = 0; call < 5; call += 1) await send.execute(envelopeOf());
  const retrying = wrapTool(service.handler, { toolId: 'mail.send', effect: 'read', reliability });

  clock.advance(30_000);
  const trial = await retrying.execute(envelopeOf());

  expect(trial.status).toBe('error');
  expect(service.calls).toBe(6);
  expect(reliability.breakers.of('mail.send').status()).toMatchObject({
    status: 'open',
    retryInMs: 30_000,
  });
});

test('TR-11: a circuit that opens during the wait ends the retries', async () => {
  const service = failing(() => httpError(503));
  const { send, clock, reliability } = wrapForTest(service.handler);
  const sent = send.execute(envelopeOf());
  await settled();

  await reliability.breakers.of('mail.send').forceOpen();
  await passTime(clock, 10_000, 250);

  expect((await sent).status).toBe('error');
  expect(service.calls).toBe(1);
});

test('TR-12 and TR-13: every call is reported once when it starts and once when it ends, however it ends', async () => {
  const service = failing(() => new Error('boom'), 5);
  const { send, events } = wrapForTest(service.handler, { effect: 'write' });
  for (let call = 0; call < 5; call += 1) await send.execute(envelopeOf());
  await send.execute(envelopeOf());

  const ended = events.filter(({ type }) => type === 'call.ended');
  expect(events.filter(({ type }) => type === 'call.started')).toHaveLength(6);
  expect(ended.map((event) => event.type === 'call.ended' && event.status)).toEqual([
    ...new Array(5).fill('error'),
    'circuit_open',
  ]);
  expect(events.filter(({ type }) => type === 'circuit.changed')).toEqual([
    { type: 'circuit.changed', toolId: 'mail.send', from: 'closed', to: 'open' },
  ]);
});

test('TR-14: switched off, the handler gets the same arguments object and its errors pass unchanged', async () => {
  let mode: ReliabilityMode = 'off';
  const thrown = { not: 'even an error' };
  const seen: Mail[] = [];
  const { send, store, events, reliability } = wrapForTest(
    (mail) => {
      seen.push(mail);
      return Promise.reject(thrown);
    },
    {
      effect: 'write',
      dedupe: true,
      mode: () => mode,
      input: z.strictObject({ to: z.string().min(99) }),
    },
  );
  const mail = { to: 'ada' };

  const errors: unknown[] = [];
  for (let call = 0; call < 6; call += 1) {
    await send(mail, { idempotencyKey: 'k' }).catch((error: unknown) => errors.push(error));
  }
  mode = 'all';
  const guarded = await send(mail).catch((error: unknown) => error);

  expect(seen).toHaveLength(6);
  expect(seen.every((given) => given === mail)).toBe(true);
  expect(errors.every((error) => error === thrown)).toBe(true);
  expect([store.size, reliability.breakers.list(), events]).toEqual([0, [], []]);
  expect(guarded).toMatchObject({ code: 'tool_input_invalid' });
});

test('TR-15: keys appear in events as hashes only, payloads and results not at all', async () => {
  const { send, events } = wrapForTest(async () => ({ token: 'hunter2' }), { effect: 'write' });

  await send({ to: 'secret-address' }, { idempotencyKey: 'secret-key' });
  await send({ to: 'secret-address' }, { idempotencyKey: 'secret-key' });
  await send({ to: 'other' }, { idempotencyKey: 'secret-key' }).catch(() => {});

  const text = JSON.stringify(events);
  expect(text).not.toMatch(/secret|hunter2/);
  expect(text).toContain('keyHash');
});
