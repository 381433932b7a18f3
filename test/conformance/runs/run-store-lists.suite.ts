import { describe, expect, test } from 'vitest';
import type { AgentId, RunId } from '../../../src/core/ids.ts';
import type { RunFilter } from '../../../src/core/runs/run-store.ts';
import {
  cancelDrafts,
  claimNewRun,
  createRun,
  finishRun,
  type OpenStorage,
  openRig,
  type Rig,
} from '../harness.ts';
import { describeRunSearch } from './run-store-search.suite.ts';

export function describeRunLists(engine: string, open: OpenStorage): void {
  describeRunSearch(engine, open);
  describe(`RunStore.list on ${engine}`, () => {
    test('lists nothing in an empty store', async () => {
      const { runs } = await openRig(open);

      expect(await runs.list({ limit: 10 })).toEqual({ runs: [], next: undefined });
    });

    test('lists whole runs, newest first', async () => {
      const { runs, clock } = await openRig(open);
      const first = await createRun(runs, { message: 'first' });
      clock.advance(1);
      const second = await createRun(runs, { message: 'second' });

      expect(await runs.list({ limit: 10 })).toEqual({ runs: [second, first], next: undefined });
    });

    test.each([1, 2, 3, 4, 9, 10])(
      'pages by %i without loss or repetition over ties',
      async (limit) => {
        const rig = await openRig(open);
        // Three groups of the same millisecond, ids in no particular order.
        for (const id of ['b', 'a', 'c', 'f', 'd', 'e', 'i', 'h', 'g']) {
          await createRun(rig.runs, { id: `run_${id}` as RunId });
          if (id === 'c' || id === 'e') rig.clock.advance(1);
        }

        const pages = await listPages(rig, { limit });

        expect(pages.flat()).toEqual(['i', 'h', 'g', 'f', 'e', 'd', 'c', 'b', 'a']);
        expect(pages).toHaveLength(Math.ceil(9 / limit));
      },
    );

    test('filters by status and agent, also across pages', async () => {
      const rig = await openRig(open);
      const { runs, clock } = rig;
      const other = 'agent_other' as AgentId;
      for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) {
        const agent = 'ace'.includes(id) ? { agentId: other } : {};
        await createRun(runs, { id: `run_${id}` as RunId, ...agent });
        clock.advance(1);
      }
      await runs.requestCancel('run_a' as RunId, cancelDrafts());
      await runs.requestCancel('run_b' as RunId, cancelDrafts());

      expect(await listPages(rig, { limit: 2, agentId: other })).toEqual([['e', 'c'], ['a']]);
      expect(await listPages(rig, { limit: 1, status: 'cancelled' })).toEqual([['b'], ['a']]);
      expect(await listPages(rig, { limit: 1, status: 'queued', agentId: other })).toEqual([
        ['e'],
        ['c'],
      ]);
      expect(await listPages(rig, { limit: 5, status: 'failed' })).toEqual([[]]);
    });

    test('goes on from a cursor whose run has left the filter', async () => {
      const { runs, clock } = await openRig(open);
      const old = await createRun(runs);
      clock.advance(1);
      const cursor = await createRun(runs);
      await runs.requestCancel(cursor.id, cancelDrafts());

      const page = await runs.list({ limit: 10, status: 'queued', before: cursor.id });

      expect(page).toEqual({ runs: [old], next: undefined });
    });

    test('refuses a cursor that is not a run', async () => {
      const { runs } = await openRig(open);

      const page = runs.list({ limit: 10, before: 'run_unknown' as RunId });

      await expect(page).rejects.toMatchObject({ name: 'RuntimeError', code: 'invalid_input' });
    });

    test('counts runs by status', async () => {
      const { runs, reopen } = await openRig(open);
      await createRun(runs);
      await createRun(runs);
      const ended = await claimNewRun(runs);
      await finishRun(runs, ended.lease);
      const asked = await claimNewRun(runs);
      await runs.requestCancel(asked.run.id, cancelDrafts());
      await claimNewRun(runs);

      const counts = {
        queued: 2,
        running: 1,
        waiting: 0,
        cancelling: 1,
        completed: 1,
        failed: 0,
        cancelled: 0,
      };
      expect(await runs.countByStatus()).toEqual(counts);
      expect(await (await reopen()).runs.countByStatus()).toEqual(counts);
    });
  });
}

/** Follows `next` to the end; ids without their prefix. */
async function listPages({ runs }: Rig, filter: RunFilter): Promise<string[][]> {
  const pages: string[][] = [];
  let before: RunId | undefined;
  for (let count = 0; count < 20; count += 1) {
    const page = await runs.list({ ...filter, ...(before !== undefined && { before }) });
    pages.push(page.runs.map((run) => run.id.replace('run_', '')));
    before = page.next;
    if (before === undefined) return pages;
  }
  throw new Error('the list does not end');
}
