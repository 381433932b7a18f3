import { afterEach, expect, test } from 'vitest';
import { startGateway, type TestGateway } from '../../support/openclaw-gateway.ts';
import { createGate } from '../../support/pass-time.ts';
import {
  askRemote,
  awaitOutput,
  type BridgeRoot,
  openBridgeRoot,
  PATIENCE,
} from './bridge-root.ts';

let root: BridgeRoot | undefined;
let gateway: TestGateway | undefined;

afterEach(async () => {
  await root?.dispose();
  await gateway?.stop();
});

async function open(work: () => Promise<string>) {
  gateway = await startGateway({ work });
  const env = { OPENCLAW_WS_URL: gateway.url, OPENCLAW_GATEWAY_TOKEN: 'gateway-token' };
  root = await openBridgeRoot(env);
  return { gateway, root };
}

test('killed while an agent in a gateway works, a server takes its answer without asking again', async () => {
  const gate = createGate<string>();
  const { gateway, root } = await open(() => gate.promise);
  const first = await root.start();
  const runId = await askRemote(first, 'work');
  await expect.poll(() => gateway.asked.length, PATIENCE).toBe(1);
  await first.kill();

  const second = await root.start();
  await expect.poll(() => gateway.greetings, PATIENCE).toBe(2);
  gate.open('worked');

  expect(await awaitOutput(second, runId)).toBe('worked');
  expect(gateway.asked.map(({ key }) => key)).toEqual([`pincer-${runId}-1`]);
});

test('an answer that came while no server ran is found by the next one', async () => {
  const gate = createGate<string>();
  const { gateway, root } = await open(() => gate.promise);
  const first = await root.start();
  const runId = await askRemote(first, 'work');
  await expect.poll(() => gateway.asked.length, PATIENCE).toBe(1);
  await first.kill();
  gate.open('worked alone');

  const second = await root.start();

  expect(await awaitOutput(second, runId)).toBe('worked alone');
  expect(gateway.asked.length).toBe(1);
});

test('an orderly stop leaves the agent at work, and the next server has its answer', async () => {
  const gate = createGate<string>();
  const { gateway, root } = await open(() => gate.promise);
  const first = await root.start();
  const runId = await askRemote(first, 'work');
  await expect.poll(() => gateway.asked.length, PATIENCE).toBe(1);
  await first.stop();

  const second = await root.start();
  gate.open('worked on');

  expect(await awaitOutput(second, runId)).toBe('worked on');
  expect([gateway.asked.length, gateway.aborted]).toEqual([1, []]);
});
