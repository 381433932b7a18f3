import { describe, expect, test } from 'vitest';
import type { WorkerId } from '../../../src/core/ids.ts';
import { type OpenStorage, openRig } from '../harness.ts';
import {
  answerTo,
  attach,
  attachHosted,
  draft,
  HOST,
  newRequest,
  OWNER,
  readLog,
  record,
} from './worker-rig.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const LOST = { host: 'lease_host_b', isAlone: false, maxRequestMs: 60_000, limit: 10 };
const LIMITS = { maxEvents: 1_000, maxAgeMs: DAY_MS, forgetAfterMs: 10 * DAY_MS, limit: 1_000 };

const checkpointOf = (id: WorkerId) => ({
  projection: 'codex_worker_summary' as const,
  id,
  seq: 1,
  version: 'v1',
  summaryHash: 'hash',
  projectedAtMs: 1,
  isOpen: true,
  state: {},
});

export function describeWorkerUpkeep(engine: string, open: OpenStorage): void {
  describeHosts(engine, open);
  describePruning(engine, open);
}

function describeHosts(engine: string, open: OpenStorage): void {
  describe(`Hosts of workers on ${engine}`, () => {
    test('are kept by renewing, which counts as a heartbeat and changes nothing else', async () => {
      const { storage, clock } = await openRig(open);
      const worker = await attachHosted(storage);
      const { id, epoch } = worker;
      clock.advance(20_000);

      const kept = await storage.workers.renew({ host: HOST, workers: [{ id, epoch }] });

      const nowMs = clock.nowMs();
      const host = { id: HOST.id, processMark: 'boot:1:2', expiresAtMs: nowMs + HOST.leaseMs };
      expect(kept).toEqual([id]);
      expect(await storage.workers.find(id)).toEqual({ ...worker, host, lastHeartbeatAtMs: nowMs });
    });

    test('lose a worker that another has ended or attached anew', async () => {
      const { storage } = await openRig(open);
      const ended = await attachHosted(storage);
      const anew = await attachHosted(storage);
      await record(storage, { id: ended.id, status: 'stopped' });

      const kept = await storage.workers.renew({
        host: HOST,
        workers: [
          { id: ended.id, epoch: 1 },
          { id: anew.id, epoch: 2 },
        ],
      });
      const other = await storage.workers.renew({
        host: { ...HOST, id: 'lease_other' },
        workers: [{ id: anew.id, epoch: 1 }],
      });
      const none = await storage.workers.renew({ host: HOST, workers: [] });

      expect([kept, other, none]).toEqual([[], [], []]);
    });

    test('are lost when their lease has run out, at once to who is alone', async () => {
      const { storage, clock } = await openRig(open);
      const worker = await attachHosted(storage);
      await attach(storage);
      const listLost = async (filter: Partial<typeof LOST>) =>
        (await storage.workers.listLost({ ...LOST, ...filter })).workers;

      const early = await listLost({});
      const alone = await listLost({ isAlone: true });
      const own = await listLost({ isAlone: true, host: HOST.id });
      clock.advance(HOST.leaseMs);
      const late = await listLost({});

      expect([early, alone, own, late]).toEqual([[], [worker], [], [worker]]);
    });

    test('leave requests that are lost after a while, at once to who is alone', async () => {
      const { storage, clock } = await openRig(open);
      const { id } = await attach(storage);
      await storage.workers.begin(newRequest(id, { requestId: 'answered' }));
      await storage.workers.settle({
        workerId: id,
        requestId: 'answered',
        response: answerTo('answered'),
      });
      await storage.workers.begin(newRequest(id, { requestId: 'open' }));
      const listLost = async (filter: Partial<typeof LOST>) =>
        (await storage.workers.listLost({ ...LOST, ...filter })).requests;

      const early = await listLost({});
      const alone = await listLost({ isAlone: true });
      clock.advance(60_000);
      const own = await listLost({ host: HOST.id });

      const lost = [{ workerId: id, requestId: 'open' }];
      expect([early, alone, own]).toEqual([[], lost, lost]);
    });
  });
}

function describePruning(engine: string, open: OpenStorage): void {
  describe(`WorkerStore.prune on ${engine}`, () => {
    test('keeps the newest events of each worker', async () => {
      const { storage } = await openRig(open);
      const long = await attach(storage);
      const short = await attach(storage);
      const drafts = Array.from({ length: 9 }, (_, index) => draft('worker.event', { index }));
      await record(storage, { id: long.id, drafts });

      const removed = await storage.workers.prune({ ...LIMITS, maxEvents: 4 });
      const again = await storage.workers.prune({ ...LIMITS, maxEvents: 4 });

      expect([removed, again]).toEqual([6, 0]);
      expect((await readLog(storage, long.id)).map(({ seq }) => seq)).toEqual([7, 8, 9, 10]);
      expect(await storage.workers.findOldestSeq(long.id)).toBe(7);
      expect(await readLog(storage, short.id)).toHaveLength(1);
    });

    test('removes a bounded number at a time, the oldest first', async () => {
      const { storage } = await openRig(open);
      const { id } = await attach(storage);
      const drafts = Array.from({ length: 9 }, (_, index) => draft('worker.event', { index }));
      await record(storage, { id, drafts });

      const removed = await storage.workers.prune({ ...LIMITS, maxEvents: 1, limit: 5 });

      expect(removed).toBe(5);
      expect(await storage.workers.findOldestSeq(id)).toBe(6);
    });

    test('leaves of a worker that ended long ago its newest event, and goes on counting', async () => {
      const { storage, clock } = await openRig(open);
      const live = await attach(storage);
      const ended = await attach(storage);
      const stopped = {
        id: ended.id,
        status: 'stopped',
        drafts: [draft('worker.stopped')],
      } as const;
      await record(storage, stopped);
      clock.advance(DAY_MS);
      const onTheDay = await storage.workers.prune(LIMITS);
      clock.advance(1);

      const after = await storage.workers.prune(LIMITS);

      expect([onTheDay, after]).toEqual([0, 1]);
      expect(await readLog(storage, live.id)).toHaveLength(1);
      expect((await readLog(storage, ended.id)).map(({ seq }) => seq)).toEqual([2]);
      const again = await attach(storage, { id: ended.id });
      expect(again.latestSeq).toBe(3);
    });

    test('forgets a worker that ended very long ago, and begins anew with its name', async () => {
      const { storage, clock } = await openRig(open);
      const { workers, projections } = storage;
      const live = await attach(storage);
      const stopped = await attach(storage);
      const failed = await attach(storage);
      const kept = await attach(storage, { id: `${stopped.id}.kept` as WorkerId });
      const request = { workerId: stopped.id, requestId: 'r' };
      await workers.begin(newRequest(stopped.id, { requestId: 'r' }));
      for (const id of [stopped.id, kept.id]) await projections.put(checkpointOf(id), 0);
      await record(storage, { id: stopped.id, status: 'stopped' });
      await record(storage, { id: failed.id, status: 'failed', drafts: [draft('worker.failed')] });
      clock.advance(LIMITS.forgetAfterMs);
      await record(storage, { id: kept.id, status: 'stopped' });
      await workers.prune(LIMITS);
      const onTheDay = await workers.find(stopped.id);
      clock.advance(1);

      const removed = await workers.prune(LIMITS);
      const again = await workers.prune(LIMITS);

      expect(onTheDay).toBeDefined();
      expect([removed, again]).toEqual([2, 0]);
      expect(await workers.find(stopped.id)).toBeUndefined();
      expect(await workers.find(failed.id)).toBeUndefined();
      expect(await workers.findRequest(request.workerId, request.requestId)).toBeUndefined();
      const checkpoints = await projections.findMany('codex_worker_summary', [stopped.id, kept.id]);
      expect(checkpoints.map(({ id }) => id)).toEqual([kept.id]);
      const names = (await workers.list({ owner: OWNER, limit: 10 })).map(({ id }) => id);
      expect(names.sort()).toEqual([live.id, kept.id].sort());
      expect(await attach(storage, { id: stopped.id })).toMatchObject({ epoch: 1, latestSeq: 1 });
      expect(await readLog(storage, stopped.id)).toHaveLength(1);
    });

    test('forgets old answers, and open requests never', async () => {
      const { storage, clock } = await openRig(open);
      const { id } = await attach(storage);
      for (const requestId of ['answered', 'open']) {
        await storage.workers.begin(newRequest(id, { requestId }));
      }
      const response = answerTo('answered');
      await storage.workers.settle({ workerId: id, requestId: 'answered', response });
      clock.advance(DAY_MS + 1);

      const removed = await storage.workers.prune(LIMITS);

      expect(removed).toBe(1);
      expect(await storage.workers.findRequest(id, 'answered')).toBeUndefined();
      expect(await storage.workers.findRequest(id, 'open')).toBeDefined();
    });
  });
}
