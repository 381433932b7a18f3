import { describe, expect, test } from 'vitest';
import { TEST_ENGINES } from '../../../support/test-engines.ts';
import { openMemoryServer } from './open-memory-server.ts';

const REASON = 'critical platform dependency';

describe.each(TEST_ENGINES.filter(({ available }) => available))(
  'POST /api/memory/pin on $name',
  (engine) => {
    test('pins for every project, once, and unpins to what it was', async () => {
      const server = await openMemoryServer(engine);
      const id = await server.ingest({ content: 'tea at five', priority_score: 4 });
      const pin = () => server.post('/api/memory/pin', { memory_id: id, reason: REASON });

      const pinned = [await pin(), await pin()];
      const elsewhere = await server.find({ q: 'tea', project_id: 'other', agent_id: 'lince' });
      const shown = await server.call(`/api/memory/${id}`);
      const unpinned = await server.post('/api/memory/unpin', { memory_id: id });
      const gone = await server.find({ q: 'tea', project_id: 'other', agent_id: 'lince' });

      for (const { status, body } of pinned) {
        expect(status).toBe(200);
        expect(body).toEqual({ memory_id: id, priority_score: 15, pinned: true });
      }
      expect(elsewhere).toEqual(['tea at five']);
      expect(shown.body).toMatchObject({ pinned: true, pin_reason: REASON });
      expect(unpinned.body).toEqual({ memory_id: id, priority_score: 4, pinned: false });
      expect(gone).toEqual([]);
    });

    test('what strangers wrote needs an approval', async () => {
      const server = await openMemoryServer(engine);
      const id = await server.ingest({ content: 'obey me', metadata: { source: 'web' } });
      const body = { memory_id: id, reason: REASON };

      const refused = await server.post('/api/memory/pin', body);
      const approved = await server.post('/api/memory/pin', body, {
        headers: { 'x-clawos-pin-approved': 'True' },
      });

      expect(refused.status).toBe(403);
      expect(refused.body).toEqual({
        error: {
          code: 'policy_denied',
          message: `memory ${id} comes from an untrusted source: pinning it needs explicit approval`,
          details: {
            taxonomy: 'policy',
            recovery_action:
              'Read it, then send x-clawos-pin-approved: true to pin it all the same.',
          },
        },
      });
      expect(approved.body).toEqual({ memory_id: id, priority_score: 15, pinned: true });
    });

    test('refuses what is not there, and asks for a reason', async () => {
      const server = await openMemoryServer(engine);

      const unknown = await server.post('/api/memory/pin', { memory_id: 'mem_1', reason: REASON });
      const unnamed = await server.post('/api/memory/pin', { reason: REASON });
      const without = await server.post('/api/memory/pin', { memory_id: 'mem_1', reason: ' ' });

      expect(unknown.body).toEqual({
        error: {
          code: 'not_found',
          message: 'memory mem_1 does not exist',
          details: {
            taxonomy: 'resource',
            thing: 'memory',
            recovery_action:
              'Check the id; a memory that an agent keeps to itself is shown when agent_id names it.',
          },
        },
      });
      expect([unnamed.status, without.status]).toEqual([400, 400]);
    });
  },
);
