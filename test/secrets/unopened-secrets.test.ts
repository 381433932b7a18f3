import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../../src/core/log.ts';
import { openServer, type Server } from '../../src/server.ts';
import { createHttpClient, TOKEN } from '../contract/v1/http-client.ts';
import { openTempRoot } from '../support/temp-root.ts';
import { TEST_ENGINES } from '../support/test-engines.ts';

/** Answers of a health check are kept this long and a bit. */
const PATIENCE = { timeout: 20_000, interval: 250 };

async function open(env: Readonly<Record<string, string>>) {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  const server = await openServer({
    root: root.path,
    logger: silentLogger,
    env: { ...env, API_BEARER_TOKEN: TOKEN, CLAW_PORT: '0', CLAW_MODEL: 'offline/rules' },
  });
  onTestFinished(() => server.close());
  const client = createHttpClient(Number(new URL(server.url).port));
  const file = (name: string) => join(root.path, '.openclawssy', name);
  return { server, client, file };
}

type Opened = Awaited<ReturnType<typeof open>>;

const isHealthy = async ({ client }: Opened) => (await client.call('/healthz')).status === 200;

const write = ({ client }: Opened) =>
  client.post('/v1/runs', { agent_id: 'agent_default', message: '/tool time.now {}' });

function statusOf({ runtime }: Server, runId: unknown): Promise<string | undefined> {
  return runtime.storage.runs.find(runId as never).then((run) => run?.status);
}

test('a server with a file that its key does not open says 503, takes requests, and works once it opens', async () => {
  const [mine, foreign] = [await open({}), await open({})];
  await mine.server.runtime.secrets.put('a/b', 'mine alone');
  await foreign.server.runtime.secrets.put('a/b', 'foreign to it');
  await copyFile(mine.file('secrets.enc'), mine.file('kept'));
  await copyFile(foreign.file('secrets.enc'), mine.file('secrets.enc'));
  await expect.poll(() => isHealthy(mine), PATIENCE).toBe(false);

  const health = await mine.client.call('/healthz');
  const listing = await mine.client.call('/api/admin/secrets');
  const accepted = await write(mine);

  for (const answer of [health, listing]) {
    expect(answer).toMatchObject({
      status: 503,
      body: {
        error: {
          code: 'service.unavailable',
          message: expect.stringContaining("can't open the secrets in"),
        },
      },
    });
    expect(answer.headers['retry-after']).toBe('5');
  }
  expect(accepted.status).toBe(202);
  const { id } = accepted.body as { id: string };

  await copyFile(mine.file('kept'), mine.file('secrets.enc'));
  await expect.poll(() => statusOf(mine.server, id), PATIENCE).toBe('completed');
  await expect.poll(() => isHealthy(mine), PATIENCE).toBe(true);
});

for (const engine of TEST_ENGINES.filter(({ name }) => name.startsWith('PostgreSQL'))) {
  describe.skipIf(!engine.available)(`nodes on ${engine.name}`, () => {
    test('a server whose key does not open the shared secrets answers health checks and writes with 503', async () => {
      const env = await engine.openEnv();
      const [able, unable] = [await open(env), await open(env)];
      await able.server.runtime.secrets.put('a/b', 'known to one');
      await expect.poll(() => isHealthy(unable), PATIENCE).toBe(false);

      for (const answer of [await unable.client.call('/healthz'), await write(unable)]) {
        expect(answer).toMatchObject({ status: 503 });
        expect(answer.headers['retry-after']).toBe('5');
      }
      expect((await write(able)).status).toBe(202);

      await copyFile(able.file('master.key'), unable.file('master.key'));
      expect((await write(unable)).status).toBe(202);
      await expect.poll(() => isHealthy(unable), PATIENCE).toBe(true);
    });
  });
}
