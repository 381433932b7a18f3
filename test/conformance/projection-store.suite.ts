import { describe, expect, test } from 'vitest';
import type { WorkerId } from '../../src/core/ids.ts';
import type { Checkpoint, NewCheckpoint } from '../../src/core/projection/projection-store.ts';
import type { Storage } from '../../src/core/storage.ts';
import { type OpenStorage, openRig } from './harness.ts';

function checkpoint(id: string, overrides: Partial<NewCheckpoint> = {}): NewCheckpoint {
  return {
    projection: 'run_summary',
    id,
    seq: 3,
    version: 'convex_summary_v1',
    summaryHash: 'abc',
    projectedAtMs: 1_000,
    isOpen: true,
    state: { seq: 3, text: 'a\u0000b \ud800' },
    ...overrides,
  };
}

const stored = (one: NewCheckpoint, revision = 1): Checkpoint => ({ ...one, revision });

/** Everything the ProjectionStore port promises. */
export function describeProjectionStore(engine: string, open: OpenStorage): void {
  describeCheckpoints(engine, open);
  describeWriter(engine, open);
}

function describeCheckpoints(engine: string, open: OpenStorage): void {
  describe(`Checkpoints of projections on ${engine}`, () => {
    test('are not there until they are put', async () => {
      const { projections } = (await openRig(open)).storage;

      expect(await projections.find({ projection: 'run_summary', id: 'run_1' })).toBeUndefined();
      expect(await projections.find({ projection: 'run_summary', id: 'a\0' })).toBeUndefined();
      expect(await projections.findMany('run_summary', [])).toEqual([]);
      expect(await projections.findMany('run_summary', ['run_1'])).toEqual([]);
      expect(await projections.listOpen({ projection: 'run_summary', limit: 10 })).toEqual([]);
    });

    test('are kept apart by projection, over a reopen', async () => {
      const { storage, reopen } = await openRig(open);
      const run = checkpoint('one');
      const worker = checkpoint('one', { projection: 'codex_worker_summary', seq: 7 });
      await storage.projections.put(run, 0);
      await storage.projections.put(worker, 0);

      const { projections } = await reopen();

      expect(await projections.find(run)).toEqual(stored(run));
      expect(await projections.findMany('codex_worker_summary', ['two', 'one'])).toEqual([
        stored(worker),
      ]);
    });

    test('are put only by who has seen the newest', async () => {
      const { projections } = (await openRig(open)).storage;
      const [first, second, third] = [3, 5, 4].map((seq) => checkpoint('run_1', { seq }));
      if (!first || !second || !third) throw new Error('three were made');

      const outcomes = [
        await projections.put(first, 1),
        await projections.put(first, 0),
        await projections.put(second, 0),
        await projections.put(second, 1),
        await projections.put(third, 1),
      ];

      expect(outcomes).toEqual([false, true, false, true, false]);
      expect(await projections.find(first)).toEqual(stored(second, 2));
    });

    test('are put by one of many who come at the same moment', async () => {
      const { storage, openBeside } = await openRig(open);
      const beside = await openBeside();
      const race = (revision: number) =>
        Promise.all(
          Array.from({ length: 8 }, (_, index) =>
            (index % 2 === 0 ? storage : beside).projections.put(
              checkpoint('run_1', { seq: index }),
              revision,
            ),
          ),
        );

      const created = await race(0);
      const updated = await race(1);

      expect(created.filter(Boolean)).toHaveLength(1);
      expect(updated.filter(Boolean)).toHaveLength(1);
      const seq = updated.indexOf(true);
      expect(await storage.projections.find(checkpoint('run_1'))).toEqual(
        stored(checkpoint('run_1', { seq }), 2),
      );
    });

    test('are listed by id while their entity can still move', async () => {
      const { projections } = (await openRig(open)).storage;
      const puts = ['c', 'a', 'B', 'd'].map((id) => checkpoint(id, { isOpen: id !== 'd' }));
      for (const one of puts) await projections.put(one, 0);
      await projections.put(checkpoint('a', { isOpen: false }), 1);

      const ids = async (page: { after?: string; limit: number }) =>
        (await projections.listOpen({ projection: 'run_summary', ...page })).map(({ id }) => id);

      expect(await ids({ limit: 10 })).toEqual(['B', 'c']);
      expect(await ids({ limit: 1 })).toEqual(['B']);
      expect(await ids({ after: 'B', limit: 10 })).toEqual(['c']);
    });

    test('list all workers in the order of their ids', async () => {
      const { storage, clock } = await openRig(open);
      for (const id of ['worker:b', 'worker:a', 'Worker:c']) await attach(storage, id);
      const { projections } = storage;

      const first = await projections.listWorkers({ limit: 2 });
      const rest = await projections.listWorkers({ after: 'worker:a', limit: 2 });

      const position = (id: string) => ({ id, latestSeq: 1, createdAtMs: clock.nowMs() });
      expect(first).toEqual([position('Worker:c'), position('worker:a')]);
      expect(rest).toEqual([position('worker:b')]);
    });
  });
}

async function attach({ workers }: Storage, id: string): Promise<void> {
  await workers.attach({
    id: id as WorkerId,
    owner: `user:${id.length}`,
    adapter: 'in_memory',
    command: undefined,
    workspaceRef: undefined,
    codexHomeRef: undefined,
    metadata: {},
    host: undefined,
    maxLive: 10,
  });
}

function describeWriter(engine: string, open: OpenStorage): void {
  describe(`The writer of projections on ${engine}`, () => {
    test('is one at a time, until it lets go or is gone for too long', async () => {
      const { storage, clock, openBeside } = await openRig(open);
      const beside = await openBeside();
      const hold = (owner: string) =>
        (owner === 'a' ? storage : beside).projections.holdWriter(owner, 1_000);

      const outcomes = [await hold('a'), await hold('b')];
      clock.advance(999);
      outcomes.push(await hold('a'), await hold('b'));
      clock.advance(1_000);
      outcomes.push(await hold('b'), await hold('a'));
      await storage.projections.releaseWriter('a');
      outcomes.push(await hold('a'));
      await storage.projections.releaseWriter('b');
      outcomes.push(await hold('a'));

      expect(outcomes).toEqual([true, false, true, false, true, false, false, true]);
    });

    test('says how it goes, also to others', async () => {
      const { storage, clock, openBeside } = await openRig(open);
      const { projections } = await openBeside();
      const atFirst = await projections.readHealth();
      await storage.projections.holdWriter('a', 1_000);
      await storage.projections.reportHealth({ failures: 2, error: 'gone\u0000' });
      const failing = await projections.readHealth();
      const failedAtMs = clock.nowMs();
      clock.advance(1_000);
      await storage.projections.reportHealth({ failures: 0, error: undefined });

      const mended = await projections.readHealth();

      const none = { failures: 0, error: undefined, failedAtMs: undefined, writer: undefined };
      expect(atFirst).toEqual(none);
      expect(failing).toEqual({ failures: 2, error: 'gone\u0000', failedAtMs, writer: 'a' });
      expect(mended).toEqual({ ...none, failedAtMs });
    });
  });
}
