import { expect, test } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { createGate, passTime, settled } from '../../test/support/pass-time.ts';
import { silentLogger } from '../core/log.ts';
import { ConnectionLost, ConnectionRefused } from './connection-fault.ts';
import { GatewayBridge } from './gateway-bridge.ts';
import type { SocketEnd } from './open-socket.ts';
import type { Session } from './session.ts';

const never = new AbortController().signal;

function createRig(outcomes: readonly (Error | 'connected')[], maxReconnects = 3) {
  const clock = new ManualClock();
  const attemptsAtMs: number[] = [];
  const ends: ((end: SocketEnd) => void)[] = [];
  let mark = 'first token';
  const bridge = new GatewayBridge({
    ...{ url: 'ws://127.0.0.1:1', dialect: 'gateway', maxReconnects, clock, logger: silentLogger },
    async open(): Promise<Session> {
      const outcome = outcomes[attemptsAtMs.length] ?? new ConnectionLost('unreachable', 'nobody');
      attemptsAtMs.push(clock.nowMs() - 1_800_000_000_000);
      if (outcome !== 'connected') throw outcome;
      const { promise, open } = createGate<SocketEnd>();
      ends.push(open);
      return {
        facts: { version: '1', protocol: 4, scopes: [] },
        closed: promise,
        close: () => open({ code: 1000, reason: '' }),
        ask: () => {
          throw new Error('nobody asks');
        },
      };
    },
    findCredentialMark: async () => mark,
    findDeviceId: () => undefined,
  });
  return { bridge, clock, attemptsAtMs, ends, changeToken: () => (mark = 'second token') };
}

const refusal = new ConnectionRefused('AUTH_TOKEN_MISMATCH', 'token mismatch', 'set the token');

test('a refusal ends the attempts at once and says what to do, also to every run', async () => {
  const { bridge, clock, attemptsAtMs } = createRig([refusal]);

  bridge.start();
  await passTime(clock, 600_000, 1_000);
  const denied = await bridge.acquire(never).catch((thrown: Error) => thrown);

  expect(attemptsAtMs).toEqual([0]);
  expect(bridge.status()).toMatchObject({
    state: 'refused',
    nextAttemptAtMs: undefined,
    lastError: { code: 'AUTH_TOKEN_MISMATCH', message: 'token mismatch', action: 'set the token' },
  });
  expect(denied).toMatchObject({
    code: 'provider_misconfigured',
    message:
      "the OpenClaw gateway at ws://127.0.0.1:1 can't be used: token mismatch; to fix: set the token",
  });
});

test('another token is tried as soon as a run needs the gateway', async () => {
  const { bridge, attemptsAtMs, changeToken } = createRig([refusal, 'connected']);
  await expect(bridge.acquire(never)).rejects.toMatchObject({ code: 'provider_misconfigured' });

  changeToken();
  await bridge.acquire(never);

  expect(attemptsAtMs.length).toBe(2);
  expect(bridge.status()).toMatchObject({ state: 'connected', lastError: undefined });
});

test('an operator may try again after a refusal', async () => {
  const { bridge } = createRig([refusal, 'connected']);
  await bridge.connect();

  const status = await bridge.connect();

  expect(status.state).toBe('connected');
});

test('attempts have growing pauses and an end; the next run begins anew', async () => {
  const { bridge, clock, attemptsAtMs } = createRig([]);

  const first = bridge.acquire(never).catch((thrown: Error) => thrown);
  await passTime(clock, 60_000, 100);

  expect(await first).toMatchObject({ code: 'provider_failed' });
  expect(bridge.status()).toMatchObject({ state: 'given_up', failures: 4 });
  const pauses = attemptsAtMs.slice(1).map((atMs, index) => atMs - (attemptsAtMs[index] ?? 0));
  expect(pauses.length).toBe(3);
  for (const [index, pauseMs] of pauses.entries()) {
    expect(pauseMs).toBeGreaterThanOrEqual(1_000 * 2 ** index * 0.75 - 100);
    expect(pauseMs).toBeLessThanOrEqual(1_000 * 2 ** index + 200);
  }
  void bridge.acquire(never).catch(() => {});
  await settled();
  expect(attemptsAtMs.length).toBe(5);
  await bridge.stop();
});

test('a gateway that greets and hangs up is no better than one that is not there', async () => {
  const { bridge, clock, attemptsAtMs, ends } = createRig(Array(10).fill('connected'));
  bridge.start();

  for (let round = 0; round < 10; round += 1) {
    await settled();
    ends.at(-1)?.({ code: 4008, reason: 'it floods' });
    await passTime(clock, 40_000, 1_000);
  }

  expect(attemptsAtMs.length).toBe(4);
  expect(bridge.status()).toMatchObject({
    state: 'given_up',
    lastError: { code: 'closed_4008', message: 'it floods' },
  });
});

test('a connection that held is taken up again after a pause, however often', async () => {
  const { bridge, clock, attemptsAtMs, ends } = createRig(Array(10).fill('connected'));
  bridge.start();

  for (let round = 0; round < 6; round += 1) {
    await passTime(clock, 70_000, 10_000);
    ends.at(-1)?.({ code: 1012, reason: 'service restart' });
    await passTime(clock, 2_000, 500);
  }

  expect(attemptsAtMs.length).toBe(7);
  expect(bridge.status().state).toBe('connected');
});

test('a gateway that throws us out by its policy is not asked again', async () => {
  const { bridge, clock, attemptsAtMs, ends } = createRig(Array(10).fill('connected'));
  bridge.start();
  await settled();

  ends[0]?.({ code: 1008, reason: 'device removed' });
  await passTime(clock, 60_000, 1_000);

  expect(attemptsAtMs.length).toBe(1);
  expect(bridge.status()).toMatchObject({
    state: 'refused',
    lastError: { code: 'closed_1008', message: 'device removed' },
  });
});

test('whoever stops waiting does not keep others from it', async () => {
  const { bridge, clock } = createRig([new ConnectionLost('unreachable', 'nobody'), 'connected']);
  const leaving = new AbortController();
  const gone = bridge.acquire(leaving.signal).catch((thrown: unknown) => thrown);
  const staying = bridge.acquire(never);

  leaving.abort(new Error('cancelled'));
  await passTime(clock, 2_000, 100);

  expect(await gone).toEqual(new Error('cancelled'));
  expect((await staying).facts.version).toBe('1');
});
