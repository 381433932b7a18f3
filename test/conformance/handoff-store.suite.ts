import { describe, expect, test } from 'vitest';
import { createIds } from '../../src/core/create-ids.ts';
import type { Handoff, NewHandoff } from '../../src/core/handoffs/handoff.ts';
import type { AgentId, HandoffId, MemoryId } from '../../src/core/ids.ts';
import { OPERATOR } from '../../src/core/principal.ts';
import type { Storage } from '../../src/core/storage.ts';
import { AGENT, cancelDrafts, createRun, newRunId, type OpenStorage, openRig } from './harness.ts';

const ODD = 'a\u0000b 🦀 \ud800 "c"';
const OTHER = 'agent_other' as AgentId;
const ids = createIds(() => Date.now());

function newHandoff(fields: Partial<NewHandoff> = {}): NewHandoff {
  return {
    id: ids.handoff(),
    owner: OPERATOR,
    from: AGENT,
    to: OTHER,
    projectId: 'proj_001',
    content: 'look at it',
    parentRunId: undefined,
    runId: newRunId(),
    ...fields,
  };
}

async function give({ handoffs }: Storage, fields: Partial<NewHandoff> = {}): Promise<Handoff> {
  const result = await handoffs.give(newHandoff(fields));
  if (result.outcome !== 'given') throw new Error(`expected it to be given: ${result.outcome}`);
  return result.handoff;
}

const idsOf = (handoffs: readonly Handoff[]) => handoffs.map(({ id }) => id);

/** Everything the HandoffStore port promises. */
export function describeHandoffStore(engine: string, open: OpenStorage): void {
  describe(`HandoffStore on ${engine}`, () => {
    test('keeps any text over a reopen, and finds nothing that is not there', async () => {
      const { storage, clock, reopen } = await openRig(open);
      const given = newHandoff({ content: ODD.repeat(2_000), owner: 'guest:x', key: ODD });

      await storage.handoffs.give(given);

      const { key: _, ...fields } = given;
      const { handoffs } = await reopen();
      expect(await handoffs.find(given.id)).toEqual({
        ...fields,
        chain: [AGENT, OTHER],
        state: 'open',
        memoryId: undefined,
        result: undefined,
        error: undefined,
        createdAtMs: clock.nowMs(),
        endedAtMs: undefined,
        reportedAtMs: undefined,
      });
      expect(await handoffs.find('handoff_x' as HandoffId)).toBeUndefined();
      expect(await handoffs.find('a\u0000b' as HandoffId)).toBeUndefined();
    });

    test('one of many that come with one key at the same time is kept', async () => {
      const { storage } = await openRig(open);

      const results = await Promise.all(
        Array.from({ length: 8 }, () => storage.handoffs.give(newHandoff({ key: 'same' }))),
      );

      const given = results.flatMap((one) => (one.outcome === 'given' ? [one] : []));
      expect(given).toHaveLength(8);
      expect(given.filter(({ replayed }) => !replayed)).toHaveLength(1);
      expect(new Set(given.map(({ handoff }) => handoff.id)).size).toBe(1);
      expect(await storage.handoffs.give(newHandoff({ key: 'same', content: 'other' }))).toEqual({
        outcome: 'other_handoff',
      });
    });

    test('the chain of a run goes on, and a run hands over no more than it may', async () => {
      const { storage } = await openRig(open);
      const first = await give(storage);

      const second = await give(storage, {
        from: OTHER,
        to: 'agent_third' as AgentId,
        parentRunId: first.runId,
      });
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          storage.handoffs.give(
            newHandoff({ from: OTHER, to: `agent_${index}` as AgentId, parentRunId: first.runId }),
          ),
        ),
      );

      expect(second.chain).toEqual([AGENT, OTHER, 'agent_third']);
      expect(results.filter(({ outcome }) => outcome === 'given')).toHaveLength(15);
      expect(results.filter(({ outcome }) => outcome === 'too_many')).toHaveLength(5);
      const back = newHandoff({ from: OTHER, to: AGENT, parentRunId: second.runId });
      expect(await storage.handoffs.give(back)).toEqual({ outcome: 'in_chain' });
    });

    test('lists newest first, by what is asked for, in pages', async () => {
      const { storage } = await openRig(open);
      const first = await give(storage);
      const second = await give(storage, { projectId: 'proj 002 🦀', owner: 'user:1' });
      const third = await give(storage, { from: OTHER, to: AGENT });
      const list = async (fields: object) =>
        idsOf(await storage.handoffs.list({ limit: 10, ...fields }));

      expect(await list({})).toEqual([third.id, second.id, first.id]);
      expect(await list({ limit: 1, before: third.id })).toEqual([second.id]);
      expect(await list({ projectId: 'proj 002 🦀' })).toEqual([second.id]);
      expect(await list({ owner: 'user:1' })).toEqual([second.id]);
      expect(await list({ agentId: AGENT })).toEqual([third.id, second.id, first.id]);
      expect(await list({ state: 'done' })).toEqual([]);
      expect(await list({ limit: -1 })).toEqual([]);
    });

    test('tells what is to be done next, until it is done', async () => {
      const { storage, runs, clock } = await openRig(open);
      const { handoffs } = storage;
      const { id, runId } = await give(storage);
      expect(idsOf(await handoffs.listOpen(10))).toEqual([id]);

      await handoffs.noteMemory(id, 'mem_1' as MemoryId);
      await handoffs.noteQueued(id);
      await createRun(runs, { id: runId });
      expect(await handoffs.listAwaited(10)).toEqual([runId]);
      expect(idsOf([...(await handoffs.listOpen(10)), ...(await handoffs.listEnded(10))])).toEqual(
        [],
      );

      await runs.requestCancel(runId, cancelDrafts());
      expect(idsOf(await handoffs.listEnded(10))).toEqual([id]);
      await handoffs.end(id, { state: 'done', result: ODD, error: undefined });
      expect(idsOf(await handoffs.listUnreported(10))).toEqual([id]);
      expect(await handoffs.listEnded(10)).toEqual([]);
      await handoffs.noteReported(id);

      expect(await handoffs.listUnreported(10)).toEqual([]);
      expect(await handoffs.find(id)).toMatchObject({
        state: 'done',
        memoryId: 'mem_1',
        result: ODD,
        endedAtMs: clock.nowMs(),
        reportedAtMs: clock.nowMs(),
      });
    });
  });
}
