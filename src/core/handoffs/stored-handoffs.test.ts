import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryTables, stubQuery } from '../../../test/support/memory-tables.ts';
import type { AgentId, HandoffId, MemoryId, RunId } from '../ids.ts';
import { type Handoff, MAX_DEPTH, MAX_PER_RUN, type NewHandoff } from './handoff.ts';
import { createHandoffStore, HANDOFF_OF_KEY, HANDOFF_OF_RUN, HANDOFFS } from './stored-handoffs.ts';

const STUBS = [
  stubQuery(HANDOFF_OF_KEY, ({ key }, { rows }) => rows(HANDOFFS).filter((row) => row.key === key)),
  stubQuery(HANDOFF_OF_RUN, ({ runId }, { rows }) =>
    rows(HANDOFFS).filter((row) => row.runId === runId),
  ),
];

function openStore() {
  const tables = createMemoryTables(STUBS);
  return { store: createHandoffStore(tables), tables };
}

let made = 0;
function newHandoff(fields: Partial<NewHandoff> = {}): NewHandoff {
  made += 1;
  return {
    id: `handoff_${made}` as HandoffId,
    owner: 'operator',
    from: 'a' as AgentId,
    to: 'b' as AgentId,
    projectId: 'proj_001',
    content: 'look at it',
    parentRunId: undefined,
    runId: `run_${made}` as RunId,
    ...fields,
  };
}

const AGENT = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f').map((id) => id as AgentId);
/** Each is given by the run of an earlier one, as often as there is one. */
const STEPS = fc.array(fc.record({ to: AGENT, parent: fc.nat(30), isRoot: fc.boolean() }), {
  maxLength: 40,
});

test('work comes through no agent twice and through no more than three hands', async () => {
  await fc.assert(
    fc.asyncProperty(STEPS, async (steps) => {
      const { store } = openStore();
      const given: Handoff[] = [];
      for (const { to, parent, isRoot } of steps) {
        const before = isRoot ? undefined : given[parent % Math.max(1, given.length)];
        const from = before?.to ?? ('z' as AgentId);
        const parentRunId = before?.runId;

        const result = await store.give(newHandoff({ from, to, parentRunId }));

        const chain = before?.chain ?? [from];
        const siblings = given.filter((one) => one.parentRunId === parentRunId).length;
        if (chain.length > MAX_DEPTH) expect(result).toEqual({ outcome: 'too_deep' });
        else if (chain.includes(to)) expect(result).toEqual({ outcome: 'in_chain' });
        else if (parentRunId !== undefined && siblings >= MAX_PER_RUN)
          expect(result).toEqual({ outcome: 'too_many' });
        else {
          if (result.outcome !== 'given') throw new Error(result.outcome);
          expect(result.handoff.chain).toEqual([...chain, to]);
          given.push(result.handoff);
        }
      }
      for (const { chain } of given) {
        expect(new Set(chain).size).toBe(chain.length);
        expect(chain.length).toBeLessThanOrEqual(MAX_DEPTH + 1);
      }
    }),
  );
});

test('a key names one hand-off of its owner, and another under it is refused', async () => {
  const step = fc.record({
    key: fc.constantFrom('k1', 'k2'),
    owner: fc.constantFrom('operator', 'user:1'),
    content: fc.constantFrom('x', 'x', 'y'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      const { store, tables } = openStore();
      const first = new Map<string, Handoff>();
      for (const fields of steps) {
        const name = `${fields.owner} ${fields.key}`;
        const known = first.get(name);

        const result = await store.give(newHandoff(fields));

        if (known && known.content !== fields.content)
          expect(result).toEqual({ outcome: 'other_handoff' });
        else if (result.outcome !== 'given') throw new Error(result.outcome);
        else {
          expect(result.replayed).toBe(known !== undefined);
          if (known) expect(result.handoff).toEqual(known);
          else first.set(name, result.handoff);
        }
      }
      expect(tables.rows(HANDOFFS)).toHaveLength(first.size);
    }),
  );
});

test('a hand-off goes on and never back, ends once and is reported once', async () => {
  const STEP = fc.constantFrom('memory', 'queued', 'done', 'failed', 'reported');
  const ORDER = ['open', 'running', 'done', 'failed'];
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { maxLength: 12 }), async (steps) => {
      const { store, tables } = openStore();
      const { id } = newHandoff();
      await store.give(newHandoff({ id }));
      for (const step of steps) {
        tables.clock.advance(1);
        const before = await store.find(id);

        if (step === 'memory') await store.noteMemory(id, 'mem_1' as MemoryId);
        else if (step === 'queued') await store.noteQueued(id);
        else if (step === 'reported') await store.noteReported(id);
        else await store.end(id, { state: step, result: step, error: undefined });

        const after = await store.find(id);
        if (!before || !after) throw new Error('it is gone');
        expect(ORDER.indexOf(after.state)).toBeGreaterThanOrEqual(ORDER.indexOf(before.state));
        if (before.endedAtMs !== undefined)
          expect(after).toMatchObject({
            state: before.state,
            result: before.result,
            endedAtMs: before.endedAtMs,
          });
        if (after.reportedAtMs !== undefined) expect(after.endedAtMs).toBeDefined();
        if (before.reportedAtMs !== undefined) expect(after.reportedAtMs).toBe(before.reportedAtMs);
      }
    }),
  );
});
