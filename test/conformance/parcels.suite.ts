import { describe, expect, test } from 'vitest';
import { RuntimeError } from '../../src/core/errors.ts';
import type { AgentId } from '../../src/core/ids.ts';
import type { ImportReport } from '../../src/core/parcels/import-report.ts';
import type { Storage } from '../../src/core/storage.ts';
import { LYNX, seedAgent } from '../support/seed-agent.ts';
import {
  exportBytes,
  inPieces,
  openParcelRig,
  type ParcelRigOptions,
  PLAIN_IMPORT,
} from '../support/test-parcels.ts';
import { type OpenStorage, openRig } from './harness.ts';

const AS = { ...PLAIN_IMPORT, name: 'Lynx Two' };

async function openSeeded(open: OpenStorage, options: Partial<ParcelRigOptions> = {}) {
  const rig = await openRig(open);
  await seedAgent(rig.storage);
  return { ...rig, ...openParcelRig({ ...rig, ...options }) };
}

/** Everything of an agent, as its ports tell it. */
async function readAll(
  { agents, sessions, memories, facts, jobs, capabilities }: Storage,
  id: AgentId,
) {
  const { sessions: listed } = await sessions.list({ agentId: id, includeClosed: true, limit: 9 });
  return {
    agent: await agents.find(id),
    sessions: await Promise.all(
      listed.map(async (session) => ({
        session,
        messages: await sessions.readMessages(session.id, { limit: 9 }),
        summary: await sessions.findSummary(session.id),
      })),
    ),
    memories: await memories.listOf(id, { limit: 9 }),
    facts: await facts.listOf(id, { limit: 9 }),
    jobs: (await jobs.list({ agentId: id, limit: 9 })).jobs,
    capabilities: await capabilities.list(id),
  };
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  return thrown instanceof RuntimeError ? thrown.code : String(thrown);
}

const countsOf = async (storage: Storage, id: AgentId) => {
  const all = await readAll(storage, id);
  const { length: messages } = all.sessions.flatMap((one) => one.messages);
  const { length: memories } = all.memories;
  return { messages, memories, facts: all.facts.length, jobs: all.jobs.length };
};

/** An agent leaves in one file and comes in again, whatever the engine. */
export function describeParcels(engine: string, open: OpenStorage): void {
  describe(`parcels on ${engine}`, () => {
    test('brings a whole agent in, as it was, under ids of its own', async () => {
      const { storage, clock, parcels, reopen } = await openSeeded(open);
      const bytes = await exportBytes({ parcels }, 'lynx');
      const before = await readAll(storage, LYNX);
      const head = await storage.memories.head();
      clock.advance(1_000);

      const report = await parcels.import(inPieces(bytes), AS);

      const stored = await reopen();
      const { agent, sessions, memories, facts, jobs, capabilities } = await readAll(
        stored,
        report.agent.id,
      );
      const [from] = before.sessions;
      const sessionId = sessions[0]?.session.id;
      const own = { agentId: report.agent.id };
      const at = { createdAtMs: clock.nowMs(), updatedAtMs: clock.nowMs() };
      expect(agent).toEqual({
        ...{ ...before.agent, ...at, id: report.agent.id, name: 'Lynx Two', slug: 'lynx-two' },
      });
      expect(sessions).toEqual([{ ...from, session: { ...from?.session, ...own, id: sessionId } }]);
      expect(sessionId).not.toBe('session_1');
      const [pinned, untrusted] = before.memories;
      const told = { ...own, agentName: 'Lynx Two', id: expect.stringMatching(/^mem_\w{26}$/) };
      expect(memories).toEqual([
        {
          ...{ ...pinned, ...told, sessionId, revision: head.revision + 1 },
          ...{ pinned: false, priorityScore: 6, pinReason: undefined, unpinnedScore: undefined },
        },
        { ...untrusted, ...told, revision: head.revision + 2 },
      ]);
      expect(untrusted).toMatchObject({ isTrusted: false, sessionId: 'elsewhere' });
      expect(await stored.memories.head()).toMatchObject({ memories: 4 });
      expect(facts).toEqual([{ ...before.facts[0], ...own, id: facts[0]?.id }]);
      expect(jobs).toEqual([
        {
          ...{ ...before.jobs[0], ...own, ...at, id: jobs[0]?.id, isEnabled: false },
          notify: { channel: 'session', target: sessionId },
        },
      ]);
      expect(capabilities.map(({ tool, effect }) => `${effect} ${tool}`)).toEqual([
        'grant fs.read',
        'revoke shell.exec',
      ]);
      expect(await readAll(stored, LYNX)).toEqual(before);
    });

    test('writes the same bytes as long as nothing changes', async () => {
      const { parcels, storage } = await openSeeded(open);

      const [first, second] = [
        await exportBytes({ parcels }, 'lynx'),
        await exportBytes({ parcels }, 'LYNX'),
      ];
      await storage.memories.remove('mem_2' as never);
      const third = await exportBytes({ parcels }, 'lynx');

      expect(first.equals(second)).toBe(true);
      expect(first.equals(third)).toBe(false);
    });

    test('finds the agent that the same file made before', async () => {
      const { storage, parcels } = await openSeeded(open);
      const bytes = await exportBytes({ parcels }, 'lynx');
      const first = await parcels.import(inPieces(bytes), AS);

      const again = await parcels.import(inPieces(bytes), AS);
      const other = await parcels.import(inPieces(bytes), { ...AS, name: 'Lynx Three' });

      expect([first.outcome, again.outcome, other.outcome]).toEqual([
        'imported',
        'present',
        'imported',
      ]);
      expect(again.agent).toEqual(first.agent);
      expect(await countsOf(storage, first.agent.id)).toEqual({
        ...{ messages: 3, memories: 2, facts: 1, jobs: 1 },
      });
    });

    test('imports a file once when two import it at the same time', async () => {
      const { storage, parcels, openBeside, clock } = await openSeeded(open);
      const bytes = await exportBytes({ parcels }, 'lynx');
      const beside = openParcelRig({ storage: await openBeside(), clock });

      const reports = await Promise.all(
        [parcels, beside.parcels, parcels].map((one) => one.import(inPieces(bytes), AS)),
      );

      const outcomes = reports.map(({ outcome }: ImportReport) => outcome).sort();
      const [id] = new Set(reports.map(({ agent }) => agent.id));
      expect(outcomes).toEqual(['imported', 'present', 'present']);
      expect(await countsOf(storage, id as AgentId)).toMatchObject({ messages: 3, memories: 2 });
    });

    test('gives a removed agent that comes back nothing of its former life', async () => {
      const { storage, parcels } = await openSeeded(open);
      const bytes = await exportBytes({ parcels }, 'lynx');
      const first = await parcels.import(inPieces(bytes), AS);
      await storage.agents.remove(first.agent.id);

      const second = await parcels.import(inPieces(bytes), AS);
      const third = await parcels.import(inPieces(bytes), AS);

      expect([second.outcome, third.outcome]).toEqual(['imported', 'present']);
      expect(second.agent.id).not.toBe(first.agent.id);
      expect(third.agent.id).toBe(second.agent.id);
      expect(await countsOf(storage, second.agent.id)).toMatchObject({ messages: 3 });
    });

    test('leaves nothing behind when the last step is refused', async () => {
      const { storage, parcels, clock } = await openSeeded(open);
      const bytes = await exportBytes({ parcels }, 'lynx');
      const before = await storage.memories.head();
      const full = openParcelRig({ storage, clock, maxJobs: 1 });

      const code = await codeOf(full.parcels.import(inPieces(bytes), AS));

      const { agent } = await parcels.import(inPieces(bytes), { ...AS, isPreview: true });
      expect(code).toBe('limit_reached');
      expect(await storage.memories.head()).toEqual(before);
      expect((await readAll(storage, agent.id)).agent).toBeUndefined();
      expect(await countsOf(storage, agent.id)).toEqual({
        ...{ messages: 0, memories: 0, facts: 0, jobs: 0 },
      });
    });

    test('goes on with other writes beside an import that is refused', async () => {
      const { storage, parcels, clock } = await openSeeded(open);
      const bytes = await exportBytes({ parcels }, 'lynx');
      const full = openParcelRig({ storage, clock, maxJobs: 1 });

      const [code, ...created] = await Promise.all([
        codeOf(full.parcels.import(inPieces(bytes), AS)),
        ...Array.from({ length: 20 }, (_, index) =>
          storage.agents.create(
            {
              ...{ id: `other-${index}` as AgentId, name: 'x', role: '', model: undefined },
              instructions: '',
            },
            1_000,
          ),
        ),
      ]);

      expect(code).toBe('limit_reached');
      expect(new Set(created.map(({ outcome }) => outcome))).toEqual(new Set(['created']));
    });
  });
}
