import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { killBuiltServers, startBuiltServer } from '../../support/built-server.ts';
import { openTempRoot } from '../../support/temp-root.ts';
import { TEST_ENGINES } from '../../support/test-engines.ts';

afterEach(killBuiltServers);

const TOKEN = 'token-of-the-killed';
const INGESTS = 100;
/** Answers after which the server is killed, in the middle of the others. */
const KILLED_AFTER = 40;
const WORDS = ['tea', 'milk', 'bread', 'honey', 'salt'];

async function ask(url: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

const toItem = (index: number) => ({
  content: `note number ${index} about ${WORDS[index % WORDS.length]}`,
  metadata: { agent_id: 'agent_default', project_id: 'proj_001', source: 'chat' },
  key: `k${index}`,
});

describe.each(TEST_ENGINES.filter(({ available }) => available))('memory on $name', (engine) => {
  test('100 ingests at once lose nothing that was acknowledged to kill -9', async () => {
    const root = await openTempRoot();
    onTestFinished(() => root.remove());
    const env = {
      API_BEARER_TOKEN: TOKEN,
      CLAW_MODEL: 'offline/rules',
      ...(await engine.openEnv()),
    };
    const first = startBuiltServer({ root: root.path, env });
    const url = String(await first.ready);
    const acknowledged = new Map<number, string>();
    let isEnough = () => {};
    const enough = new Promise<void>((resolve) => {
      isEnough = resolve;
    });

    const ingests = Array.from({ length: INGESTS }, async (_, index) => {
      const answer = await ask(url, '/api/memory/ingest', toItem(index));
      acknowledged.set(index, (answer as { memory_id: string }).memory_id);
      if (acknowledged.size === KILLED_AFTER) isEnough();
    });
    const settled = Promise.allSettled(ingests);
    await enough;
    await first.kill();
    await settled;
    const second = startBuiltServer({ root: root.path, env });
    const again = String(await second.ready);

    expect(acknowledged.size).toBeGreaterThanOrEqual(KILLED_AFTER);
    for (const [index, id] of acknowledged) {
      const { content } = (await ask(again, `/api/memory/${id}`)) as { content: string };
      expect(content).toBe(toItem(index).content);
    }
    // Sent again, each is what it was; and what is there is found.
    for (let index = 0; index < INGESTS; index += 1) {
      const { memory_id: id } = (await ask(again, '/api/memory/ingest', toItem(index))) as {
        memory_id: string;
      };
      expect(id).toBe(acknowledged.get(index) ?? id);
    }
    expect(await ask(again, '/api/memory/stats')).toMatchObject({ chunks: INGESTS });
    const found = await ask(again, '/api/memory/search?q=honey&limit=100');
    expect((found as { results: unknown[] }).results.length).toBeGreaterThanOrEqual(20);
    await second.stop();
  });
});
