import { describe, expect, test } from 'vitest';
import { CHAIN_START } from '../../src/core/events/hash-chain.ts';
import type { RunId } from '../../src/core/ids.ts';
import type { RestoredRun } from '../../src/core/records/record-store.ts';
import { verifyLog } from '../../src/core/records/verify-log.ts';
import {
  claimNewRun,
  createRun,
  delta,
  draft,
  finishRun,
  MANY,
  newRun,
  type OpenStorage,
  openRig,
} from './harness.ts';

const END = {
  status: 'failed',
  stopReason: 'failed',
  output: '',
  error: { code: 'outcome_unknown', message: 'lost' },
  totals: { turns: 0, toolCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: null },
} as const;

export function describeRecordStore(engine: string, open: OpenStorage): void {
  describe(`RecordStore on ${engine}`, () => {
    test('lists the heads of all runs by id, page by page', async () => {
      const { storage, runs } = await openRig(open);
      const ids = [(await createRun(runs)).id, (await createRun(runs)).id];
      const ended = await claimNewRun(runs);
      await finishRun(runs, ended.lease);
      ids.push(ended.run.id);
      const newestFirst = ids.toSorted().toReversed();

      const page = await storage.records.listHeads({ limit: 2 });
      const before = page.at(-1)?.runId;
      const rest = await storage.records.listHeads({ limit: 2, ...(before && { before }) });
      const head = await storage.records.findHead(ended.run.id);

      expect([...page, ...rest].map(({ runId }) => runId)).toEqual(newestFirst);
      expect(head).toMatchObject({ hasEnded: true, lastSeq: 3, isRecorded: false });
      expect(head?.end).toEqual(head?.last);
    });

    test('puts a lost run back as it was, with its key', async () => {
      const { storage, runs, openBeside } = await openRig(open);
      const other = await open({ nowMs: () => Date.now() });
      const idempotency = { key: 'k', digest: 'd' };
      const options = { maxQueued: MANY, idempotency };
      const lost = await createRun(other.storage.runs, { message: 'hello' }, options);
      const events = await other.storage.events.read(lost.id, { after: 0, limit: 10 });
      await other.close();
      const restored: RestoredRun = {
        runId: lost.id,
        agentId: lost.agentId,
        after: CHAIN_START,
        events,
        closing: draft('run.failed', { output: '' }),
        end: END,
        origin: {
          owner: 'user:7',
          source: lost.source,
          message: lost.message,
          sessionId: undefined,
          projectId: 'proj_001',
          thread: undefined,
          forkedFrom: { runId: 'run_first' as RunId, seq: 4 },
          createdAtMs: lost.createdAtMs,
          startedAtMs: undefined,
          idempotency,
        },
      };

      await storage.records.restore(restored);

      const found = await (await openBeside()).runs.find(lost.id);
      expect(found).toMatchObject({
        status: 'failed',
        message: 'hello',
        lastSeq: 2,
        owner: 'user:7',
        forkedFrom: { runId: 'run_first', seq: 4 },
      });
      const kept = await storage.events.read(lost.id, { after: 0, limit: 10 });
      expect(kept.slice(0, 1)).toEqual(events);
      expect(await verifyLog(storage, {})).toMatchObject({ runs: 1, faults: [] });
      const again = await runs.create(newRun(), [draft('run.created')], options);
      expect(again).toMatchObject({ outcome: 'replayed', run: { id: lost.id } });
      await expect(storage.records.restore(restored)).rejects.toMatchObject({ code: 'conflict' });
    });

    test('ends an open run that has lost its later events', async () => {
      const { storage, runs } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);
      const {
        runId,
        agentId,
        last: after,
      } = (await storage.records.findHead(run.id)) ?? {
        runId: run.id,
        agentId: run.agentId,
        last: CHAIN_START,
      };

      const closing = draft('run.failed', { output: '' });
      await storage.records.restore({
        ...{ runId, agentId, after, closing },
        events: [],
        end: END,
        origin: undefined,
      });

      expect(await runs.append(lease, [delta('late')])).toMatchObject({ reason: 'terminal' });
      expect(await verifyLog(storage, {})).toMatchObject({ runs: 1, faults: [] });
    });
  });
}
