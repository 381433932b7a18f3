import { expect, onTestFinished, test } from 'vitest';
import { startGateway } from '../support/openclaw-gateway.ts';
import { openBridgedRuntime } from './open-bridged-runtime.ts';

async function open(...given: Parameters<typeof startGateway>) {
  const gateway = await startGateway(...given);
  onTestFinished(() => gateway.stop());
  return gateway;
}

test('a wrong token stops the attempts; the run says why and what to do', async () => {
  const gateway = await open();
  const runtime = await openBridgedRuntime(gateway.url, {}, 'wrong-token');

  const run = await runtime.askRemote('hello');

  expect(run).toMatchObject({ status: 'failed', error: { code: 'provider_misconfigured' } });
  expect(run.error?.message).toContain(
    "unauthorized: gateway token mismatch; to fix: set OPENCLAW_GATEWAY_TOKEN, or the secret openclaw/token, to the gateway's token",
  );
  expect(run.error?.message).not.toContain('wrong-token');
  expect(runtime.openclaw.status()).toMatchObject({
    state: 'refused',
    lastError: { code: 'AUTH_TOKEN_MISMATCH' },
  });
  expect([gateway.attempts, gateway.greetings]).toEqual([1, 0]);
});

test('a signature for another challenge is refused, and that is the end of it', async () => {
  const gateway = await open({ challenge: 'other_nonce' });
  const runtime = await openBridgedRuntime(gateway.url);

  await runtime.untilState('refused');

  expect(runtime.openclaw.status().lastError).toMatchObject({ code: 'DEVICE_AUTH_NONCE_MISMATCH' });
  expect(gateway.attempts).toBe(1);
});

test('a device that waits for its approval is told the command that approves it', async () => {
  const details = { code: 'PAIRING_REQUIRED', requestId: 'req-42' };
  const connectError = { code: 'NOT_PAIRED', message: 'pairing required', details };
  const gateway = await open({ connectError });
  const runtime = await openBridgedRuntime(gateway.url);

  await runtime.untilState('refused');

  expect(runtime.openclaw.status().lastError?.action).toContain('openclaw devices approve req-42');
});

test.each([
  ['sends no challenge', { challenge: 'none' as const }, 'no_challenge'],
  [
    'sends a challenge without a nonce',
    { challenge: 'without_nonce' as const },
    'challenge_invalid',
  ],
  ['never answers connect', { mute: ['connect'] }, 'no_answer'],
  [
    'is still starting',
    { connectError: { code: 'UNAVAILABLE', message: 'starting', retryable: true } },
    'UNAVAILABLE',
  ],
])('a gateway that %s is tried again, and given up', async (_what, script, code) => {
  const gateway = await open(script);
  const runtime = await openBridgedRuntime(gateway.url, {
    connect_timeout_ms: 200,
    max_reconnects: 1,
  });

  await runtime.untilState('given_up');

  expect(runtime.openclaw.status().lastError).toMatchObject({ code });
  expect(gateway.attempts).toBe(2);
});

test('a gateway that takes a message and never answers leaves a run that says so', async () => {
  const gateway = await open({ mute: ['agent'] });
  const runtime = await openBridgedRuntime(gateway.url, {
    request_timeout_ms: 200,
    max_reconnects: 1,
  });

  const run = await runtime.askRemote('hello');

  expect(run).toMatchObject({ status: 'failed', error: { code: 'outcome_unknown' } });
});

test('a gateway that no longer ticks is let go', async () => {
  const gateway = await open({ ticks: false, tickMs: 500 });
  const runtime = await openBridgedRuntime(gateway.url, { max_reconnects: 0 });

  await runtime.untilState('given_up');

  expect(runtime.openclaw.status().lastError).toMatchObject({ code: 'closed_4000' });
});

test('a gateway that floods is cut off, and the runtime goes on', async () => {
  const noise = JSON.stringify({ type: 'event', event: 'agent', payload: { runId: 'x' } });
  const gateway = await open({
    onGreeted(socket) {
      for (let count = 0; count < 25_000; count += 1) socket.send(noise);
    },
  });
  const runtime = await openBridgedRuntime(gateway.url, { max_reconnects: 0 });

  await runtime.untilState('given_up');
  const { run } = await runtime.runs.submit({
    ...{ agentId: 'agent_default', message: '/tool time.now {}', source: 'test' },
  });

  expect(runtime.openclaw.status().lastError).toMatchObject({ code: 'closed_4008' });
  expect((await runtime.awaitEnd(run.id)).status).toBe('completed');
});

test('a frame that is too long ends the connection and nothing else', async () => {
  const gateway = await open({
    onGreeted: (socket) => socket.send(Buffer.alloc(17 * 1024 * 1024, 0x20), { binary: false }),
  });
  const runtime = await openBridgedRuntime(gateway.url, { max_reconnects: 0 });

  await runtime.untilState('given_up');

  expect(runtime.openclaw.status().lastError?.code).toMatch(/^closed_10\d\d$/);
});

test('a gateway that says what nobody understands is borne', async () => {
  const gateway = await open({
    onGreeted(socket) {
      for (const frame of ['', 'no json', '[1]', '{"type":"res"}', '{"type":"event"}', '5'])
        socket.send(frame);
      socket.send(Buffer.from([1, 2, 3]));
    },
  });
  const runtime = await openBridgedRuntime(gateway.url);

  const run = await runtime.askRemote('hello');

  expect(run).toMatchObject({ status: 'completed', output: 'echo: hello' });
});

test('a token is not sent to another machine in the clear', async () => {
  const runtime = await openBridgedRuntime('ws://192.0.2.1:18789');

  await runtime.untilState('refused');

  expect(runtime.openclaw.status().lastError).toMatchObject({ code: 'plaintext' });
});
