import { describe, expect, test } from 'vitest';
import type { WorkerId } from '../../../src/core/ids.ts';
import { workerTopic } from '../../../src/core/workers/worker-store.ts';
import { type OpenStorage, openRig } from '../harness.ts';
import { describeWorkerRequests } from './worker-requests.suite.ts';
import {
  answerTo,
  attach,
  draft,
  HOST,
  LIVE,
  newRequest,
  newWorker,
  OWNER,
  readLog,
  record,
  typesOf,
} from './worker-rig.ts';
import { describeWorkerUpkeep } from './worker-upkeep.suite.ts';

const ODD = 'a\u0000b 🦀 \ud800 "c"';
const GONE = 'codexw_gone' as WorkerId;
const PATIENCE_MS = 10_000;

/** Everything the WorkerStore port promises. */
export function describeWorkerStore(engine: string, open: OpenStorage): void {
  describeAttachments(engine, open);
  describeRecords(engine, open);
  describeWorkerRequests(engine, open);
  describeWorkerUpkeep(engine, open);
}

function describeAttachments(engine: string, open: OpenStorage): void {
  describe(`WorkerStore.attach on ${engine}`, () => {
    test('knows nothing of a worker that was never attached', async () => {
      const { workers } = (await openRig(open)).storage;

      for (const id of [GONE, 'a\u0000b' as WorkerId]) {
        expect(await workers.find(id)).toBeUndefined();
        expect(await workers.findRequest(id, 'r')).toBeUndefined();
        expect(await workers.readEvents(id, { after: 0, limit: 10 })).toEqual([]);
        expect(await workers.findOldestSeq(id)).toBeUndefined();
        const missing = { code: 'not_found' };
        await expect(workers.begin(newRequest(id))).rejects.toMatchObject(missing);
        await expect(workers.record({ id, drafts: [], from: LIVE })).rejects.toMatchObject(missing);
        await expect(
          workers.settle({ workerId: id, requestId: 'r', response: answerTo('r') }),
        ).rejects.toMatchObject(missing);
      }
      expect(await workers.list({ owner: OWNER, limit: 10 })).toEqual([]);
    });

    test('lists those of all owners by id, page by page', async () => {
      const { storage } = await openRig(open);
      const ids = ['codexw_b', 'codexw_a', 'codexw_c'] as WorkerId[];
      for (const [place, id] of ids.entries()) {
        await attach(storage, { id, owner: place === 1 ? 'user:7' : OWNER });
      }
      await record(storage, { id: 'codexw_c' as WorkerId, status: 'stopped' });

      const first = await storage.workers.listAll({ limit: 2 });
      const after = first.at(-1)?.id as WorkerId;
      const rest = await storage.workers.listAll({ limit: 2, after });
      const stopped = await storage.workers.listAll({ limit: 2, status: 'stopped' });

      expect(first.map(({ id, owner }) => [id, owner])).toEqual([
        ['codexw_a', 'user:7'],
        ['codexw_b', OWNER],
      ]);
      expect(rest.map(({ id }) => id)).toEqual(['codexw_c']);
      expect(stopped.map(({ id }) => id)).toEqual(['codexw_c']);
    });

    test('keeps any text over a reopen, with its first event', async () => {
      const { storage, clock, reopen } = await openRig(open);
      const request = newWorker({
        owner: `guest:${ODD}`,
        workspaceRef: ODD,
        codexHomeRef: ODD,
        metadata: { [ODD]: [ODD, 1, null] },
      });

      const result = await storage.workers.attach(request);

      const { host: _, maxLive: __, ...fields } = request;
      const nowMs = clock.nowMs();
      const worker = {
        ...fields,
        status: 'running',
        latestSeq: 1,
        requestCount: 0,
        epoch: 1,
        host: undefined,
        createdAtMs: nowMs,
        startedAtMs: nowMs,
        stoppedAtMs: undefined,
        lastHeartbeatAtMs: nowMs,
        updatedAtMs: nowMs,
      };
      expect(result).toEqual({ outcome: 'created', worker });
      const reopened = await reopen();
      expect(await reopened.workers.find(request.id)).toEqual(worker);
      expect(await readLog(reopened, request.id)).toEqual([
        {
          workerId: request.id,
          seq: 1,
          type: 'worker.started',
          payload: { reason: 'attach', adapter: 'in_memory' },
          atMs: nowMs,
        },
      ]);
    });

    test('leaves a live worker as it is, and another owner out', async () => {
      const { storage, clock } = await openRig(open);
      const first = await attach(storage);
      clock.advance(1_000);
      const again = newWorker({ id: first.id, workspaceRef: 'other' });

      const same = await storage.workers.attach(again);
      const other = await storage.workers.attach({ ...again, owner: 'user:7' });

      expect(same).toEqual({ outcome: 'exists', worker: first });
      expect(other).toEqual({ outcome: 'other_owner' });
      expect(await storage.workers.find(first.id)).toEqual(first);
    });

    test('attaches a stopped worker again, in its log and with what is new', async () => {
      const { storage, clock } = await openRig(open);
      const first = await attach(storage);
      await record(storage, { id: first.id, status: 'stopped', drafts: [draft('worker.stopped')] });
      clock.advance(1_000);

      const again = await storage.workers.attach(newWorker({ id: first.id, workspaceRef: 'w' }));

      const nowMs = clock.nowMs();
      const times = { startedAtMs: nowMs, lastHeartbeatAtMs: nowMs, updatedAtMs: nowMs };
      const worker = { ...first, ...times, workspaceRef: 'w', latestSeq: 3, epoch: 2 };
      expect(again).toEqual({ outcome: 'reattached', worker });
      const log = await readLog(storage, first.id);
      expect(typesOf(log)).toEqual(['1 worker.started', '2 worker.stopped', '3 worker.started']);
      expect(log[2]?.payload).toEqual({ reason: 'reattach', adapter: 'in_memory' });
    });

    test('creates one worker among many who attach it at the same moment', async () => {
      const { storage, openBeside } = await openRig(open);
      const beside = await openBeside();
      const request = newWorker();

      const results = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          (index % 2 === 0 ? storage : beside).workers.attach(request),
        ),
      );

      const outcomes = results.map(({ outcome }) => outcome).sort();
      expect(outcomes).toEqual(['created', ...Array(7).fill('exists')]);
      expect(typesOf(await readLog(storage, request.id))).toEqual(['1 worker.started']);
    });

    test('attaches no more of one owner than it may, however many come at once', async () => {
      const { storage } = await openRig(open);
      const attachAs = (owner: string) => storage.workers.attach(newWorker({ owner, maxLive: 3 }));

      const results = await Promise.all(Array.from({ length: 6 }, () => attachAs(OWNER)));
      const elsewhere = await attachAs('user:7');
      const created = results.filter(({ outcome }) => outcome === 'created');
      const [first] = created;
      if (!first || !('worker' in first)) throw new Error('expected a worker');
      await record(storage, { id: first.worker.id, status: 'stopped' });
      const freed = await attachAs(OWNER);

      expect(created).toHaveLength(3);
      expect(results.filter(({ outcome }) => outcome === 'full')).toHaveLength(3);
      expect([elsewhere.outcome, freed.outcome]).toEqual(['created', 'created']);
    });

    test("lists an owner's workers, the latest changed first, as filtered", async () => {
      const { storage, clock } = await openRig(open);
      const first = await attach(storage, { workspaceRef: ODD });
      const second = await attach(storage);
      await attach(storage, { owner: 'user:7' });
      clock.advance(1_000);
      const stopped = await record(storage, { id: first.id, status: 'stopped' });
      const list = (filter: object, limit = 10) =>
        storage.workers.list({ owner: OWNER, limit, ...filter });

      expect(await list({})).toEqual([stopped, second]);
      expect(await list({}, 1)).toEqual([stopped]);
      expect(await list({ status: 'running' })).toEqual([second]);
      expect(await list({ workspaceRef: ODD })).toEqual([stopped]);
      expect(await list({ workspaceRef: ODD, status: 'running' })).toEqual([]);
    });
  });
}

function describeRecords(engine: string, open: OpenStorage): void {
  describe(`WorkerStore.record on ${engine}`, () => {
    test('numbers events without gaps among many who append at the same moment', async () => {
      const { storage, openBeside } = await openRig(open);
      const beside = await openBeside();
      const { id } = await attach(storage);

      await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 === 0 ? storage : beside).workers.record({
            id,
            drafts: [draft('worker.event', { index }), draft('worker.event', { index })],
            from: LIVE,
          }),
        ),
      );

      const log = await readLog(storage, id);
      expect(log.map(({ seq }) => seq)).toEqual(Array.from({ length: 41 }, (_, at) => at + 1));
      const pairs = log.slice(1).map(({ payload }) => payload['index']);
      for (let at = 0; at < pairs.length; at += 2) expect(pairs[at]).toBe(pairs[at + 1]);
      expect((await storage.workers.find(id))?.latestSeq).toBe(41);
    });

    test('reads pages after a cursor', async () => {
      const { storage } = await openRig(open);
      const { id } = await attach(storage);
      const drafts = ['a', 'b', 'c'].map((text) => draft('worker.event', { text: text + ODD }));
      await record(storage, { id, drafts });

      const read = (after: number, limit: number) =>
        storage.workers.readEvents(id, { after, limit });

      expect((await read(1, 2)).map(({ payload }) => payload)).toEqual([
        { text: `a${ODD}` },
        { text: `b${ODD}` },
      ]);
      expect((await read(3, 10)).map(({ seq }) => seq)).toEqual([4]);
      expect(await read(4, 10)).toEqual([]);
      expect(await read(100, 10)).toEqual([]);
      expect(await storage.workers.findOldestSeq(id)).toBe(1);
    });

    test('refuses another attachment and another status, and writes nothing then', async () => {
      const { storage } = await openRig(open);
      const worker = await attach(storage);
      const { id } = worker;

      const early = await storage.workers.record({
        id,
        epoch: 2,
        drafts: [draft('worker.event')],
        from: LIVE,
      });
      const stopped = await record(storage, { id, status: 'stopped' });
      const late = await storage.workers.record({
        id,
        drafts: [draft('worker.event')],
        from: ['running'],
      });

      expect(early).toEqual({ outcome: 'refused', worker });
      expect(late).toEqual({ outcome: 'refused', worker: stopped });
      expect(await readLog(storage, id)).toHaveLength(1);
    });

    test('takes a hosted worker from starting to running to failed, and its host away', async () => {
      const { storage, clock } = await openRig(open);
      const starting = await attach(storage, { adapter: 'process', command: 'x', host: HOST });
      const nowMs = clock.nowMs();
      const expiresAtMs = nowMs + HOST.leaseMs;
      const started = draft('worker.started', { reason: 'attach' });

      const running = await record(storage, {
        id: starting.id,
        epoch: 1,
        status: 'running',
        processMark: 'boot:1:2',
        drafts: [started],
      });
      const failed = await record(storage, { id: starting.id, status: 'failed' });

      const host = { id: HOST.id, expiresAtMs, processMark: undefined };
      expect(starting).toMatchObject({ status: 'starting', latestSeq: 0, host });
      expect(starting.startedAtMs).toBeUndefined();
      expect(running).toMatchObject({
        status: 'running',
        latestSeq: 1,
        startedAtMs: nowMs,
        host: { ...host, processMark: 'boot:1:2' },
      });
      expect(failed).toMatchObject({ status: 'failed', stoppedAtMs: nowMs });
      expect(failed.host).toBeUndefined();
    });

    test(
      'wakes a reader, also of another process',
      async () => {
        const { storage, openBeside } = await openRig(open, { isNew: true });
        const { id } = await attach(storage);
        const beside = await openBeside();
        const subscription = beside.wakeups.subscribe(workerTopic(id));

        const woken = subscription.next({});
        await storage.workers.record({ id, drafts: [draft('worker.event')], from: LIVE });

        expect(await woken).toBe(true);
        subscription.close();
      },
      PATIENCE_MS * 2,
    );
  });
}
