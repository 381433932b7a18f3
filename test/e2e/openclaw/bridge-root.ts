import { expect } from 'vitest';
import { readToken } from '../../../src/config/state-root/secret-file.ts';
import { type BuiltServer, startBuiltServer } from '../../support/built-server.ts';
import { openTempRoot, type TempRoot } from '../../support/temp-root.ts';

/** A state root whose servers know a gateway. */
export interface BridgeRoot {
  readonly path: string;
  start(): Promise<BridgeServer>;
  dispose(): Promise<void>;
}

export interface BridgeServer extends Pick<BuiltServer, 'kill' | 'stop' | 'output'> {
  call(path: string, body?: object): Promise<{ readonly status: number; readonly body: never }>;
}

export const PATIENCE = { timeout: 60_000, interval: 50 };

export async function openBridgeRoot(env: Readonly<Record<string, string>>): Promise<BridgeRoot> {
  const temp: TempRoot = await openTempRoot();
  const started: BuiltServer[] = [];
  return {
    path: temp.path,
    async start() {
      const server = startBuiltServer({
        root: temp.path,
        env: { CLAW_MODEL: 'offline/rules', LOG_LEVEL: 'warn', ...env },
      });
      started.push(server);
      const url = await server.ready;
      const token = await readToken(temp.path);
      return { ...server, call: (path, body) => request(`${url}${path}`, token, body) };
    },
    async dispose() {
      await Promise.all(started.map((server) => server.kill()));
      await temp.remove();
    },
  };
}

async function request(url: string, token: string | undefined, body: object | undefined) {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as never };
}

/** Makes an agent that lives in the gateway and asks it. */
export async function askRemote(server: BridgeServer, message: string): Promise<string> {
  const made = await server.call('/api/admin/agents', { agent_id: 'lince', runtime: 'openclaw' });
  expect([201, 409]).toContain(made.status);
  const submitted = await server.call('/v1/runs', { agent_id: 'lince', message });
  expect(submitted.status).toBe(202);
  return (submitted.body as { id: string }).id;
}

export async function awaitOutput(server: BridgeServer, runId: string): Promise<string> {
  const read = async () => (await server.call(`/v1/runs/${runId}`)).body as Run;
  await expect.poll(async () => (await read()).status, PATIENCE).toBe('completed');
  return (await read()).output;
}

interface Run {
  readonly status: string;
  readonly output: string;
}
