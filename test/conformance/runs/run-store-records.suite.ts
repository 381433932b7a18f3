import { describe, expect, test } from 'vitest';
import type { RunId } from '../../../src/core/ids.ts';
import type { RecordPart } from '../../../src/core/runs/run-store.ts';
import {
  cancelDrafts,
  claimNewRun,
  createRun,
  finishRun,
  type OpenStorage,
  openRig,
} from '../harness.ts';

export function describeRunRecords(engine: string, open: OpenStorage): void {
  describe(`RunStore records on ${engine}`, () => {
    test('lists ended runs until their records are complete, oldest first', async () => {
      const { runs, clock } = await openRig(open);
      const first = await claimNewRun(runs);
      clock.advance(1);
      const second = await createRun(runs);
      clock.advance(1);
      await createRun(runs);
      await finishRun(runs, first.lease);
      clock.advance(1);
      await runs.requestCancel(second.id, cancelDrafts());

      expect(await runs.listUnrecorded(10)).toEqual([
        { run: await runs.find(first.run.id), auditedSeq: 0, bundled: false },
        { run: await runs.find(second.id), auditedSeq: 0, bundled: false },
      ]);
      expect(await runs.listUnrecorded(1)).toHaveLength(1);

      await runs.markRecorded([{ runId: first.run.id, auditedSeq: 3, bundled: true }]);

      expect((await runs.listUnrecorded(10)).map(({ run }) => run.id)).toEqual([second.id]);
    });

    test('keeps a run listed while its audit or its bundle is missing', async () => {
      const { runs } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);
      await finishRun(runs, lease);
      const progress = async () =>
        (await runs.listUnrecorded(10)).map(({ auditedSeq, bundled }) => ({ auditedSeq, bundled }));

      await runs.markRecorded([{ runId: run.id, auditedSeq: 3, bundled: false }]);
      expect(await progress()).toEqual([{ auditedSeq: 3, bundled: false }]);

      await runs.markRecorded([{ runId: run.id, auditedSeq: 3, bundled: true }]);
      expect(await progress()).toEqual([]);
    });

    test('tells runs that lack lines from those that lack only their bundle', async () => {
      const { runs } = await openRig(open);
      const ids: RunId[] = [];
      for (let count = 0; count < 3; count += 1) {
        const { run, lease } = await claimNewRun(runs);
        await finishRun(runs, lease);
        ids.push(run.id);
      }
      const [first, second, third] = ids as [RunId, RunId, RunId];
      const listed = async (lacking: RecordPart) =>
        (await runs.listUnrecorded(10, lacking)).map(({ run }) => run.id);

      await runs.markRecorded([
        { runId: first, auditedSeq: 3, bundled: false },
        { runId: second, auditedSeq: 2, bundled: true },
      ]);

      expect(await listed('lines')).toEqual([second, third]);
      expect(await listed('bundle')).toEqual([first]);
      await runs.markRecorded(ids.map((runId) => ({ runId, auditedSeq: 3, bundled: true })));
      expect([...(await listed('lines')), ...(await listed('bundle'))]).toEqual([]);
    });

    test('lists a run that was bundled before its last events were audited', async () => {
      const { runs } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);
      await runs.markRecorded([{ runId: run.id, auditedSeq: 2, bundled: false }]);
      expect(await runs.listUnrecorded(10)).toEqual([]);

      await finishRun(runs, lease);
      await runs.markRecorded([{ runId: run.id, auditedSeq: 2, bundled: true }]);

      const [listed] = await runs.listUnrecorded(10);
      expect(listed).toMatchObject({ run: { id: run.id }, auditedSeq: 2, bundled: true });
    });

    test('never moves a mark backwards', async () => {
      const { runs } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);
      await finishRun(runs, lease);
      await runs.markRecorded([{ runId: run.id, auditedSeq: 2, bundled: true }]);

      await runs.markRecorded([{ runId: run.id, auditedSeq: 1, bundled: false }]);

      const [listed] = await runs.listUnrecorded(10);
      expect(listed).toMatchObject({ auditedSeq: 2, bundled: true });
    });

    test('keeps marks over a reopen and ignores unknown runs', async () => {
      const { runs, reopen } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);
      await finishRun(runs, lease);
      await runs.markRecorded([{ runId: run.id, auditedSeq: 2, bundled: false }]);
      await runs.markRecorded([{ runId: 'run_unknown' as RunId, auditedSeq: 1, bundled: true }]);

      const reopened = await reopen();

      expect(await reopened.runs.listUnrecorded(10)).toMatchObject([
        { run: { id: run.id }, auditedSeq: 2, bundled: false },
      ]);
    });
  });
}
