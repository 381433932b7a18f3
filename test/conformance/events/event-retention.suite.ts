import { describe, expect, test } from 'vitest';
import type { Event, NewsEvent } from '../../../src/core/events/event.ts';
import { createFollowRun } from '../../../src/core/events/follow-run.ts';
import { CHAIN_START, verifyChain } from '../../../src/core/events/hash-chain.ts';
import { tailRun } from '../../../src/core/events/tail-run.ts';
import type { RunId } from '../../../src/core/ids.ts';
import { verifyLog } from '../../../src/core/records/verify-log.ts';
import type { Storage } from '../../../src/core/storage.ts';
import { followWhilePruned } from '../follow-while-pruned.ts';
import {
  claimNewRun,
  delta,
  finishRun,
  type OpenStorage,
  openRig,
  type Rig,
  readAll,
} from '../harness.ts';

const DAY_MS = 86_400_000;

export function describeEventRetention(engine: string, open: OpenStorage): void {
  describe(`EventRetention on ${engine}`, () => {
    test('deletes the beginning of a log and keeps the hash that the rest goes on from', async () => {
      const { storage, runs, events } = await openRig(open);
      const run = await recordedRun(storage, 8);

      const deleted = await storage.retention.prune([{ runId: run.id, through: 5 }]);

      const kept = await events.read(run.id, { after: 5, limit: 10 });
      const anchor = await events.anchor(run.id);
      expect(deleted).toBe(5);
      expect(await events.floor(run.id)).toBe(5);
      expect(anchor).toEqual({ seq: 5, hash: run.log[4]?.hash });
      expect(kept).toEqual(run.log.slice(5));
      expect(verifyChain(kept, anchor)).toEqual({
        ok: true,
        last: { seq: 8, hash: run.log[7]?.hash },
      });
      expect(await runs.find(run.id)).toMatchObject({ lastSeq: 8, status: 'completed' });
    });

    test.each([
      { after: 0, seqs: 'stale' },
      { after: 4, seqs: 'stale' },
      { after: 5, seqs: [6, 7, 8] },
      { after: 6, seqs: [7, 8] },
      { after: 7, seqs: [8] },
      { after: 8, seqs: [] },
      { after: 9, seqs: [] },
    ])('reads after $after, when events up to 5 are gone, as $seqs', async ({ after, seqs }) => {
      const { storage, events } = await openRig(open);
      const run = await recordedRun(storage, 8);
      await storage.retention.prune([{ runId: run.id, through: 5 }]);

      const page = events.read(run.id, { after, limit: 10 });

      if (seqs === 'stale') {
        const details = { floor: 5 };
        await expect(page).rejects.toMatchObject({ code: 'stale_cursor', details });
      } else {
        expect((await page).map((event) => event.seq)).toEqual(seqs);
      }
    });

    test('pages on from the floor one by one', async () => {
      const { storage, events } = await openRig(open);
      const run = await recordedRun(storage, 6);
      await storage.retention.prune([{ runId: run.id, through: 3 }]);

      const pages: Event[] = [];
      for (let after = 3; after < 6; after += 1) {
        pages.push(...(await events.read(run.id, { after, limit: 1 })));
      }

      expect(pages).toEqual(run.log.slice(3));
    });

    test('keeps the newest event, whatever it is asked', async () => {
      const { storage, runs, events } = await openRig(open);
      const run = await recordedRun(storage, 5);
      const before = await runs.find(run.id);

      const deleted = await storage.retention.prune([{ runId: run.id, through: 1_000 }]);

      expect(deleted).toBe(4);
      expect(await events.read(run.id, { after: 4, limit: 10 })).toEqual(run.log.slice(4));
      expect(await runs.find(run.id)).toEqual(before);
    });

    test('deletes nothing of a run that is open, unrecorded or unknown', async () => {
      const { storage, runs, events } = await openRig(open);
      const running = await claimNewRun(runs);
      await runs.markRecorded([{ runId: running.run.id, auditedSeq: 2, bundled: true }]);
      const unrecorded = await claimNewRun(runs);
      await finishRun(runs, unrecorded.lease);
      await runs.markRecorded([{ runId: unrecorded.run.id, auditedSeq: 2, bundled: true }]);
      const ids = [running.run.id, unrecorded.run.id, 'run_unknown' as RunId];

      const listed = await storage.retention.listPrunable({
        endedForMs: 0,
        keepEvents: 1,
        limit: 9,
      });
      const deleted = await storage.retention.prune(ids.map((runId) => ({ runId, through: 1 })));

      expect(listed).toEqual([]);
      expect(deleted).toBe(0);
      expect(await events.read(running.run.id, { after: 0, limit: 9 })).toHaveLength(2);
      expect(await events.read(unrecorded.run.id, { after: 0, limit: 9 })).toHaveLength(3);
      expect(await events.anchor('run_unknown' as RunId)).toEqual(CHAIN_START);
    });

    test('never moves a floor back', async () => {
      const { storage, events } = await openRig(open);
      const run = await recordedRun(storage, 8);
      await storage.retention.prune([{ runId: run.id, through: 5 }]);

      const again = await storage.retention.prune([
        { runId: run.id, through: 5 },
        { runId: run.id, through: 2 },
      ]);

      expect(again).toBe(0);
      expect(await events.anchor(run.id)).toEqual({ seq: 5, hash: run.log[4]?.hash });
    });

    test('cuts several logs at once, and no others, and keeps that over a reopen', async () => {
      const { storage, reopen } = await openRig(open);
      const first = await recordedRun(storage, 6);
      const second = await recordedRun(storage, 9);
      const third = await recordedRun(storage, 5);
      const cuts = [
        { runId: second.id, through: 7 },
        { runId: first.id, through: 2 },
      ];

      expect(await storage.retention.prune(cuts)).toBe(9);

      const { events } = await reopen();
      expect(await events.read(first.id, { after: 2, limit: 9 })).toEqual(first.log.slice(2));
      expect(await events.read(second.id, { after: 7, limit: 9 })).toEqual(second.log.slice(7));
      expect(await events.read(third.id, { after: 0, limit: 9 })).toEqual(third.log);
    });

    test('counts what two that cut the same logs have deleted once', async () => {
      const { storage, openBeside } = await openRig(open);
      const beside = await openBeside();
      const ids: RunId[] = [];
      for (let index = 0; index < 5; index += 1) ids.push((await recordedRun(storage, 12)).id);
      const cut = (by: Storage, through: number) =>
        by.retention.prune(ids.map((runId) => ({ runId, through })));

      const rounds = Array.from({ length: 11 }, (_, index) => index + 1);
      const deleted = await Promise.all(
        rounds.flatMap((through) => [cut(storage, through), cut(beside, through)]),
      );
      // What one skipped because the other held it.
      const rest = await cut(storage, 11);

      expect(deleted.reduce((sum, count) => sum + count, rest)).toBe(55);
      for (const id of ids) expect(await beside.events.floor(id)).toBe(11);
    });

    test('lists recorded runs by how long ago they ended, the oldest first', async () => {
      const { storage, clock } = await openRig(open);
      const old = await recordedRun(storage, 4);
      clock.advance(DAY_MS);
      const newer = await recordedRun(storage, 5);
      clock.advance(DAY_MS);
      await recordedRun(storage, 6);
      const list = (endedForMs: number, limit = 10) =>
        storage.retention.listPrunable({ endedForMs, keepEvents: 1, limit });

      expect(await list(2 * DAY_MS + 1)).toEqual([]);
      expect(await list(2 * DAY_MS)).toEqual([{ runId: old.id, floor: 0, lastSeq: 4 }]);
      expect(await list(DAY_MS)).toEqual([
        { runId: old.id, floor: 0, lastSeq: 4 },
        { runId: newer.id, floor: 0, lastSeq: 5 },
      ]);
      expect(await list(0, 1)).toEqual([{ runId: old.id, floor: 0, lastSeq: 4 }]);

      await storage.retention.prune([{ runId: old.id, through: 3 }]);
      await storage.retention.prune([{ runId: newer.id, through: 3 }]);

      expect(await list(DAY_MS)).toEqual([{ runId: newer.id, floor: 3, lastSeq: 5 }]);
    });

    test('lists runs that keep more events than they should, once they have ended for long enough', async () => {
      const { storage, clock } = await openRig(open);
      const long = await recordedRun(storage, 9);
      await recordedRun(storage, 5);
      clock.advance(60_000);
      await recordedRun(storage, 20);
      const list = () =>
        storage.retention.listPrunable({ endedForMs: 60_000, keepEvents: 5, limit: 10 });

      expect(await list()).toEqual([{ runId: long.id, floor: 0, lastSeq: 9 }]);

      await storage.retention.prune([{ runId: long.id, through: 4 }]);

      expect(await list()).toEqual([]);
    });

    test('a tail from below the floor is refused, one from the floor goes to the end', async () => {
      const { storage, clock } = await openRig(open);
      const run = await recordedRun(storage, 6);
      await storage.retention.prune([{ runId: run.id, through: 3 }]);
      const { signal } = new AbortController();
      const deps = { log: storage.news, wakeups: storage.wakeups, clock };
      const tail = async (after: number) => {
        const read: NewsEvent[] = [];
        const request = { runId: run.id, after, idleMs: 1_000, signal };
        for await (const page of tailRun(createFollowRun(deps), request)) read.push(...page);
        return read;
      };

      await expect(tail(2)).rejects.toMatchObject({ code: 'stale_cursor', details: { floor: 3 } });
      expect(await tail(3)).toEqual(run.log.slice(3));
    });

    test('the chain of a cut log is verified from its floor', async () => {
      const { storage } = await openRig(open);
      const cut = await recordedRun(storage, 8);
      await recordedRun(storage, 4);
      await storage.retention.prune([{ runId: cut.id, through: 5 }]);

      const report = await verifyLog(storage, {});

      expect(report).toEqual({ runs: 2, prunedRuns: 1, events: 7, faults: [], isComplete: true });
    });

    test('a reader gets every event or is told that its cursor is stale, never a gap', async () => {
      const rig = await openRig(open);
      const beside = await rig.openBeside();

      const ends = new Set<'whole' | 'stale'>();
      for (let seed = 1; seed <= 12; seed += 1) {
        const run = await recordedRun(rig.storage, 80);
        const read = await followWhilePruned({ run, seed, reader: beside, pruner: rig.storage });

        ends.add(read.staleFloor === undefined ? 'whole' : 'stale');
        expect(read.events).toEqual(run.log.slice(0, read.events.length));
        if (read.staleFloor === undefined) expect(read.events).toHaveLength(80);
        else expect(read.staleFloor).toBeGreaterThan(read.events.length);
      }

      expect(ends).toEqual(new Set(['whole', 'stale']));
    });
  });
}

interface RecordedRun {
  readonly id: RunId;
  /** All its events, before any was deleted. */
  readonly log: readonly Event[];
}

/** An ended run whose records are written and whose log holds exactly `length` events. */
async function recordedRun(
  { runs, events }: Pick<Rig, 'runs' | 'events'>,
  length: number,
): Promise<RecordedRun> {
  const { run, lease } = await claimNewRun(runs);
  const deltas = Array.from({ length: length - 3 }, (_, index) => delta(`${index}`));
  await runs.append(lease, deltas);
  await finishRun(runs, lease);
  await runs.markRecorded([{ runId: run.id, auditedSeq: length, bundled: true }]);
  return { id: run.id, log: await readAll(events, run.id) };
}
