import { describe, expect, test } from 'vitest';
import { TEST_ENGINES } from '../../../support/test-engines.ts';
import { openMemoryServer } from './open-memory-server.ts';

describe.each(TEST_ENGINES.filter(({ available }) => available))(
  'memories are listed, changed and deleted on $name',
  (engine) => {
    test('GET /api/memory lists newest first, page by page', async () => {
      const server = await openMemoryServer(engine);
      for (const content of ['one', 'two', 'three']) await server.ingest({ content });
      await server.ingest({ content: 'four', metadata: { project_id: 'other' } });
      const list = async (query: string) => {
        const { body } = await server.call(`/api/memory?${query}`);
        const { memories, next_cursor } = body as {
          memories: { content: string }[];
          next_cursor: string | null;
        };
        return { contents: memories.map(({ content }) => content), next_cursor };
      };

      const first = await list('limit=2&project_id=proj_001');
      const second = await list(`limit=2&project_id=proj_001&cursor=${first.next_cursor}`);

      expect(first.contents).toEqual(['three', 'two']);
      expect(second).toEqual({ contents: ['one'], next_cursor: null });
      expect((await list('')).contents).toEqual(['four', 'three', 'two', 'one']);
      expect((await list('pinned=true')).contents).toEqual([]);
      for (const query of ['limit=0', 'limit=-1', 'limit=9999', 'cursor=x'])
        expect((await server.call(`/api/memory?${query}`)).status, query).toBe(400);
    });

    test('PATCH /api/memory/:id changes what is given, and search follows', async () => {
      const server = await openMemoryServer(engine);
      const id = await server.ingest({ content: 'tea', metadata: { a: 1, b: 2 } });
      const patch = (body: object) => server.call(`/api/memory/${id}`, { method: 'PATCH', body });
      expect(await server.find({ q: 'tea' })).toEqual(['tea']);

      const changed = await patch({
        content: 'coffee',
        priority_score: 7,
        metadata: { tags: ['x'], session_id: 's', a: null, c: 3 },
      });

      expect(changed.status).toBe(200);
      expect(changed.body).toMatchObject({
        id,
        content: 'coffee',
        priority_score: 7,
        metadata: {
          agent_id: 'lince',
          project_id: 'proj_001',
          session_id: 's',
          tags: ['x'],
          b: 2,
          c: 3,
        },
      });
      expect((changed.body as { metadata: object }).metadata).not.toHaveProperty('a');
      expect(await server.find({ q: 'tea' })).toEqual([]);
      expect(await server.find({ q: 'coffee' })).toEqual(['coffee']);
      expect((await patch({ metadata: { source: 'chat' } })).body).toMatchObject({
        error: { message: "metadata.source can't be changed" },
      });
      expect((await patch({ priority_score: 16 })).status).toBe(400);
      await server.ingest({ content: 'milk', metadata: { session_id: 's' } });
      expect((await patch({ content: 'milk' })).status).toBe(409);
    });

    test('DELETE /api/memory/:id takes it out of everything', async () => {
      const server = await openMemoryServer(engine);
      const id = await server.ingest({ content: 'tea' });
      const remove = () => server.call(`/api/memory/${id}`, { method: 'DELETE' });
      expect(await server.find({ q: 'tea' })).toEqual(['tea']);

      const deleted = await remove();

      expect(deleted).toMatchObject({ status: 200 });
      expect(deleted.body).toEqual({ memory_id: id, deleted: true });
      expect(await server.find({ q: 'tea' })).toEqual([]);
      expect((await server.call(`/api/memory/${id}`)).status).toBe(404);
      expect((await remove()).status).toBe(404);
      expect((await server.call('/api/memory')).body).toEqual({ memories: [], next_cursor: null });
      expect((await server.call('/api/memory/stats')).body).toMatchObject({ chunks: 0 });
    });

    test('GET /api/memory/stats tells how much there is', async () => {
      const server = await openMemoryServer(engine);
      await server.ingest({ content: 'tea' });

      expect((await server.call('/api/memory/stats')).body).toEqual({
        chunks: 1,
        embedded: 0,
        pending_embeddings: 0,
        model: null,
        texts_per_second: null,
        degraded: false,
        embedding_error: null,
        retry_at: null,
      });
    });
  },
);
