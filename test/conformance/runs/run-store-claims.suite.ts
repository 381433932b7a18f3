import { describe, expect, test } from 'vitest';
import type { LeaseId, RunId } from '../../../src/core/ids.ts';
import {
  COMPLETED,
  cancelDrafts,
  claimNewRun,
  claimOnly,
  claimRequest,
  createRun,
  delta,
  draft,
  finishRun,
  LEASE_MS,
  type OpenStorage,
  openRig,
  readAll,
  typesOf,
} from '../harness.ts';

export function describeClaims(engine: string, open: OpenStorage): void {
  describe(`RunStore leases on ${engine}`, () => {
    test('claims the oldest queued run, starts it and says so in its log', async () => {
      const { runs, events, clock } = await openRig(open);
      const first = await createRun(runs);
      clock.advance(5);
      const second = await createRun(runs);
      clock.advance(5);

      const claimed = await runs.claim(claimRequest());
      const next = await runs.claim(claimRequest());

      expect(claimed).toEqual({
        run: {
          ...first,
          status: 'running',
          lastSeq: 2,
          startedAtMs: clock.nowMs(),
          updatedAtMs: clock.nowMs(),
        },
        lease: {
          id: expect.any(String),
          runId: first.id,
          expiresAtMs: clock.nowMs() + LEASE_MS,
        },
        resumed: false,
        cancelRequested: false,
      });
      expect(next?.run.id).toBe(second.id);
      expect(await runs.find(first.id)).toEqual(claimed?.run);
      expect(typesOf(await readAll(events, first.id))).toEqual(['run.created', 'run.started']);
    });

    test('claims nothing when nothing is due', async () => {
      const { runs } = await openRig(open);
      const { lease } = await claimNewRun(runs);
      await finishRun(runs, lease);
      await claimNewRun(runs);

      expect(await runs.claim(claimRequest())).toBeUndefined();
    });

    test('orders runs of the same millisecond by id', async () => {
      const { runs } = await openRig(open);
      await createRun(runs, { id: 'run_b' as RunId });
      await createRun(runs, { id: 'run_a' as RunId });
      await createRun(runs, { id: 'run_c' as RunId });

      const claimed: unknown[] = [];
      for (let index = 0; index < 3; index += 1) {
        claimed.push((await runs.claim(claimRequest()))?.run.id);
      }

      expect(claimed).toEqual(['run_a', 'run_b', 'run_c']);
    });

    test('claims only the run that was asked for', async () => {
      const { runs } = await openRig(open);
      await createRun(runs);
      const second = await createRun(runs);

      const claimed = await runs.claim(claimRequest({ only: second.id }));
      const again = await runs.claim(claimRequest({ only: second.id }));
      const unknown = await runs.claim(claimRequest({ only: 'run_unknown' as RunId }));

      expect(claimed?.run.id).toBe(second.id);
      expect(again).toBeUndefined();
      expect(unknown).toBeUndefined();
    });

    test('gives each run to one of many concurrent claimers', async () => {
      const { runs, openBeside } = await openRig(open);
      const beside = await openBeside();
      for (let index = 0; index < 10; index += 1) await createRun(runs);

      const claims = await Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          (index % 2 === 0 ? runs : beside.runs).claim(claimRequest({ owner: `runner-${index}` })),
        ),
      );

      const won = claims.flatMap((claim) => (claim ? [claim] : []));
      expect(won).toHaveLength(10);
      expect(new Set(won.map((claim) => claim.run.id)).size).toBe(10);
      expect(new Set(won.map((claim) => claim.lease.id)).size).toBe(10);
    });

    test('takes a run over once its lease has expired, not before', async () => {
      const { runs, events, clock } = await openRig(open);
      const { run, lease } = await claimNewRun(runs, 'runner-a');
      clock.advance(LEASE_MS - 1);
      expect(await runs.claim(claimRequest({ owner: 'runner-b' }))).toBeUndefined();

      clock.advance(1);
      const taken = await runs.claim(claimRequest({ owner: 'runner-b' }));

      expect(taken).toMatchObject({
        run: { id: run.id, status: 'running', lastSeq: 3, startedAtMs: run.startedAtMs },
        resumed: true,
        cancelRequested: false,
      });
      expect(taken?.lease.id).not.toBe(lease.leaseId);
      expect(await runs.append(lease, [delta('late')])).toEqual({
        outcome: 'refused',
        reason: 'lost_lease',
      });
      expect(typesOf(await readAll(events, run.id))).toEqual([
        'run.created',
        'run.started',
        'run.recovered',
      ]);
    });

    test('claims an expired run before a younger queued one', async () => {
      const { runs, clock } = await openRig(open);
      const { run } = await claimNewRun(runs);
      clock.advance(LEASE_MS);
      const queued = await createRun(runs);

      const first = await runs.claim(claimRequest());
      const second = await runs.claim(claimRequest());

      expect([first?.run.id, second?.run.id]).toEqual([run.id, queued.id]);
    });

    test('renews held leases and says which are lost', async () => {
      const { runs, clock } = await openRig(open);
      const kept = await claimNewRun(runs);
      const finished = await claimNewRun(runs);
      await finishRun(runs, finished.lease);
      const unknown = { runId: 'run_unknown' as RunId, leaseId: 'lease_unknown' as LeaseId };
      clock.advance(LEASE_MS - 1);

      const renewed = await runs.renew([kept.lease, finished.lease, unknown], LEASE_MS);

      expect(renewed).toEqual([
        { ...kept.lease, held: true, cancelRequested: false },
        { ...finished.lease, held: false, cancelRequested: false },
        { ...unknown, held: false, cancelRequested: false },
      ]);
      clock.advance(LEASE_MS - 1);
      expect(await runs.claim(claimRequest())).toBeUndefined();
      clock.advance(1);
      expect((await runs.claim(claimRequest()))?.run.id).toBe(kept.run.id);
    });

    test('renews a lease that expired while nobody else wanted the run', async () => {
      const { runs, clock } = await openRig(open);
      const { lease } = await claimNewRun(runs);
      clock.advance(LEASE_MS * 2);

      const renewed = await runs.renew([lease], LEASE_MS);

      expect(renewed).toEqual([{ ...lease, held: true, cancelRequested: false }]);
      expect(await runs.claim(claimRequest())).toBeUndefined();
    });

    test('does not renew a lease after another runner has taken the run', async () => {
      const { runs, clock } = await openRig(open);
      const { run, lease } = await claimNewRun(runs, 'runner-a');
      clock.advance(LEASE_MS);
      const taken = await claimOnly(runs, run.id, 'runner-b');
      clock.advance(LEASE_MS - 1);

      const renewed = await runs.renew([lease], LEASE_MS);

      expect(renewed).toEqual([{ ...lease, held: false, cancelRequested: false }]);
      clock.advance(1);
      // Had the old lease been extended, the run would not be due now.
      expect((await runs.claim(claimRequest()))?.run.id).toBe(taken.run.id);
    });

    test('tells the holder on renewal that a cancel was asked for', async () => {
      const { runs } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);
      await runs.requestCancel(run.id, cancelDrafts());

      const renewed = await runs.renew([lease], LEASE_MS);

      expect(renewed).toEqual([{ ...lease, held: true, cancelRequested: true }]);
    });

    test('gives a released run to the next claimer at once, as resumed', async () => {
      const { runs, events } = await openRig(open);
      const { run, lease } = await claimNewRun(runs, 'runner-a');

      await runs.release([lease]);
      const released = await runs.find(run.id);
      const claimed = await runs.claim(claimRequest({ owner: 'runner-b' }));

      expect(released?.status).toBe('running');
      expect(claimed).toMatchObject({ run: { id: run.id, status: 'running' }, resumed: true });
      expect(await runs.append(lease, [delta('late')])).toEqual({
        outcome: 'refused',
        reason: 'lost_lease',
      });
      expect(typesOf(await readAll(events, run.id)).at(-1)).toBe('run.recovered');
    });

    test('ends the right to write with the release, before anybody else claims', async () => {
      const { runs, events } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);
      await runs.append(lease, [delta('mine')]);

      await runs.release([lease]);

      const lost = { outcome: 'refused', reason: 'lost_lease' };
      expect(await runs.append(lease, [delta('late')])).toEqual(lost);
      expect(await runs.renew([lease], LEASE_MS)).toEqual([
        { ...lease, held: false, cancelRequested: false },
      ]);
      expect(await readAll(events, run.id)).toHaveLength(3);
    });

    test('does not let a lost lease release the run of its new holder', async () => {
      const { runs, clock } = await openRig(open);
      const { run, lease } = await claimNewRun(runs, 'runner-a');
      clock.advance(LEASE_MS);
      const taken = await claimOnly(runs, run.id, 'runner-b');

      await runs.release([lease]);

      expect(await runs.claim(claimRequest())).toBeUndefined();
      expect((await runs.append(taken.lease, [delta('mine')])).outcome).toBe('appended');
    });

    test('takes over the leases of owners with a prefix and of nobody else', async () => {
      const { runs } = await openRig(open);
      const mine = await claimNewRun(runs, 'node_1:old');
      const other = await claimNewRun(runs, 'nodex1:old');
      const queued = await createRun(runs);
      const ended = await claimNewRun(runs, 'node_1:old');
      await finishRun(runs, ended.lease);

      const freed = await runs.takeOver('node_1:');

      expect(freed).toBe(1);
      const claimed = [await runs.claim(claimRequest()), await runs.claim(claimRequest())];
      expect(new Set(claimed.map((claim) => claim?.run.id))).toEqual(
        new Set([mine.run.id, queued.id]),
      );
      expect(await runs.claim(claimRequest())).toBeUndefined();
      expect((await runs.append(other.lease, [delta('held')])).outcome).toBe('appended');
    });

    test('ends the right to write with the take-over, before anybody else claims', async () => {
      const { runs, events } = await openRig(open);
      const { run, lease } = await claimNewRun(runs, 'node-1:old');
      await runs.append(lease, [delta('mine')]);

      await runs.takeOver('node-1:');

      const lost = { outcome: 'refused', reason: 'lost_lease' };
      expect(await runs.append(lease, [delta('late')])).toEqual(lost);
      expect(await readAll(events, run.id)).toHaveLength(3);
    });

    test('fences a holder off when another process has taken its run', async () => {
      const { runs, events, clock, openBeside } = await openRig(open);
      const beside = await openBeside();
      const { run, lease } = await claimNewRun(runs, 'runner-a');
      await runs.append(lease, [delta('mine')]);
      clock.advance(LEASE_MS);

      const taken = await claimOnly(beside.runs, run.id, 'runner-b');

      const lost = { outcome: 'refused', reason: 'lost_lease' };
      expect(await runs.append(lease, [delta('late')])).toEqual(lost);
      expect((await beside.runs.append(taken.lease, [delta('theirs')])).outcome).toBe('appended');
      expect(await runs.finish(lease, [draft('run.completed')], COMPLETED)).toEqual(lost);
      await finishRun(beside.runs, taken.lease);
      const ended = { outcome: 'refused', reason: 'terminal' };
      expect(await runs.append(lease, [delta('late')])).toEqual(ended);
      expect(typesOf(await readAll(events, run.id))).toEqual([
        'run.created',
        'run.started',
        'model.delta',
        'run.recovered',
        'model.delta',
        'run.completed',
      ]);
    });

    test('keeps leases over a reopen', async () => {
      const { runs, clock, reopen } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);

      const reopened = await reopen();

      expect(await reopened.runs.claim(claimRequest())).toBeUndefined();
      expect(await reopened.runs.append(lease, [delta('still mine')])).toEqual({
        outcome: 'appended',
        lastSeq: 3,
      });
      clock.advance(LEASE_MS);
      expect((await reopened.runs.claim(claimRequest()))?.run.id).toBe(run.id);
    });
  });
}
