import { describe, expect, test } from 'vitest';
import { verifyChain } from '../../../src/core/events/hash-chain.ts';
import type { RunId } from '../../../src/core/ids.ts';
import { intend, intended, newRequestId, send, settle } from '../effects/effect-rig.ts';
import {
  cancelDrafts,
  claimRequest,
  createRun,
  delta,
  draft,
  finishRun,
  type OpenStorage,
  openRig,
  readAll,
  typesOf,
} from '../harness.ts';
import { claimThreadRun, restThreadRun, sendFrame } from '../sessions/thread-rig.ts';

const noted = () => draft('tool.call', { tool: 'github.get_issue' });

export function describeNotes(engine: string, open: OpenStorage): void {
  describe(`RunStore.note on ${engine}`, () => {
    test('adds events to a run that somebody else holds', async () => {
      const { runs, events } = await openRig(open);
      const { run, lease } = await claimThreadRun(runs);

      const result = await runs.note(run.id, [noted(), draft('tool.result')]);

      expect(result).toEqual({ outcome: 'appended', lastSeq: 5 });
      expect(await runs.append(lease, [delta('on')])).toEqual({ outcome: 'appended', lastSeq: 6 });
      const log = await readAll(events, run.id);
      expect(typesOf(log).slice(3)).toEqual(['tool.call', 'tool.result', 'model.delta']);
      expect(verifyChain(log)).toEqual({ ok: true, last: { seq: 6, hash: log[5]?.hash } });
    });

    test('leaves a run at rest, and one in the queue where it is', async () => {
      const { runs } = await openRig(open);
      const resting = await restThreadRun(runs);
      const queued = await createRun(runs);

      await runs.note(resting.id, [noted()]);
      await runs.note(queued.id, [noted()]);

      expect((await runs.find(resting.id))?.status).toBe('waiting');
      expect((await runs.find(queued.id))?.status).toBe('queued');
      expect((await runs.claim(claimRequest()))?.run.id).toBe(queued.id);
      await sendFrame(runs, resting.id, 'frm_2');
      expect((await runs.claim(claimRequest()))?.run.id).toBe(resting.id);
    });

    test('keeps effects in the ledger, step by step', async () => {
      const { storage, runs, clock } = await openRig(open);
      const run = await restThreadRun(runs);
      const id = newRequestId();
      await runs.note(run.id, [noted()], [intend(id), send(id)]);
      const sent = await storage.effects.find(id);

      const result = await runs.note(run.id, [draft('tool.result')], [settle(id)]);

      const effect = intended(id, { run }, clock.nowMs());
      expect(sent).toEqual({ ...effect, status: 'sent' });
      expect(result).toEqual({ outcome: 'appended', lastSeq: 5 });
      expect(await storage.effects.find(id)).toEqual({ ...effect, status: 'confirmed' });
    });

    test('refuses a step that does not fit, and writes nothing', async () => {
      const { storage, runs, events } = await openRig(open);
      const run = await restThreadRun(runs);
      const id = newRequestId();

      const result = runs.note(run.id, [noted()], [settle(id)]);

      await expect(result).rejects.toMatchObject({ code: 'internal' });
      expect(await readAll(events, run.id)).toHaveLength(3);
      expect(await storage.effects.find(id)).toBeUndefined();
    });

    test('settles what it left open when the run ends', async () => {
      const { storage, runs } = await openRig(open);
      const { run, lease } = await claimThreadRun(runs);
      const [meant, sent] = [newRequestId(), newRequestId()];
      await runs.note(run.id, [noted()], [intend(meant), intend(sent), send(sent)]);

      await finishRun(runs, lease);

      expect((await storage.effects.find(meant))?.status).toBe('failed');
      expect((await storage.effects.find(sent))?.status).toBe('unknown');
    });

    test('settles what it left open when the run is cancelled at rest', async () => {
      const { storage, runs } = await openRig(open);
      const run = await restThreadRun(runs);
      const id = newRequestId();
      await runs.note(run.id, [noted()], [intend(id), send(id)]);

      await runs.requestCancel(run.id, cancelDrafts());

      expect((await storage.effects.find(id))?.status).toBe('unknown');
    });

    test('refuses a run that has ended', async () => {
      const { storage, runs, events } = await openRig(open);
      const { run, lease } = await claimThreadRun(runs);
      await finishRun(runs, lease);
      const id = newRequestId();

      const result = await runs.note(run.id, [noted()], [intend(id)]);

      expect(result).toEqual({ outcome: 'refused', reason: 'terminal' });
      expect(await readAll(events, run.id)).toHaveLength(4);
      expect(await storage.effects.find(id)).toBeUndefined();
    });

    test('knows no run that does not exist', async () => {
      const { runs } = await openRig(open);

      const result = runs.note('run_unknown' as RunId, [noted()]);

      await expect(result).rejects.toMatchObject({ code: 'not_found' });
    });
  });
}
