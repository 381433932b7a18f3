import { describe, expect, test } from 'vitest';
import type { ApprovalDecision } from '../../../src/core/approvals/approval.ts';
import { isTerminalEvent } from '../../../src/core/events/event.ts';
import type { ApprovalId } from '../../../src/core/ids.ts';
import type { RunStore } from '../../../src/core/runs/run-store.ts';
import {
  cancelDrafts,
  claimNewRun,
  claimRequest,
  draft,
  type Held,
  LEASE_MS,
  type OpenStorage,
  openRig,
  readAll,
  typesOf,
} from '../harness.ts';
import { asked, newApproval, TTL_MS } from './approval-rig.ts';

const APPROVED: ApprovalDecision = { status: 'approved', by: 'ada\0 🦀', note: 'fine "so"' };
const answer = () => draft('policy.decision', { decision: 'answered' });

async function park(runs: RunStore): Promise<Held & { readonly id: ApprovalId }> {
  const held = await claimNewRun(runs);
  const approval = newApproval();
  await runs.park(held.lease, [asked()], approval);
  return { ...held, id: approval.id };
}

export function describeAnswers(engine: string, open: OpenStorage): void {
  describe(`answers to approvals on ${engine}`, () => {
    test.each(['approved', 'denied'] as const)(
      'return the run to the queue when it is %s',
      async (status) => {
        const { runs, events, storage, reopen, clock } = await openRig(open);
        const { run, id } = await park(runs);
        const before = await storage.approvals.find(id);
        clock.advance(10);

        const result = await storage.approvals.decide(id, { ...APPROVED, status }, answer());

        const approval = {
          ...before,
          status,
          decidedBy: APPROVED.by,
          decidedAtMs: clock.nowMs(),
          note: APPROVED.note,
        };
        expect(result).toEqual({ outcome: 'decided', approval });
        expect(await runs.find(run.id)).toMatchObject({ status: 'queued', lastSeq: 4 });
        expect(typesOf(await readAll(events, run.id)).at(-1)).toBe('policy.decision');
        expect(await (await reopen()).approvals.find(id)).toEqual(approval);
      },
    );

    test('wake the runners', async () => {
      const { runs, storage } = await openRig(open, { isNew: true });
      const { id } = await park(runs);
      const subscription = storage.wakeups.subscribe('queue');
      await subscription.next({ deadlineMs: 0 });

      await storage.approvals.decide(id, APPROVED, answer());

      expect(await subscription.next({ deadlineMs: 0 })).toBe(true);
      subscription.close();
    });

    test('let the run go on: its claim is neither a start nor a recovery', async () => {
      const { runs, events, storage } = await openRig(open);
      const { run, id } = await park(runs);
      await storage.approvals.decide(id, APPROVED, answer());

      const claimed = await runs.claim(claimRequest({ owner: 'runner-b' }));

      expect(claimed).toMatchObject({
        run: { id: run.id, status: 'running', lastSeq: 4, startedAtMs: run.startedAtMs },
        resumed: true,
        cancelRequested: false,
      });
      expect(await readAll(events, run.id)).toHaveLength(4);
    });

    test('leave a lease that is lost later a recovery', async () => {
      const { runs, events, storage, clock } = await openRig(open);
      const { run, id } = await park(runs);
      await storage.approvals.decide(id, APPROVED, answer());
      await runs.claim(claimRequest({ owner: 'runner-b' }));
      clock.advance(LEASE_MS);

      await runs.claim(claimRequest({ owner: 'runner-c' }));

      expect(typesOf(await readAll(events, run.id)).at(-1)).toBe('run.recovered');
    });

    test('let a run ask again, and find the newest question of a request', async () => {
      const { runs, storage } = await openRig(open);
      const { run, id } = await park(runs);
      const first = await storage.approvals.find(id);
      await storage.approvals.decide(id, APPROVED, answer());
      const claimed = await runs.claim(claimRequest({ only: run.id }));
      const again = newApproval({ ...(first && { requestId: first.requestId }) });
      const lease = { runId: run.id, leaseId: claimed?.lease.id ?? ('' as never) };

      const parked = await runs.park(lease, [asked()], again);

      expect(parked).toEqual({ outcome: 'appended', lastSeq: 5 });
      expect((await storage.approvals.findByRequest(again.requestId))?.id).toBe(again.id);
    });

    test('are refused after the first', async () => {
      const { runs, events, storage, clock } = await openRig(open);
      const { run, id } = await park(runs);
      await storage.approvals.decide(id, APPROVED, answer());
      const approval = await storage.approvals.find(id);
      clock.advance(TTL_MS);

      const again = await storage.approvals.decide(id, { ...APPROVED, by: 'eve' }, answer());
      const expired = await storage.approvals.expire(id, answer());

      expect(again).toEqual({ outcome: 'refused', approval });
      expect(expired).toEqual({ outcome: 'refused', approval });
      expect(await readAll(events, run.id)).toHaveLength(4);
    });

    test('are refused once the time is over, whatever the row says', async () => {
      const { runs, storage, clock } = await openRig(open);
      const { run, id } = await park(runs);
      clock.advance(TTL_MS);

      const late = await storage.approvals.decide(id, APPROVED, answer());

      expect(late).toMatchObject({ outcome: 'refused', approval: { status: 'pending' } });
      expect((await runs.find(run.id))?.status).toBe('waiting');
    });

    test('come from time alone: the question expires and its run goes on', async () => {
      const { runs, events, storage, clock } = await openRig(open);
      const { run, id } = await park(runs);
      const before = await storage.approvals.find(id);
      clock.advance(TTL_MS - 1);
      const early = await storage.approvals.expire(id, answer());
      clock.advance(1);

      const result = await storage.approvals.expire(id, answer());

      expect(early).toEqual({ outcome: 'refused', approval: before });
      const approval = { ...before, status: 'expired', decidedAtMs: clock.nowMs() };
      expect(result).toEqual({ outcome: 'decided', approval });
      expect(await storage.approvals.find(id)).toEqual(approval);
      expect((await runs.claim(claimRequest()))?.run.id).toBe(run.id);
      expect(typesOf(await readAll(events, run.id)).at(-1)).toBe('policy.decision');
      expect(await storage.approvals.listOverdue(10)).toEqual([]);
    });

    test('are refused when the run was cancelled', async () => {
      const { runs, storage } = await openRig(open);
      const { run, id } = await park(runs);
      await runs.requestCancel(run.id, cancelDrafts());

      const result = await storage.approvals.decide(id, APPROVED, answer());

      expect(result).toMatchObject({ outcome: 'refused', approval: { status: 'denied' } });
      expect((await runs.find(run.id))?.status).toBe('cancelled');
    });

    test('need a question', async () => {
      const { storage } = await openRig(open);
      const unknown = 'appr_unknown' as ApprovalId;

      // One after the other: a rejection that nobody waits for yet counts as unhandled.
      await expect(storage.approvals.decide(unknown, APPROVED, answer())).rejects.toMatchObject({
        code: 'not_found',
      });
      await expect(storage.approvals.expire(unknown, answer())).rejects.toMatchObject({
        code: 'not_found',
      });
    });

    test.each([
      ['in time', 0],
      ['too late', TTL_MS],
    ])('race each other, expiry and a cancel: one wins (%s)', async (_, waitMs) => {
      const { runs, events, storage, openBeside, clock } = await openRig(open);
      const beside = await openBeside();
      const parked = await Promise.all(Array.from({ length: 10 }, () => park(runs)));
      clock.advance(waitMs);

      const outcomes = await Promise.all(
        parked.map(async ({ run, id }, index) => {
          const attempts = [
            async () => (await storage.approvals.decide(id, APPROVED, answer())).outcome,
            async () =>
              (await beside.approvals.decide(id, { ...APPROVED, status: 'denied' }, answer()))
                .outcome,
            async () => (await beside.approvals.expire(id, answer())).outcome,
            async () => (await runs.requestCancel(run.id, cancelDrafts())).recorded,
          ];
          const turned = [...attempts.slice(index % 4), ...attempts.slice(0, index % 4)];
          return Promise.all(turned.map((attempt) => attempt()));
        }),
      );

      for (const [index, { run, id }] of parked.entries()) {
        const answers = outcomes[index]?.filter((outcome) => outcome === 'decided').length ?? 0;
        const log = await readAll(events, run.id);
        const approval = await storage.approvals.find(id);
        // The cancel comes through in any case: before the answer, or in the queue after it.
        expect(outcomes[index]).toContain(true);
        expect((await runs.find(run.id))?.status).toBe('cancelled');
        expect(log.filter(isTerminalEvent)).toHaveLength(1);
        expect(answers).toBeLessThanOrEqual(1);
        expect(log).toHaveLength(5 + answers);
        expect(approval?.decidedBy === 'system').toBe(answers === 0);
        expect(approval?.status).not.toBe('pending');
      }
    });
  });
}
