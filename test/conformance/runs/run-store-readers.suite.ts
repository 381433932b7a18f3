import { describe, expect, test } from 'vitest';
import type { RunId } from '../../../src/core/ids.ts';
import {
  COMPLETED,
  cancelDrafts,
  claimNewRun,
  createRun,
  draft,
  finishRun,
  type OpenStorage,
  openRig,
  readAll,
} from '../harness.ts';
import { frameDraft, listFrames, newFrame } from '../sessions/thread-rig.ts';

/** What the RunStore port promises of frames that are there to steer a run on its way. */
export function describeReaders(engine: string, open: OpenStorage): void {
  describe(`Frames that need a reader on ${engine}`, () => {
    test('are taken by any run on its way, which is then among those written to', async () => {
      const { runs, events } = await openRig(open);
      const [queued, other] = [await createRun(runs), await createRun(runs)];
      const frame = newFrame(queued.id, 'frm_1', { needsReader: true });

      const result = await runs.acceptFrame(frame, frameDraft('frm_1'));

      expect(result).toEqual({ outcome: 'accepted', seq: 2 });
      expect((await runs.find(queued.id))?.status).toBe('queued');
      expect(await listFrames(events, queued.id)).toEqual(['2 frm_1']);
      const ids = [queued.id, other.id, 'run_unknown' as RunId];
      expect(await runs.listWrittenTo(ids)).toEqual([queued.id]);
      expect(await runs.listWrittenTo([])).toEqual([]);
    });

    test('keep a run from ending before it has read them', async () => {
      const { runs } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);
      await runs.acceptFrame(newFrame(run.id, 'frm_1', { needsReader: true }), frameDraft('frm_1'));
      const end = { ...COMPLETED, unlessFrameAfter: 0 };

      const refused = await runs.finish(lease, [draft('run.completed')], end);
      const read = { ...end, unlessFrameAfter: 3 };
      const ended = await runs.finish(lease, [draft('run.completed')], read);

      expect(refused).toEqual({ outcome: 'has_frames' });
      expect(ended).toEqual({ outcome: 'appended', lastSeq: 4 });
    });

    test.each(['completed', 'cancelling'] as const)('are not kept when %s', async (status) => {
      const { runs, events } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);
      if (status === 'completed') await finishRun(runs, lease);
      else await runs.requestCancel(run.id, cancelDrafts());
      const before = await readAll(events, run.id);
      const frame = newFrame(run.id, 'frm_1', { needsReader: true });

      expect(await runs.acceptFrame(frame, frameDraft('frm_1'))).toEqual({
        outcome: 'closed',
        status,
      });

      expect(await readAll(events, run.id)).toEqual(before);
      expect(await runs.listWrittenTo([run.id])).toEqual([]);
    });
  });
}
