import { describe, expect, test } from 'vitest';
import type { AgentId } from '../../../../src/core/ids.ts';
import { TEST_ENGINES } from '../../../support/test-engines.ts';
import { type MemoryServer, openMemoryServer } from './open-memory-server.ts';

const SASTRES = 'the tailor keeps needles secret';
const LINCES = 'the lynx found needles';

interface Place {
  readonly name: string;
  /** Every text that the place gives to this reader. */
  readonly look: (server: MemoryServer, reader: object, ids: readonly string[]) => Promise<string>;
}

const toText = (reader: object) => new URLSearchParams({ ...reader }).toString();

const PLACES: readonly Place[] = [
  {
    name: 'search',
    look: async ({ search }, reader) => (await search({ q: 'needles', ...reader })).text,
  },
  {
    name: 'why',
    look: async ({ search }, reader) =>
      (await search({ q: 'needles', explain: 'true', ...reader })).text,
  },
  {
    name: 'search by author',
    look: async ({ search }, reader) =>
      (await search({ q: 'needles', author_id: 'sastre', ...reader })).text,
  },
  {
    name: 'list',
    look: async ({ call }, reader) => (await call(`/api/memory?${toText(reader)}`)).text,
  },
  {
    name: 'get',
    async look({ call }, reader, ids) {
      const shown = ids.map(async (id) => (await call(`/api/memory/${id}?${toText(reader)}`)).text);
      return (await Promise.all(shown)).join();
    },
  },
  {
    name: 'change',
    async look({ call }, reader, ids) {
      const change = { method: 'PATCH', body: { priority_score: 6 } };
      const shown = ids.map(
        async (id) => (await call(`/api/memory/${id}?${toText(reader)}`, change)).text,
      );
      return (await Promise.all(shown)).join();
    },
  },
];

describe.each(TEST_ENGINES.filter(({ available }) => available))(
  'what an agent keeps to itself on $name',
  (engine) => {
    test.each(PLACES)('is seen by that agent alone: $name', async ({ name, look }) => {
      const server = await openMemoryServer(engine);
      const ids = [
        await server.ingest({ content: SASTRES, metadata: { agent_id: 'sastre' } }),
        await server.ingest({ content: LINCES }),
      ];
      const seenBy = async (reader: object) => {
        const text = await look(server, reader, ids);
        return [SASTRES, LINCES].filter((content) => text.includes(content));
      };
      const shared = name === 'search by author' ? [] : [LINCES];

      expect(await seenBy({})).toEqual(shared);
      expect(await seenBy({ agent_id: 'lince' })).toEqual(shared);
      expect(await seenBy({ agent_id: 'Sastre' })).toEqual([SASTRES]);
      // Written as private, it stays so.
      const { agents } = server.runtime.storage;
      await agents.update('agent_sastre' as AgentId, { memoryAccess: 'global' });
      expect(await seenBy({ agent_id: 'lince' })).toEqual(shared);
      // Written as shared, it is hidden while its agent shares nothing.
      await agents.update('agent_lince' as AgentId, { memoryAccess: 'private' });
      expect(await seenBy({})).toEqual([]);
      expect(await seenBy({ agent_id: 'agent_default' })).toEqual([]);
      expect(await seenBy({ agent_id: 'lince' })).toEqual(shared);
    });

    test('is gone when that agent is', async () => {
      const server = await openMemoryServer(engine);
      await server.ingest({ content: SASTRES, metadata: { agent_id: 'sastre' } });
      await server.ingest({ content: LINCES });

      await server.runtime.memories.forgetAgent('agent_sastre' as AgentId);

      expect(await server.find({ q: 'needles', agent_id: 'sastre' })).toEqual([]);
      expect(await server.find({ q: 'needles' })).toEqual([LINCES]);
    });
  },
);
