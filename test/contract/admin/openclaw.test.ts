import { expect, onTestFinished, test } from 'vitest';
import { connectBridge, readBridge } from '../../../src/operations/openclaw/bridge.ts';
import { openBridgedRuntime } from '../../openclaw/open-bridged-runtime.ts';
import { startGateway } from '../../support/openclaw-gateway.ts';
import { openAdminServer } from './test-admin-server.ts';

const OFF = {
  state: 'off',
  url: null,
  dialect: null,
  device_id: null,
  gateway: null,
  connected_at: null,
  failures: 0,
  next_attempt_at: null,
  last_error: null,
  open_runs: 0,
  unclaimed_events: 0,
};

test('tells that no gateway is configured', async () => {
  const server = await openAdminServer();

  const answer = await server.call('/api/admin/openclaw');

  expect(answer.status).toBe(200);
  expect(answer.body).toEqual(OFF);
});

test('only the operator sees or uses it', async () => {
  const server = await openAdminServer();

  const seen = await fetch(`${server.url}/api/admin/openclaw`);
  const used = await fetch(`${server.url}/api/admin/openclaw/connect`, { method: 'POST' });

  expect([seen.status, used.status]).toEqual([401, 401]);
});

test('shows a connection, and a refusal with what to do about it', async () => {
  const gateway = await startGateway();
  onTestFinished(() => gateway.stop());
  const good = await openBridgedRuntime(gateway.url);
  const bad = await openBridgedRuntime(gateway.url, {}, 'wrong-token');

  const connected = await connectBridge.run(good, { body: null });
  await bad.untilState('refused');
  const refused = await readBridge.run(bad, {});

  expect(connected).toEqual({
    ...OFF,
    state: 'connected',
    url: gateway.url,
    dialect: 'gateway',
    device_id: expect.stringMatching(/^[0-9a-f]{64}$/),
    gateway: {
      version: '2026.9.6-test',
      protocol: 4,
      scopes: ['operator.read', 'operator.write'],
    },
    connected_at: expect.stringMatching(/Z$/),
  });
  expect(refused).toMatchObject({
    state: 'refused',
    gateway: null,
    next_attempt_at: null,
    last_error: {
      code: 'AUTH_TOKEN_MISMATCH',
      message: 'unauthorized: gateway token mismatch',
      action:
        "set OPENCLAW_GATEWAY_TOKEN, or the secret openclaw/token, to the gateway's token, then: claw openclaw connect",
    },
  });
});
