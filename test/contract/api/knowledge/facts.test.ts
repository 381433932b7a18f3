import { describe, expect, test } from 'vitest';
import { TEST_ENGINES } from '../../../support/test-engines.ts';
import { ISO, LINCE, openTeamServer, PROJECT, type TeamServer } from '../open-team-server.ts';

const FACTS = '/api/knowledge/facts';
const BODY = {
  project_id: PROJECT,
  subject: 'websocket endpoint',
  relation: 'listens on',
  object: 'port 18789',
};

interface FactBody {
  readonly fact: { readonly fact_id: string; readonly object: string };
  readonly replaced: readonly string[];
}

async function add(server: TeamServer, fields: object = {}): Promise<FactBody> {
  const answer = await server.post(FACTS, { ...BODY, ...fields });
  if (answer.status > 201) throw new Error(`${answer.status} ${answer.text}`);
  return answer.body as FactBody;
}

async function objectsOf(server: TeamServer, query: Record<string, string> = {}) {
  const { facts } = (await server.read(FACTS, query)) as { facts: { object: string }[] };
  return facts.map(({ object }) => object);
}

describe.each(TEST_ENGINES.filter(({ available }) => available))(
  '/api/knowledge/facts on $name',
  (engine) => {
    test('puts a fact on record once, and says who said so', async () => {
      const server = await openTeamServer(engine);
      const valid = { valid_from: '2026-02-18T01:00:00+01:00', valid_to: '2126-02-18T00:00:00Z' };

      const added = await server.post(FACTS, BODY);
      const again = await server.post(FACTS, { ...BODY, subject: ' Websocket  ENDPOINT ' });
      const told = await server.post(FACTS, {
        ...BODY,
        ...valid,
        agent_id: 'LINCE',
        source: 'web',
      });

      const fact = {
        fact_id: expect.stringMatching(/^fact_[0-9a-z]{26}$/),
        ...BODY,
        source: 'user',
        agent_id: null,
        owner: 'operator',
        private: false,
        valid_from: ISO,
        valid_to: null,
        created_at: ISO,
      };
      expect(added).toMatchObject({ status: 201 });
      expect(added.body).toEqual({ fact, replaced: [] });
      expect(again).toMatchObject({ status: 200 });
      expect(again.body).toEqual(added.body);
      expect(told.body).toEqual({
        fact: {
          ...fact,
          source: 'web',
          agent_id: LINCE,
          valid_from: '2026-02-18T00:00:00.000Z',
          valid_to: '2126-02-18T00:00:00.000Z',
        },
        replaced: [],
      });
    });

    test('what replaces ends what was so, and the past can still be read', async () => {
      const server = await openTeamServer(engine);
      const first = await add(server, { valid_from: '2020-01-01T00:00:00Z' });
      const second = await add(server, { object: 'port 1', valid_from: '2021-01-01T00:00:00Z' });

      const third = await add(server, {
        object: 'port 2',
        replaces: true,
        valid_from: '2022-01-01T00:00:00Z',
      });

      expect([...third.replaced].sort()).toEqual([first, second].map(({ fact }) => fact.fact_id));
      expect(await objectsOf(server)).toEqual(['port 2']);
      expect(await objectsOf(server, { at: '2020-06-01T00:00:00Z' })).toEqual(['port 18789']);
      expect(await objectsOf(server, { include_past: 'true' })).toEqual([
        'port 2',
        'port 1',
        'port 18789',
      ]);
    });

    test('finds by subject, relation, object and part of them, in pages', async () => {
      const server = await openTeamServer(engine);
      await add(server);
      await add(server, { subject: "O'Brien; drop table", object: '50% "NEAR(' });
      await add(server, { project_id: 'p 2', object: 'elsewhere' });

      expect(await objectsOf(server, { q: 'PORT' })).toEqual(['port 18789']);
      expect(await objectsOf(server, { q: '0% "near(' })).toEqual(['50% "NEAR(']);
      expect(await objectsOf(server, { q: '%_' })).toEqual([]);
      expect(await objectsOf(server, { subject: "o'brien;  DROP table" })).toEqual(['50% "NEAR(']);
      expect(await objectsOf(server, { object: 'Elsewhere' })).toEqual(['elsewhere']);
      expect(await objectsOf(server, { relation: 'Listens On', project_id: 'p 2' })).toEqual([
        'elsewhere',
      ]);
      const page = (await server.read(FACTS, { limit: '2' })) as { next_cursor: string };
      expect(await objectsOf(server, { cursor: page.next_cursor })).toEqual(['port 18789']);
    });

    test('deletes a fact, once', async () => {
      const server = await openTeamServer(engine);
      const { fact } = await add(server);

      const removed = await server.call(`${FACTS}/${fact.fact_id}`, { method: 'DELETE' });
      const again = await server.call(`${FACTS}/${fact.fact_id}`, { method: 'DELETE' });

      expect(removed).toMatchObject({ status: 200 });
      expect(removed.body).toEqual({ fact_id: fact.fact_id, deleted: true });
      expect(again.status).toBe(404);
      expect(again.body).toEqual({
        error: {
          code: 'not_found',
          message: `fact ${fact.fact_id} does not exist`,
          details: {
            taxonomy: 'resource',
            thing: 'fact',
            recovery_action: 'GET /api/knowledge/facts lists them.',
          },
        },
      });
    });

    test('refuses what is no fact', async () => {
      const server = await openTeamServer(engine);

      for (const fields of [
        { subject: ' ' },
        { subject: 's'.repeat(201) },
        { object: 'a\u0000b' },
        { relation: 7 },
        { project_id: '' },
        { valid_from: 'yesterday' },
        { valid_from: '2026-01-02T00:00:00Z', valid_to: '2026-01-01T00:00:00Z' },
      ]) {
        const { status } = await server.post(FACTS, { ...BODY, ...fields });
        expect([fields, status]).toEqual([fields, 400]);
      }
      expect((await server.post(FACTS, { ...BODY, agent_id: 'nobody' })).status).toBe(404);
      for (const query of ['q=', 'limit=0', 'limit=1e9', 'at=now', 'cursor=%00', 'project_id=']) {
        const { status } = await server.call(`${FACTS}?${query}`);
        expect([query, status]).toEqual([query, 400]);
      }
      expect(await objectsOf(server)).toEqual([]);
    });
  },
);
