import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { killBuiltServers, startBuiltServer } from '../../support/built-server.ts';
import { openTempRoot } from '../../support/temp-root.ts';
import { openOrderService } from '../effects/order-service.ts';
import { createRandom } from '../torture/random.ts';

const TOKEN = 'test-token-3f9c';
const KEY = 'order-17';

afterEach(killBuiltServers);

test('kill -9 after a keyed call was sent: the same key again does nothing twice', async () => {
  const root = await openTempRoot();
  const service = await openOrderService({ honoursKeys: true, random: createRandom(1) });
  try {
    await configure(root.path);
    const order = {
      toolId: 'http.request',
      payload: { url: service.url, method: 'POST', body: '{"order":"tea"}' },
    };
    const append = { toolId: 'fs.append', payload: { path: 'log.txt', content: 'once\n' } };

    await crash(root.path, order, 'tool.after_effect:1');
    await crash(root.path, append, 'tool.after_intent:1');
    const url = await start(root.path);
    const ordered = [await execute(url, order), await execute(url, order)];
    const appended = [await execute(url, append), await execute(url, append)];

    expect(ordered).toMatchObject([{ status: 'success' }, { status: 'success', fromCache: true }]);
    expect([...service.applied]).toEqual([['tea', 1]]);
    expect(appended).toMatchObject([
      { status: 'error', error: { code: 'outcome_unknown' } },
      { status: 'error', error: { code: 'outcome_unknown' } },
    ]);
    // It was said to be sent, so nobody may assume that it was not; and it is not sent again.
    await expect(readFile(join(root.path, 'workspace/log.txt'))).rejects.toThrow('ENOENT');
  } finally {
    await killBuiltServers();
    await service.close();
    await root.remove();
  }
}, 90_000);

async function configure(root: string): Promise<void> {
  const lease = { idempotency: { lease_ms: 250 } };
  const config = {
    network: { enabled: true, allow_localhosts: true },
    tool_reliability: { mode: 'off', overrides: { 'http.request': lease, 'fs.append': lease } },
  };
  await mkdir(join(root, '.openclawssy'), { mode: 0o700 });
  await writeFile(join(root, '.openclawssy/config.json'), JSON.stringify(config), { mode: 0o600 });
}

async function start(root: string, faultPoint?: string): Promise<string> {
  const server = startBuiltServer({
    root,
    env: {
      API_BEARER_TOKEN: TOKEN,
      CLAW_MODEL: 'offline/rules',
      CLAW_ALLOW_SCRIPTED_MODEL: '1',
      ...(faultPoint === undefined ? {} : { CLAW_FAULT_POINT: faultPoint }),
    },
  });
  const url = await server.ready;
  if (url === undefined) throw new Error(`the server did not start: ${server.output()}`);
  return url;
}

/** The server dies between intent and confirmation. */
async function crash(root: string, call: object, faultPoint: string): Promise<void> {
  const url = await start(root, faultPoint);
  await expect(execute(url, call)).rejects.toThrow();
}

async function execute(url: string, call: object): Promise<unknown> {
  const response = await fetch(`${url}/v1/tools/execute`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...call, executionId: crypto.randomUUID(), idempotencyKey: KEY }),
  });
  return response.json();
}
