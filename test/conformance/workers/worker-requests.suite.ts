import { describe, expect, test } from 'vitest';
import { unknownOutcome } from '../../../src/core/workers/json-rpc.ts';
import { type OpenStorage, openRig } from '../harness.ts';
import {
  answerTo,
  attach,
  attachHosted,
  draft,
  newRequest,
  readLog,
  record,
  typesOf,
} from './worker-rig.ts';

const ODD = 'a\u0000b 🦀 \ud800 "c"';

export function describeWorkerRequests(engine: string, open: OpenStorage): void {
  describe(`WorkerStore.begin and settle on ${engine}`, () => {
    test('stores a request before and after its answer, over a reopen', async () => {
      const { storage, reopen } = await openRig(open);
      const { id } = await attach(storage);
      const request = newRequest(id, { requestId: ODD });

      const begun = await storage.workers.begin(request);
      const waiting = await storage.workers.findRequest(id, ODD);
      const response = { ...answerTo(ODD), result: { text: ODD } };
      const settled = await storage.workers.settle({ workerId: id, requestId: ODD, response });

      const stored = { workerId: id, requestId: ODD, digest: 'digest', response: undefined };
      expect(begun).toMatchObject({ outcome: 'begun', worker: { requestCount: 1, latestSeq: 2 } });
      expect(waiting).toEqual(stored);
      expect(settled).toEqual({ ...stored, response });
      const reopened = await reopen();
      expect(await reopened.workers.findRequest(id, ODD)).toEqual({ ...stored, response });
      const log = await readLog(reopened, id);
      expect(typesOf(log)).toEqual([
        '1 worker.started',
        '2 worker.request.received',
        '3 worker.response',
      ]);
      expect(log[2]?.payload).toEqual({ request_id: ODD, response });
    });

    test('begins a request once among many who ask the same at the same moment', async () => {
      const { storage, openBeside } = await openRig(open);
      const beside = await openBeside();
      const { id } = await attach(storage);
      const request = newRequest(id);

      const results = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          (index % 2 === 0 ? storage : beside).workers.begin(request),
        ),
      );
      const other = await storage.workers.begin({ ...request, digest: 'other' });

      const outcomes = results.map(({ outcome }) => outcome).sort();
      expect(outcomes).toEqual(['begun', ...Array(7).fill('known')]);
      expect(other).toEqual({ outcome: 'mismatch' });
      expect(await readLog(storage, id)).toHaveLength(2);
    });

    test('keeps the first answer', async () => {
      const { storage } = await openRig(open);
      const { id } = await attach(storage);
      const request = newRequest(id);
      await storage.workers.begin(request);
      const { requestId } = request;
      const first = { workerId: id, requestId, response: answerTo(requestId) };

      const settled = await storage.workers.settle(first);
      const again = await storage.workers.settle({
        ...first,
        response: unknownOutcome(requestId, 'late'),
      });
      const known = await storage.workers.begin(request);

      expect(again).toEqual(settled);
      expect(known).toEqual({ outcome: 'known', request: settled });
      expect(await readLog(storage, id)).toHaveLength(3);
    });

    test('refuses to settle what was never begun', async () => {
      const { storage } = await openRig(open);
      const { id } = await attach(storage);

      const settling = storage.workers.settle({
        workerId: id,
        requestId: 'r',
        response: answerTo('r'),
      });

      await expect(settling).rejects.toMatchObject({ code: 'not_found' });
      expect(await readLog(storage, id)).toHaveLength(1);
    });

    test('leaves no more requests open than may wait, and knows the old ones all the same', async () => {
      const { storage } = await openRig(open);
      const { id } = await attach(storage);
      const first = newRequest(id, { maxPending: 2 });
      await storage.workers.begin(first);
      await storage.workers.begin(newRequest(id, { maxPending: 2 }));

      const full = await storage.workers.begin(newRequest(id, { maxPending: 2 }));
      const known = await storage.workers.begin(first);
      const { requestId } = first;
      await storage.workers.settle({ workerId: id, requestId, response: answerTo(requestId) });
      const freed = await storage.workers.begin(newRequest(id, { maxPending: 2 }));

      expect(full).toEqual({ outcome: 'overloaded' });
      expect([known.outcome, freed.outcome]).toEqual(['known', 'begun']);
    });

    test('answers open requests as of unknown outcome when the worker ends, and takes no more', async () => {
      const { storage } = await openRig(open);
      const { id } = await attachHosted(storage);
      const first = newRequest(id, { requestId: 'r1' });
      await storage.workers.begin(first);
      await storage.workers.begin(newRequest(id, { requestId: 'r2' }));

      const ended = await record(storage, {
        id,
        status: 'failed',
        drafts: [draft('worker.failed', { reason: 'host_lost' })],
      });
      const known = await storage.workers.begin(first);
      const refused = await storage.workers.begin(newRequest(id));

      const response = unknownOutcome('r1', 'the worker ended before it answered');
      expect(known).toMatchObject({ outcome: 'known', request: { response } });
      expect(refused).toEqual({ outcome: 'not_running', worker: ended });
      const log = await readLog(storage, id);
      expect(typesOf(log).slice(2)).toEqual([
        '3 worker.error',
        '4 worker.error',
        '5 worker.failed',
      ]);
      expect(log[2]?.payload).toEqual({ request_id: 'r1', response });
    });
  });
}
