import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ClawRoot, openClawRoot } from './claw.ts';

let root: ClawRoot;

beforeEach(async () => {
  root = await openClawRoot();
});

afterEach(() => root.dispose());

interface Answered {
  readonly status: number;
  readonly body: unknown;
}

test('a server that is told to stop is not ready, takes no work, and listens until its runs had their time', async () => {
  const server = await root.serve(await root.script([{ text: 'Half of it. ', hang: true }]));
  const token = (await readFile(join(root.path, '.openclawssy/token'), 'utf8')).trim();
  const ask = async (path: string, init: RequestInit = {}): Promise<Answered> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(`${server.url}${path}`, { ...init, headers });
    return { status: response.status, body: await response.json() };
  };
  const submit = () =>
    ask('/v1/runs', {
      method: 'POST',
      body: JSON.stringify({ agent_id: 'agent_default', message: 'think for ever' }),
    });
  const { id } = (await submit()).body as { id: string };
  await expect
    .poll(async () => (await ask(`/v1/runs/${id}`)).body, { timeout: 20_000 })
    .toMatchObject({ status: 'running' });
  expect(await ask('/health/ready')).toEqual({ status: 200, body: { status: 'ready' } });

  server.child.kill('SIGTERM');

  // After the notice nothing new is begun; the run that hangs keeps the listener for its grace.
  await expect.poll(async () => (await submit()).status, { timeout: 5_000 }).toBe(503);
  expect(await ask('/health/ready')).toMatchObject({
    status: 503,
    body: { error: { code: 'service_unavailable', message: 'server is shutting down' } },
  });
  expect(await ask('/health/live')).toEqual({ status: 200, body: { status: 'ok' } });
  expect(await ask(`/v1/runs/${id}`)).toMatchObject({ status: 200, body: { status: 'running' } });
  expect(await server.ended).toMatchObject({ code: 0, signal: null });
  await expect(ask('/health/live')).rejects.toThrow('fetch failed');
});
