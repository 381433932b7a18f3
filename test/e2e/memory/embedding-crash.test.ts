import { mkdir, writeFile } from 'node:fs/promises';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { createHttpClient, TOKEN } from '../../contract/v1/http-client.ts';
import { killBuiltServers, startBuiltServer } from '../../support/built-server.ts';
import { openProviderServer, type Respond } from '../../support/provider-server.ts';
import { openTempRoot } from '../../support/temp-root.ts';

afterEach(killBuiltServers);

const METADATA = { agent_id: 'agent_default', project_id: 'proj_001', source: 'chat' };
const LOOK_AGAIN_MS = 20;

const silent: Respond = () => {};
const vectors: Respond = (response, { body }) => {
  const { input } = body as { input: string[] };
  const data = input.map((_, index) => ({ index, embedding: [1, index] }));
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ data }));
};

async function until(isMet: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isMet())) await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
}

async function start(root: string) {
  const server = startBuiltServer({ root, env: { API_BEARER_TOKEN: TOKEN } });
  const url = await server.ready;
  if (url === undefined) throw new Error(server.output());
  return { server, client: createHttpClient(Number(new URL(url).port)) };
}

test('a server that is killed while it embeds loses no memory, and the next one embeds them', async () => {
  const provider = await openProviderServer(silent, vectors);
  onTestFinished(() => provider.close());
  const temp = await openTempRoot();
  onTestFinished(() => temp.remove());
  const root = temp.path;
  const embedding = { provider: 'openai_compatible', model: 'm', base_url: provider.url };
  await mkdir(`${root}/.openclawssy`, { recursive: true, mode: 0o700 });
  await writeFile(`${root}/.openclawssy/config.json`, JSON.stringify({ memory: { embedding } }), {
    mode: 0o600,
  });

  const first = await start(root);
  for (const content of ['one', 'two', 'three']) {
    const answer = await first.client.post('/api/memory/ingest', { content, metadata: METADATA });
    expect(answer.status).toBe(202);
  }
  await until(() => provider.requests.length > 0);
  await first.server.kill();

  const second = await start(root);
  const stats = async () =>
    (await second.client.call('/api/memory/stats')).body as { embedded: number };
  await until(async () => (await stats()).embedded === 3);

  expect(await stats()).toMatchObject({ chunks: 3, pending_embeddings: 0, embedding_error: null });
});
