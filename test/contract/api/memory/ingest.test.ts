import { describe, expect, test } from 'vitest';
import { openForAll } from '../../../support/at-end.ts';
import { TEST_ENGINES } from '../../../support/test-engines.ts';
import { METADATA, openMemoryServer } from './open-memory-server.ts';

const INVALID = {
  taxonomy: 'validation',
  recovery_action: 'Correct what the message names and send the request again.',
};
const CONTENT = 'OpenClaw websocket endpoint remains on port 18789';

describe.each(TEST_ENGINES.filter(({ available }) => available))(
  'POST /api/memory/ingest on $name',
  (engine) => {
    const refusing = openForAll(() => openMemoryServer(engine));

    test('stores a text that is found at once, with all that came with it', async () => {
      const server = await openMemoryServer(engine);
      const metadata = {
        ...METADATA,
        source: 'web',
        tags: ['openclaw', 'websocket'],
        timestamp: '2026-02-18T01:00:00+01:00',
        session_id: 's-1',
        language: { code: 'es' },
      };

      const ingested = await server.post('/api/memory/ingest', {
        content: CONTENT,
        metadata,
        priority_score: 9,
      });
      const { memory_id: id } = ingested.body as { memory_id: string };
      const found = await server.search({ q: 'websocket port', project_id: 'proj_001' });
      const shown = await server.call(`/api/memory/${id}`);

      expect(ingested).toMatchObject({ status: 202 });
      expect(ingested.body).toEqual({
        status: 'queued',
        memory_id: expect.stringMatching(/^mem_[0-9a-z]{26}$/),
      });
      const common = {
        id,
        content: CONTENT,
        priority_score: 9,
        pinned: false,
        trusted: false,
        metadata: { ...metadata, timestamp: '2026-02-18T00:00:00.000Z' },
      };
      expect(found).toMatchObject({ status: 200 });
      expect(found.body).toEqual({
        query: 'websocket port',
        results: [{ ...common, access_count: 0, score: expect.any(Number) }],
        degraded: false,
      });
      expect(shown.body).toEqual({
        ...common,
        access_count: 1,
        agent_id: 'agent_lince',
        owner: 'operator',
        private: false,
        pin_reason: null,
        created_at: expect.stringMatching(/Z$/),
        updated_at: expect.stringMatching(/Z$/),
      });
    });

    test('a repeated key is one memory, and another text under it a conflict', async () => {
      const server = await openMemoryServer(engine);
      const item = { content: CONTENT, metadata: METADATA };
      const send = (body: object, headers = {}) =>
        server.post('/api/memory/ingest', body, { headers });

      const first = await send({ ...item, key: 'k' });
      const again = await send({ ...item, key: 'k' });
      const byHeader = await send(item, { 'idempotency-key': 'k' });
      const other = await send({ ...item, content: 'something else', key: 'k' });

      expect([again.body, byHeader.body]).toEqual([first.body, first.body]);
      const { memory_id: id } = first.body as { memory_id: string };
      expect(other.status).toBe(409);
      expect(other.body).toEqual({
        error: {
          code: 'conflict',
          message: `the key was used for another text (${id})`,
          details: {
            taxonomy: 'resource',
            recovery_action: 'Use a key of its own for each text, or change that memory.',
          },
        },
      });
    });

    test('what is said twice is reinforced', async () => {
      const server = await openMemoryServer(engine);

      const ids = [
        await server.ingest({ content: 'tea', priority_score: 3 }),
        await server.ingest({ content: 'tea', priority_score: 7 }),
      ];

      expect(ids[1]).toBe(ids[0]);
      const { body } = await server.call(`/api/memory/${ids[0]}`);
      expect(body).toMatchObject({ priority_score: 7, access_count: 1 });
    });

    test.each([
      [{ content: '  ' }, 400, 'content must not be empty'],
      [{ content: 'a\0b' }, 400, 'content must not contain NUL characters'],
      [{ priority_score: 16 }, 400, 'priority_score must be a whole number from 0 to 15'],
      [{ priority_score: -1 }, 400, 'priority_score must be a whole number from 0 to 15'],
      [{ priority_score: 1.5 }, 400, 'priority_score must be a whole number from 0 to 15'],
      [{ metadata: { project_id: ' ' } }, 400, 'project_id must not be empty'],
      [
        { metadata: { project_id: 'p'.repeat(129) } },
        400,
        'project_id must have at most 128 characters',
      ],
      [{ metadata: { source: '' } }, 400, 'source must not be empty'],
      [
        { metadata: { tags: Array.from({ length: 33 }, (_, n) => `${n}`) } },
        400,
        'there may be at most 32 tags',
      ],
      [
        { metadata: { timestamp: 'yesterday' } },
        400,
        'metadata.timestamp must be a date and time such as 2026-02-18T00:00:00Z',
      ],
      [{ metadata: { session_id: 5 } }, 400, expect.stringContaining('session_id')],
    ])('refuses %j', async (change: object, status, message) => {
      const metadata = {
        ...METADATA,
        ...('metadata' in change ? (change.metadata as object) : {}),
      };

      const answer = await refusing().post('/api/memory/ingest', {
        content: 'x',
        ...change,
        metadata,
      });

      expect(answer).toMatchObject({ status });
      expect(answer.body).toEqual({
        error: { code: 'validation_error', message, details: expect.objectContaining(INVALID) },
      });
    });

    test('refuses unknown agents, missing fields and texts that are too long', async () => {
      const server = refusing();
      const send = (metadata: object, content = 'x') =>
        server.post('/api/memory/ingest', { content, metadata });

      const unknown = await send({ ...METADATA, agent_id: '../../etc/🦀' });
      const missing = await server.post('/api/memory/ingest', { content: 'x' });
      const long = await send(METADATA, 'x'.repeat(100_001));

      expect(unknown.body).toMatchObject({
        error: {
          code: 'not_found',
          message: 'agent ../../etc/🦀 does not exist',
          details: { taxonomy: 'resource', thing: 'agent' },
        },
      });
      expect(missing.status).toBe(400);
      expect(long.status).toBe(413);
      expect(long.body).toEqual({
        error: {
          code: 'payload_too_large',
          message: 'content must have at most 100000 characters',
          details: {
            taxonomy: 'validation',
            recovery_action: 'Split the text and ingest its parts with one session_id.',
          },
        },
      });
    });

    test('keeps no secret', async () => {
      const server = await openMemoryServer(engine);
      const token = `sk-${'a1B2'.repeat(12)}`;

      const id = await server.ingest({ content: `the key is ${token}`, metadata: { token } });

      expect((await server.call(`/api/memory/${id}`)).text).not.toContain(token);
    });
  },
);

describe.each(TEST_ENGINES.filter(({ available }) => available))(
  'POST /api/memory/ingest/batch on $name',
  (engine) => {
    const item = (content: string, more = {}) => ({ content, metadata: METADATA, ...more });

    test('stores all of them, each with its id', async () => {
      const server = await openMemoryServer(engine);
      const items = [item('tea', { key: 'k' }), item('milk'), item('tea', { key: 'k' })];

      const answer = await server.post('/api/memory/ingest/batch', { items });
      const again = await server.post('/api/memory/ingest/batch', { items });

      const [first, second] = (answer.body as { items: { memory_id: string }[] }).items;
      const ids = [first?.memory_id, second?.memory_id];
      expect(answer.status).toBe(202);
      expect(answer.body).toEqual({
        status: 'queued',
        items: [
          { memory_id: ids[0], outcome: 'stored' },
          { memory_id: ids[1], outcome: 'stored' },
          { memory_id: ids[0], outcome: 'replayed' },
        ],
      });
      expect(again.body).toEqual({
        status: 'queued',
        items: [
          { memory_id: ids[0], outcome: 'replayed' },
          { memory_id: ids[1], outcome: 'reinforced' },
          { memory_id: ids[0], outcome: 'replayed' },
        ],
      });
      expect((await server.call('/api/memory/stats')).body).toMatchObject({ chunks: 2 });
    });

    test('one that is refused refuses all, by its index', async () => {
      const server = await openMemoryServer(engine);

      const answers = [
        await server.post('/api/memory/ingest/batch', {
          items: [item('a'), item('b', { priority_score: 99 })],
        }),
        await server.post('/api/memory/ingest/batch', {
          items: [item('a'), { content: 'b', metadata: { ...METADATA, agent_id: 'nobody' } }],
        }),
        await server.post('/api/memory/ingest/batch', { items: [] }),
        await server.post('/api/memory/ingest/batch', {
          items: Array.from({ length: 501 }, (_, n) => item(`${n}`)),
        }),
      ];

      expect(answers.map(({ status }) => status)).toEqual([400, 404, 400, 400]);
      expect(answers[0]?.body).toMatchObject({
        error: { message: 'items[1]: priority_score must be a whole number from 0 to 15' },
      });
      expect(answers[1]?.body).toMatchObject({
        error: { message: 'items[1]: agent nobody does not exist' },
      });
      expect((await server.call('/api/memory/stats')).body).toMatchObject({ chunks: 0 });
    });
  },
);
