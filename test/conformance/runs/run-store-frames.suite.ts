import { describe, expect, test } from 'vitest';
import { verifyChain } from '../../../src/core/events/hash-chain.ts';
import type { RunId } from '../../../src/core/ids.ts';
import { asked, newApproval } from '../effects/approval-rig.ts';
import {
  claimRequest,
  createRun,
  delta,
  finishRun,
  LEASE_MS,
  type OpenStorage,
  openRig,
  readAll,
  typesOf,
} from '../harness.ts';
import { newSession, saying, transcript } from '../sessions/session-rig.ts';
import {
  claimThreadRun,
  createThreadRun,
  frameDraft,
  listFrames,
  newFrame,
  rest,
  sendFrame,
} from '../sessions/thread-rig.ts';
import { describeReaders } from './run-store-readers.suite.ts';
import { describeThreadRuns } from './run-store-threads.suite.ts';

const TWINS = 64;
/** Short of the slow poll, which would wake everybody. */
const PATIENCE_MS = 4_000;

/** What the RunStore port promises of runs that take frames. */
export function describeFrames(engine: string, open: OpenStorage): void {
  describeThreadRuns(engine, open);
  describeAcceptance(engine, open);
  describeSilence(engine, open);
  describeReaders(engine, open);
  describeIdempotency(engine, open);
  describeOrder(engine, open);
  describeFrameReads(engine, open);
}

function describeAcceptance(engine: string, open: OpenStorage): void {
  describe(`RunStore.acceptFrame on ${engine}`, () => {
    test('records a frame and calls the run that rests for it', async () => {
      const { runs, events, clock } = await openRig(open);
      const run = await createThreadRun(runs);
      clock.advance(1_000);

      const result = await sendFrame(runs, run.id, 'frm_1');

      expect(result).toEqual({ outcome: 'accepted', seq: 2 });
      expect(await runs.find(run.id)).toEqual({
        ...run,
        status: 'queued',
        lastSeq: 2,
        updatedAtMs: clock.nowMs(),
      });
      expect(typesOf(await readAll(events, run.id))).toEqual(['run.created', 'frame.accepted']);
      expect(await runs.countByStatus()).toMatchObject({ queued: 1, waiting: 0 });
      expect((await runs.claim(claimRequest()))?.run.id).toBe(run.id);
    });

    test('wakes the runners and the readers of the run', async () => {
      const { storage, runs, clock } = await openRig(open, { isNew: true });
      const run = await createThreadRun(runs);
      const queue = storage.wakeups.subscribe('queue');
      const reader = storage.wakeups.subscribe(`run:${run.id}`);
      const deadlineMs = clock.nowMs() + PATIENCE_MS;
      const woken = [queue.next({ deadlineMs }), reader.next({ deadlineMs })];

      await sendFrame(runs, run.id, 'frm_1');

      expect(await Promise.all(woken)).toEqual([true, true]);
      queue.close();
      reader.close();
    });

    test('adds to the log of a run that somebody holds, and leaves it to him', async () => {
      const { runs, events } = await openRig(open);
      const { run, lease } = await claimThreadRun(runs);

      const result = await sendFrame(runs, run.id, 'frm_2');

      expect(result).toEqual({ outcome: 'accepted', seq: 4 });
      expect((await runs.find(run.id))?.status).toBe('running');
      expect(await runs.append(lease, [delta('on')])).toEqual({ outcome: 'appended', lastSeq: 5 });
      expect(await listFrames(events, run.id)).toEqual(['2 frm_1', '4 frm_2']);
      const log = await readAll(events, run.id);
      expect(verifyChain(log)).toEqual({ ok: true, last: { seq: 5, hash: log[4]?.hash } });
    });

    test('adds to the log of a queued run', async () => {
      const { runs, events } = await openRig(open);
      const run = await createThreadRun(runs);
      await sendFrame(runs, run.id, 'frm_1');

      await sendFrame(runs, run.id, 'frm_2');

      expect((await runs.find(run.id))?.status).toBe('queued');
      expect(await listFrames(events, run.id)).toEqual(['2 frm_1', '3 frm_2']);
    });

    test('leaves a run waiting that waits for an answer', async () => {
      const { runs, events } = await openRig(open);
      const { run, lease } = await claimThreadRun(runs);
      await runs.park(lease, [asked()], newApproval());

      const result = await sendFrame(runs, run.id, 'frm_2');

      expect(result).toEqual({ outcome: 'accepted', seq: 5 });
      expect((await runs.find(run.id))?.status).toBe('waiting');
      expect(await listFrames(events, run.id)).toEqual(['2 frm_1', '5 frm_2']);
      expect(await runs.claim(claimRequest())).toBeUndefined();
    });

    test('keeps a frame that comes after the end without an event', async () => {
      const { runs, events, reopen } = await openRig(open);
      const { run, lease } = await claimThreadRun(runs);
      await finishRun(runs, lease);
      const ended = await runs.find(run.id);

      const result = await sendFrame(runs, run.id, 'frm_late');

      expect(result).toEqual({ outcome: 'accepted', seq: undefined });
      expect(await runs.find(run.id)).toEqual(ended);
      expect(await listFrames(events, run.id)).toEqual(['2 frm_1']);
      const reopened = await reopen();
      expect(await sendFrame(reopened.runs, run.id, 'frm_late')).toEqual({ outcome: 'replayed' });
      expect(await readAll(reopened.events, run.id)).toHaveLength(4);
      const other = newFrame(run.id, 'frm_late', { digest: 'another' });
      expect(await reopened.runs.acceptFrame(other, frameDraft('frm_late'))).toEqual({
        outcome: 'conflict',
      });
    });

    test('carries its message into the session of the run', async () => {
      const { storage, runs } = await openRig(open);
      const session = await newSession(storage);
      const run = await createThreadRun(runs, { sessionId: session.id });

      await runs.acceptFrame(
        newFrame(run.id, 'frm_1'),
        saying('frame.accepted', 'user', 'how are you?'),
      );

      expect(await transcript(storage, session.id)).toEqual(['user how are you?']);
    });

    test('knows no frame of a run that does not exist', async () => {
      const { runs } = await openRig(open);

      const result = sendFrame(runs, 'run_unknown' as RunId, 'frm_1');

      await expect(result).rejects.toMatchObject({ code: 'not_found' });
    });
  });
}

function describeSilence(engine: string, open: OpenStorage): void {
  describe(`RunStore.acceptFrame of silent frames on ${engine}`, () => {
    test('records them and lets a run at rest rest', async () => {
      const { runs, events } = await openRig(open);
      const { id } = await createThreadRun(runs);
      const frame = newFrame(id, 'frm_1', { isSilent: true });

      const result = await runs.acceptFrame(frame, frameDraft('frm_1'));

      expect(result).toEqual({ outcome: 'accepted', seq: 2 });
      expect(await runs.claim(claimRequest())).toBeUndefined();
      expect(await runs.find(id)).toMatchObject({ status: 'waiting', lastSeq: 2 });
      await sendFrame(runs, id, 'frm_2');
      expect((await runs.claim(claimRequest()))?.run.id).toBe(id);
      expect(await listFrames(events, id)).toEqual(['2 frm_1', '3 frm_2']);
    });
  });
}

function describeIdempotency(engine: string, open: OpenStorage): void {
  describe(`Frames that come again on ${engine}`, () => {
    test('gives the same frame again one event', async () => {
      const { runs, events } = await openRig(open);
      const run = await createThreadRun(runs);
      await sendFrame(runs, run.id, 'frm_1');

      expect(await sendFrame(runs, run.id, 'frm_1')).toEqual({ outcome: 'replayed' });

      expect(await listFrames(events, run.id)).toEqual(['2 frm_1']);
      expect((await runs.find(run.id))?.lastSeq).toBe(2);
    });

    test('refuses another frame under the same id, and keeps the first', async () => {
      const { runs, events } = await openRig(open);
      const run = await createThreadRun(runs);
      await sendFrame(runs, run.id, 'frm_1');
      const other = newFrame(run.id, 'frm_1', { digest: 'another' });

      expect(await runs.acceptFrame(other, frameDraft('other'))).toEqual({ outcome: 'conflict' });

      expect(await listFrames(events, run.id)).toEqual(['2 frm_1']);
      expect(await sendFrame(runs, run.id, 'frm_1')).toEqual({ outcome: 'replayed' });
    });

    test('knows frames by their run', async () => {
      const { runs } = await openRig(open);
      const first = await createThreadRun(runs);
      const second = await createThreadRun(runs);
      await sendFrame(runs, first.id, 'frm_1');

      const result = await sendFrame(runs, second.id, 'frm_1');

      expect(result).toEqual({ outcome: 'accepted', seq: 2 });
    });

    test('accepts one of many equal frames that come at the same moment', async () => {
      const { storage, events, openBeside } = await openRig(open);
      const beside = await openBeside();
      const run = await createThreadRun(storage.runs);

      const results = await Promise.all(
        Array.from({ length: TWINS }, (_, index) =>
          sendFrame((index % 2 === 0 ? storage : beside).runs, run.id, 'frm_1'),
        ),
      );

      const accepted = results.filter(({ outcome }) => outcome === 'accepted');
      expect(accepted).toEqual([{ outcome: 'accepted', seq: 2 }]);
      expect(results.filter(({ outcome }) => outcome === 'replayed')).toHaveLength(TWINS - 1);
      expect(await listFrames(events, run.id)).toEqual(['2 frm_1']);
      expect(await readAll(events, run.id)).toHaveLength(2);
    });

    test('lets one of two frames win that differ under one id', async () => {
      const { storage, events, openBeside } = await openRig(open);
      const beside = await openBeside();
      const run = await createThreadRun(storage.runs);
      const other = newFrame(run.id, 'frm_1', { digest: 'another' });

      const results = await Promise.all([
        sendFrame(storage.runs, run.id, 'frm_1'),
        beside.runs.acceptFrame(other, frameDraft('frm_1')),
      ]);

      expect(results.map(({ outcome }) => outcome).sort()).toEqual(['accepted', 'conflict']);
      expect(await listFrames(events, run.id)).toEqual(['2 frm_1']);
    });

    test('takes no more frames than a run may have, but knows those it has', async () => {
      const { runs, events } = await openRig(open);
      const run = await createThreadRun(runs);
      const send = (frameId: string) =>
        runs.acceptFrame(newFrame(run.id, frameId, { maxFrames: 2 }), frameDraft(frameId));

      const results = [await send('a'), await send('b'), await send('c'), await send('a')];

      expect(results).toEqual([
        { outcome: 'accepted', seq: 2 },
        { outcome: 'accepted', seq: 3 },
        { outcome: 'full' },
        { outcome: 'replayed' },
      ]);
      expect(await listFrames(events, run.id)).toEqual(['2 a', '3 b']);
    });

    test('holds the bound when many frames come at the same moment', async () => {
      const { runs, events } = await openRig(open);
      const run = await createThreadRun(runs);

      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          runs.acceptFrame(newFrame(run.id, `frm_${index}`, { maxFrames: 5 }), frameDraft('x')),
        ),
      );

      expect(results.filter(({ outcome }) => outcome === 'full')).toHaveLength(15);
      expect(await listFrames(events, run.id)).toHaveLength(5);
    });

    test.each([
      ['a NUL', 'frm\u0000_1'],
      ['half of a pair', 'frm_\ud83d'],
      ['quotes and a backslash', `frm'"\\`],
      ['a long text', 'ä'.repeat(5_000)],
    ])('tells frame ids with %s apart', async (_case, frameId) => {
      const { runs } = await openRig(open);
      const run = await createThreadRun(runs);

      const results = [
        await sendFrame(runs, run.id, frameId),
        await sendFrame(runs, run.id, `${frameId}x`),
        await sendFrame(runs, run.id, frameId),
      ];

      expect(results).toEqual([
        { outcome: 'accepted', seq: 2 },
        { outcome: 'accepted', seq: 3 },
        { outcome: 'replayed' },
      ]);
    });
  });
}

function describeOrder(engine: string, open: OpenStorage): void {
  describe(`The order of frames on ${engine}`, () => {
    test('numbers frames in the order in which they were sent', async () => {
      const { runs, events } = await openRig(open);
      const run = await createThreadRun(runs);
      const frameIds = Array.from({ length: 50 }, (_, index) => `frm_${index}`);

      const results = await Promise.all(frameIds.map((id) => sendFrame(runs, run.id, id)));

      expect(results).toEqual(
        frameIds.map((_, index) => ({ outcome: 'accepted', seq: index + 2 })),
      );
      expect(await listFrames(events, run.id)).toEqual(
        frameIds.map((frameId, index) => `${index + 2} ${frameId}`),
      );
    });

    test('keeps one chain while a runner appends and frames come in between', async () => {
      const { storage, runs, events, openBeside } = await openRig(open);
      const beside = await openBeside();
      const { run, lease } = await claimThreadRun(runs);

      await Promise.all(
        Array.from({ length: 60 }, async (_, index) => {
          const sender = index % 2 === 0 ? storage : beside;
          await runs.append(lease, [delta(`${index}`), delta('more')]);
          await sendFrame(sender.runs, run.id, `mixed_${index}`);
        }),
      );

      const log = await readAll(events, run.id);
      expect(verifyChain(log)).toEqual({ ok: true, last: { seq: 183, hash: log[182]?.hash } });
      expect(await listFrames(events, run.id)).toHaveLength(61);
      await finishRun(runs, lease);
      expect((await runs.find(run.id))?.lastSeq).toBe(184);
    });

    test('leaves the lease to expire as before', async () => {
      const { runs, events, clock } = await openRig(open);
      const { run } = await claimThreadRun(runs);
      await sendFrame(runs, run.id, 'frm_2');
      clock.advance(LEASE_MS);

      const claimed = await runs.claim(claimRequest({ owner: 'runner-b' }));

      expect(claimed).toMatchObject({ run: { id: run.id, lastSeq: 5 }, resumed: true });
      expect(typesOf(await readAll(events, run.id)).slice(3)).toEqual([
        'frame.accepted',
        'run.recovered',
      ]);
    });
  });
}

function describeFrameReads(engine: string, open: OpenStorage): void {
  describe(`EventLog.readFrames on ${engine}`, () => {
    test('reads the frames of a run as its log has them', async () => {
      const { runs, events } = await openRig(open);
      const { run, lease } = await claimThreadRun(runs);
      await runs.append(lease, [delta('a'), delta('b')]);
      await sendFrame(runs, run.id, 'frm_2');
      await rest(runs, lease, 6);
      const log = await readAll(events, run.id);

      const frames = await events.readFrames(run.id, { after: 0, limit: 10 });

      expect(frames).toEqual([log[1], log[5]]);
    });

    test.each([
      { after: 0, limit: 10, seqs: [2, 3, 4] },
      { after: 0, limit: 2, seqs: [2, 3] },
      { after: 2, limit: 1, seqs: [3] },
      { after: 3, limit: 10, seqs: [4] },
      { after: 4, limit: 10, seqs: [] },
      { after: 0, limit: 0, seqs: [] },
    ])('reads $limit frames after $after as $seqs', async ({ after, limit, seqs }) => {
      const { runs, events } = await openRig(open);
      const run = await createThreadRun(runs);
      for (const frameId of ['a', 'b', 'c']) await sendFrame(runs, run.id, frameId);

      const frames = await events.readFrames(run.id, { after, limit });

      expect(frames.map((frame) => frame.seq)).toEqual(seqs);
    });

    test('reads nothing of a run without frames, and of none', async () => {
      const { runs, events } = await openRig(open);
      const run = await createRun(runs);

      expect(await events.readFrames(run.id, { after: 0, limit: 10 })).toEqual([]);
      expect(await events.readFrames('run_unknown' as RunId, { after: 0, limit: 10 })).toEqual([]);
    });
  });
}
