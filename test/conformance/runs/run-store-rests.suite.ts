import { describe, expect, test } from 'vitest';
import type { LeaseId, RunId } from '../../../src/core/ids.ts';
import type { ClaimedRun } from '../../../src/core/runs/run-store.ts';
import type { Storage } from '../../../src/core/storage.ts';
import {
  COMPLETED,
  cancelDrafts,
  claimRequest,
  delta,
  draft,
  finishRun,
  LEASE_MS,
  type OpenStorage,
  openRig,
  type Rig,
  readAll,
  typesOf,
} from '../harness.ts';
import {
  claimThreadRun,
  createThreadRun,
  listFrames,
  restThreadRun,
  sendFrame,
} from '../sessions/thread-rig.ts';

const RACES = 40;
const FRAMES = 120;

export function describeRests(engine: string, open: OpenStorage): void {
  describeRest(engine, open);
  describeFinish(engine, open);
  describeRestRaces(engine, open);
}

function describeRest(engine: string, open: OpenStorage): void {
  describe(`RunStore.rest on ${engine}`, () => {
    test('writes the last events and gives the lease up', async () => {
      const { runs, events, clock } = await openRig(open);
      const { run, lease } = await claimThreadRun(runs);
      clock.advance(1_000);

      const result = await runs.rest(lease, [delta('the end')], 2);

      expect(result).toEqual({ outcome: 'rested', lastSeq: 4 });
      expect(await runs.find(run.id)).toEqual({
        ...run,
        status: 'waiting',
        lastSeq: 4,
        updatedAtMs: clock.nowMs(),
      });
      expect((await readAll(events, run.id)).at(-1)?.payload).toEqual({ text: 'the end' });
      expect(await runs.renew([lease], LEASE_MS)).toMatchObject([{ held: false }]);
      expect(await runs.append(lease, [delta('late')])).toEqual({
        outcome: 'refused',
        reason: 'lost_lease',
      });
      clock.advance(LEASE_MS);
      expect(await runs.claim(claimRequest())).toBeUndefined();
    });

    test('comes back with the next frame, neither started nor recovered', async () => {
      const { runs, events } = await openRig(open);
      const run = await restThreadRun(runs);
      await sendFrame(runs, run.id, 'frm_2');

      const claimed = await runs.claim(claimRequest());

      expect(claimed).toMatchObject({
        run: { id: run.id, status: 'running', startedAtMs: run.startedAtMs },
        resumed: true,
      });
      expect(typesOf(await readAll(events, run.id))).toEqual([
        'run.created',
        'frame.accepted',
        'run.started',
        'frame.accepted',
      ]);
    });

    test('survives a reopen and a takeover', async () => {
      const { runs, reopen } = await openRig(open);
      const run = await restThreadRun(runs);

      const reopened = await reopen();

      expect(await reopened.runs.takeOver('runner-a')).toBe(0);
      expect((await reopened.runs.find(run.id))?.status).toBe('waiting');
      await sendFrame(reopened.runs, run.id, 'frm_2');
      expect((await reopened.runs.claim(claimRequest()))?.run.id).toBe(run.id);
    });

    test('writes its events and keeps the lease when a frame has come', async () => {
      const { runs, events } = await openRig(open);
      const { run, lease } = await claimThreadRun(runs);
      await sendFrame(runs, run.id, 'frm_2');

      const result = await runs.rest(lease, [delta('answer')], 2);

      expect(result).toEqual({ outcome: 'has_frames', lastSeq: 5 });
      expect((await runs.find(run.id))?.status).toBe('running');
      expect(await readAll(events, run.id)).toHaveLength(5);
      expect(await runs.rest(lease, [], 4)).toEqual({ outcome: 'rested', lastSeq: 5 });
    });

    test('writes its events and keeps the lease when a cancel was asked for', async () => {
      const { runs, events } = await openRig(open);
      const { run, lease } = await claimThreadRun(runs);
      await runs.requestCancel(run.id, cancelDrafts());

      const result = await runs.rest(lease, [delta('answer')], 2);

      expect(result).toEqual({ outcome: 'cancelling', lastSeq: 5 });
      expect((await runs.find(run.id))?.status).toBe('cancelling');
      expect(await readAll(events, run.id)).toHaveLength(5);
      expect((await runs.append(lease, [delta('still mine')])).outcome).toBe('appended');
    });

    test('is refused to a lease that was lost', async () => {
      const { runs, events } = await openRig(open);
      const { run, lease } = await claimThreadRun(runs);

      const result = await runs.rest({ ...lease, leaseId: 'lease_1' as LeaseId }, [delta('x')], 2);

      expect(result).toEqual({ outcome: 'refused', reason: 'lost_lease' });
      expect(await readAll(events, run.id)).toHaveLength(3);
      expect((await runs.find(run.id))?.status).toBe('running');
    });

    test('is refused to a run that has ended, and to none', async () => {
      const { runs } = await openRig(open);
      const { lease } = await claimThreadRun(runs);
      await finishRun(runs, lease);

      expect(await runs.rest(lease, [delta('x')], 2)).toEqual({
        outcome: 'refused',
        reason: 'terminal',
      });
      await expect(
        runs.rest({ ...lease, runId: 'run_unknown' as RunId }, [], 0),
      ).rejects.toMatchObject({ code: 'not_found' });
    });
  });
}

function describeFinish(engine: string, open: OpenStorage): void {
  describe(`RunStore.finish of runs that take frames on ${engine}`, () => {
    test('writes nothing and keeps the lease when a frame has come that has to be taken in', async () => {
      const { runs, events } = await openRig(open);
      const { run, lease } = await claimThreadRun(runs);
      await sendFrame(runs, run.id, 'frm_2');
      const end = { ...COMPLETED, unlessFrameAfter: 2 };

      const result = await runs.finish(lease, [delta('answer'), draft('run.completed')], end);

      expect(result).toEqual({ outcome: 'has_frames' });
      expect(await readAll(events, run.id)).toHaveLength(4);
      expect((await runs.find(run.id))?.status).toBe('running');
      expect((await runs.append(lease, [delta('still mine')])).outcome).toBe('appended');
    });

    test('ends a run whose frames are all taken in, and any other whatever has come', async () => {
      const { runs } = await openRig(open);
      const first = await claimThreadRun(runs);
      const second = await claimThreadRun(runs);
      await sendFrame(runs, second.run.id, 'frm_2');

      const ended = [
        await runs.finish(first.lease, [draft('run.completed')], {
          ...COMPLETED,
          unlessFrameAfter: 2,
        }),
        await runs.finish(second.lease, [draft('run.completed')], COMPLETED),
      ];

      expect(ended.map(({ outcome }) => outcome)).toEqual(['appended', 'appended']);
    });
  });
}

function describeRestRaces(engine: string, open: OpenStorage): void {
  describe(`Frames and cancels that race a rest on ${engine}`, () => {
    test('loses no frame that comes between the last look and the rest', {
      timeout: 30_000,
    }, async () => {
      const rig = await openRig(open, { isNew: true });
      const beside = await rig.openBeside();
      const { id } = await createThreadRun(rig.runs);
      const answered: string[] = [];
      const serving = serve(rig, { id, answered, isDone: () => answered.length === FRAMES });

      const sending = Array.from({ length: FRAMES }, async (_, index) => {
        for (let turn = 0; turn < index % 7; turn += 1) await rig.runs.find(id);
        await sendFrame((index % 2 === 0 ? rig.storage : beside).runs, id, `frm_${index}`);
      });
      await Promise.all(sending);
      await serving;

      expect(answered).toEqual(await listFrames(rig.events, id));
      expect((await rig.runs.find(id))?.status).toBe('waiting');
    });

    test('never leaves a run at rest that has a frame to answer', { timeout: 30_000 }, async () => {
      const { storage, runs, openBeside } = await openRig(open);
      const beside = await openBeside();

      for (let race = 0; race < RACES; race += 1) {
        const { run, lease } = await claimThreadRun(runs);
        const sender = race % 2 === 0 ? storage : beside;
        const [rested, accepted] = await inTurns(race, [
          () => runs.rest(lease, [delta('answer')], 2),
          () => sendFrame(sender.runs, run.id, 'frm_race'),
        ]);

        const { status } = (await runs.find(run.id)) ?? {};
        expect(accepted.outcome).toBe('accepted');
        expect([rested.outcome, status]).toEqual(
          rested.outcome === 'rested' ? ['rested', 'queued'] : ['has_frames', 'running'],
        );
        await runs.requestCancel(run.id, cancelDrafts());
      }
    });

    test('ends or hands over a run that is cancelled as it goes to rest', {
      timeout: 30_000,
    }, async () => {
      const { storage, runs, openBeside } = await openRig(open);
      const beside = await openBeside();

      for (let race = 0; race < RACES; race += 1) {
        const { run, lease } = await claimThreadRun(runs);
        const canceller = race % 2 === 0 ? storage : beside;
        const [rested] = await inTurns(race, [
          () => runs.rest(lease, [delta('answer')], 2),
          () => canceller.runs.requestCancel(run.id, cancelDrafts()),
        ]);

        const { status } = (await runs.find(run.id)) ?? {};
        expect([rested.outcome, status]).toEqual(
          rested.outcome === 'rested' ? ['rested', 'cancelled'] : ['cancelling', 'cancelling'],
        );
      }
    });
  });
}

interface Service {
  readonly id: RunId;
  /** As `listFrames` tells them. */
  readonly answered: string[];
  readonly isDone: () => boolean;
}

/** A runner as the core has one: answers what is on record, rests, and waits to be called. */
async function serve({ storage, runs, clock }: Rig, service: Service): Promise<void> {
  const queue = storage.wakeups.subscribe('queue');
  while (!service.isDone()) {
    const claimed = await runs.claim(claimRequest({ only: service.id }));
    if (claimed) await answerAll(storage, claimed, service);
    else await queue.next({ deadlineMs: clock.nowMs() + 20_000 });
  }
  queue.close();
}

async function answerAll(
  { runs, events }: Storage,
  { lease }: ClaimedRun,
  { id, answered }: Service,
): Promise<void> {
  const held = { runId: id, leaseId: lease.id };
  for (let outcome = 'has_frames'; outcome === 'has_frames'; ) {
    const through = Number(answered.at(-1)?.split(' ')[0] ?? 0);
    const frames = await events.readFrames(id, { after: through, limit: 10 });
    for (const { seq, payload } of frames) answered.push(`${seq} ${String(payload['frameId'])}`);
    ({ outcome } = await runs.rest(held, [delta('answer')], frames.at(-1)?.seq ?? through));
  }
}

/** Both at the same moment; which is asked for first changes with every second race. */
async function inTurns<A, B>(
  race: number,
  [first, second]: readonly [() => Promise<A>, () => Promise<B>],
): Promise<readonly [A, B]> {
  if (race % 4 < 2) return Promise.all([first(), second()]);
  const [b, a] = await Promise.all([second(), first()]);
  return [a, b];
}
