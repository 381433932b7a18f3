import { describe, expect, onTestFinished, test } from 'vitest';
import { openProviderServer, type Respond } from '../../../support/provider-server.ts';
import { TEST_ENGINES } from '../../../support/test-engines.ts';
import { type MemoryServer, openMemoryServer } from './open-memory-server.ts';

const LOOK_AGAIN_MS = 50;

interface Stats {
  readonly embedded: number;
  readonly pending_embeddings: number;
  readonly embedding_error: string | null;
}

/** Until the condition holds, or until the test's own time is over. */
async function awaitStats(server: MemoryServer, isMet: (stats: Stats) => boolean) {
  for (;;) {
    const stats = (await server.call('/api/memory/stats')).body as Stats;
    if (isMet(stats)) return stats;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

/** Vectors by the first letter: what begins alike means the same. */
const byFirstLetter: Respond = (response, request) => letters(26)(response, request);

const letters =
  (length: number): Respond =>
  (response, { body }) => {
    const { input } = body as { input: string[] };
    const data = input.map((text, index) => ({
      index,
      embedding: Array.from({ length }, (_, place) =>
        text.toLowerCase().charCodeAt(0) - 97 === place ? 1 : 0.01,
      ),
    }));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data }));
  };

const failing: Respond = (response) => {
  response.writeHead(503);
  response.end();
};

async function openProvider(...responders: Respond[]) {
  const provider = await openProviderServer(...responders);
  onTestFinished(() => provider.close());
  const embedding = { provider: 'openai_compatible', model: 'letters', base_url: provider.url };
  return { provider, config: { memory: { embedding } } };
}

describe.each(TEST_ENGINES.filter(({ available }) => available))(
  'embeddings of memories on $name',
  (engine) => {
    test('what shares no word with the question is found by its meaning, offline', async () => {
      const server = await openMemoryServer(engine, {});
      await server.ingest({ content: 'The deploy failed because the disk was full.' });
      await server.ingest({ content: 'He paints landscapes in oil.' });
      await awaitStats(server, ({ embedded }) => embedded === 2);

      const { body } = await server.search({ q: 'Why did our release break?' });

      expect((await server.call('/api/memory/stats')).body).toEqual({
        chunks: 2,
        embedded: 2,
        pending_embeddings: 0,
        model: 'local/use-lite',
        texts_per_second: expect.toSatisfy((rate) => rate === null || rate > 0),
        degraded: false,
        embedding_error: null,
        retry_at: null,
      });
      const { results } = body as { results: readonly { content: string }[] };
      expect(results[0]?.content).toBe('The deploy failed because the disk was full.');
    });

    test('a provider that is down leaves the words, tells why, and is asked again', async () => {
      const { provider, config } = await openProvider(failing);
      const server = await openMemoryServer(engine, config);
      await server.ingest({ content: 'apples and pears' });

      const stats = await awaitStats(server, ({ embedding_error: error }) => error !== null);
      const { body } = await server.search({ q: 'pears' });

      expect(stats).toMatchObject({
        model: 'openai_compatible/letters',
        embedded: 0,
        pending_embeddings: 1,
        degraded: true,
        embedding_error: 'the embedding model openai_compatible/letters answered HTTP 503',
        retry_at: expect.any(String),
      });
      expect(body).toMatchObject({ degraded: true, results: [{ content: 'apples and pears' }] });
      expect(provider.requests.length).toBeGreaterThan(1);
    });

    test('a provider that does not answer a question is not waited for', async () => {
      let isAnswering = true;
      const { config } = await openProvider((response, request) => {
        if (isAnswering) byFirstLetter(response, request);
      });
      const server = await openMemoryServer(engine, config);
      await server.ingest({ content: 'apples and pears' });
      await awaitStats(server, ({ embedded }) => embedded === 1);
      isAnswering = false;

      const { body } = await server.search({ q: 'pears' });

      expect(body).toMatchObject({ degraded: true, results: [{ content: 'apples and pears' }] });
    });

    test('vectors of another length than those that are stored are not compared', async () => {
      let dimensions = 26;
      const { config } = await openProvider((response, request) =>
        letters(dimensions)(response, request),
      );
      const server = await openMemoryServer(engine, config);
      await server.ingest({ content: 'apples and pears' });
      await awaitStats(server, ({ embedded }) => embedded === 1);
      dimensions = 13;
      // Opened anew, it knows nothing of the length that vectors had before.
      await server.call('/api/admin/config', {
        method: 'PATCH',
        body: { memory: { embedding: { timeout_ms: 5_000 } } },
      });

      const { body } = await server.search({ q: 'pears' });
      await server.ingest({ content: 'bread' });
      const stats = await awaitStats(server, ({ embedding_error: error }) => error !== null);

      expect(body).toMatchObject({ degraded: true, results: [{ content: 'apples and pears' }] });
      expect(stats).toMatchObject({
        embedded: 1,
        pending_embeddings: 1,
        degraded: true,
        embedding_error: expect.stringContaining('another length than the 26 numbers'),
      });
    });

    test('after a change of the model everything is embedded anew', async () => {
      const { provider, config } = await openProvider(byFirstLetter);
      const server = await openMemoryServer(engine, config);
      await server.ingest({ content: 'apples' });
      await server.ingest({ content: 'bread' });
      await awaitStats(server, ({ embedded }) => embedded === 2);

      await server.call('/api/admin/config', {
        method: 'PATCH',
        body: { memory: { embedding: { model: 'others' } } },
      });
      await server.ingest({ content: 'cheese' });
      const stats = await awaitStats(server, ({ embedded }) => embedded === 3);

      expect(stats).toMatchObject({ model: 'openai_compatible/others', pending_embeddings: 0 });
      const asked = provider.requests.flatMap(({ body }) => {
        const { model, input } = body as { model: string; input: string[] };
        return model === 'others' ? input : [];
      });
      expect(asked.sort()).toEqual(['apples', 'bread', 'cheese']);
    });
  },
);
