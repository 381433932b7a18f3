import { describe, expect, test } from 'vitest';
import { TEST_ENGINES } from '../../../support/test-engines.ts';
import { openMemoryServer } from './open-memory-server.ts';

describe.each(TEST_ENGINES.filter(({ available }) => available))(
  'GET /api/memory/search on $name',
  (engine) => {
    test('filters by project, author, source, tags, session and time', async () => {
      const server = await openMemoryServer(engine);
      const put = (content: string, metadata: object) =>
        server.ingest({ content, metadata: { ...metadata } });
      await put('tea one', { tags: ['a', 'b'], timestamp: '2026-01-01T00:00:00Z' });
      await put('tea two', { project_id: 'other', timestamp: '2026-01-02T00:00:00Z' });
      await put('tea three', { source: 'web', session_id: 's', timestamp: '2026-01-03T00:00:00Z' });
      const find = async (query: object) => [...(await server.find({ q: 'tea', ...query }))].sort();

      expect(await find({})).toEqual(['tea one', 'tea three', 'tea two']);
      expect(await find({ project_id: 'other' })).toEqual(['tea two']);
      expect(await find({ project_id: 'unknown' })).toEqual([]);
      expect(await find({ source: 'web' })).toEqual(['tea three']);
      expect(await find({ session_id: 's' })).toEqual(['tea three']);
      expect(await find({ tags: 'b,a' })).toEqual(['tea one']);
      expect(await find({ author_id: 'Lince' })).toEqual(['tea one', 'tea three', 'tea two']);
      expect(await find({ author_id: 'agent_default' })).toEqual([]);
      const middle = { since: '2026-01-02T00:00:00Z', until: '2026-01-02T00:00:00Z' };
      expect(await find(middle)).toEqual(['tea two']);
    });

    test('scores fall from at most one, and say why on request', async () => {
      const server = await openMemoryServer(engine);
      for (const content of ['green tea', 'black tea and milk', 'coffee'])
        await server.ingest({ content });

      const { body } = await server.search({ q: 'green tea', limit: '2', explain: 'true' });

      const { results } = body as { results: { score: number; why: object }[] };
      const scores = results.map(({ score }) => score);
      expect(results[0]).toMatchObject({ content: 'green tea', why: expect.any(Object) });
      expect(scores).toEqual([...scores].sort((a, b) => b - a));
      for (const score of scores) expect(score).toBeGreaterThanOrEqual(0);
      for (const score of scores) expect(score).toBeLessThanOrEqual(1);
      expect(Object.values(results[0]?.why ?? {}).every(Number.isFinite)).toBe(true);
    });

    test.each([
      [{}, 'q: is required'],
      [{ q: '' }, 'q must not be empty'],
      [{ q: ' \n ' }, 'q must not be empty'],
      [{ q: 'x'.repeat(4_001) }, 'q must have at most 4000 characters'],
      [{ q: 'a\0b' }, 'q must not contain NUL characters'],
      [{ q: 'tea', limit: '0' }, undefined],
      [{ q: 'tea', limit: '-1' }, undefined],
      [{ q: 'tea', limit: '101' }, undefined],
      [{ q: 'tea', limit: '1e9' }, undefined],
      [{ q: 'tea', since: 'monday' }, undefined],
      [{ q: 'tea', unknown: 'x' }, undefined],
      [{ q: 'tea', project_id: '' }, 'project_id must not be empty'],
    ])('refuses %j', async (query, message) => {
      const server = await openMemoryServer(engine);

      const answer = await server.search(query as Record<string, string>);

      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({
        error: { code: 'validation_error', details: { taxonomy: 'validation' } },
      });
      if (message !== undefined && !message.includes('required'))
        expect(answer.body).toMatchObject({ error: { message } });
    });

    test('takes any text for words and nothing else', async () => {
      const server = await openMemoryServer(engine);
      await server.ingest({ content: 'tea at five' });
      const odd = [
        `tea"`,
        'tea*',
        'NEAR(tea five)',
        "tea'; drop table memories; --",
        'tea AND NOT five OR (',
        '%tea_',
        '{tea} [five] \\ ^ $ 🦀',
      ];

      for (const q of odd) expect(await server.find({ q }), q).toEqual(['tea at five']);
      for (const q of ['"', '*', '--', '🦀', '()'])
        expect((await server.search({ q })).status, q).toBe(200);
    });

    test('an unknown reader is not found, and two that differ are refused', async () => {
      const server = await openMemoryServer(engine);
      const headers = { 'x-clawos-agent-id': 'lince' };

      const unknown = await server.search({ q: 'tea', agent_id: 'nobody' });
      const two = await server.call('/api/memory/search?q=tea&agent_id=sastre', { headers });

      expect(unknown.status).toBe(404);
      expect(two.body).toMatchObject({
        error: { message: 'agent_id and x-clawos-agent-id name different agents' },
      });
    });
  },
);
