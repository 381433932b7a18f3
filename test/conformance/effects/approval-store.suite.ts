import { describe, expect, test } from 'vitest';
import type { Approval, NewApproval } from '../../../src/core/approvals/approval.ts';
import type { ApprovalId, RequestId } from '../../../src/core/ids.ts';
import {
  cancelDrafts,
  claimNewRun,
  claimOnly,
  claimRequest,
  draft,
  type Held,
  LEASE_MS,
  MANY,
  newRun,
  type OpenStorage,
  openRig,
  readAll,
  typesOf,
} from '../harness.ts';
import { describeAnswers } from './approval-answers.suite.ts';
import { asked, newApproval } from './approval-rig.ts';

function pending({ ttlMs, ...approval }: NewApproval, { run }: Held, atMs: number): Approval {
  return {
    ...approval,
    runId: run.id,
    agentId: run.agentId,
    sessionId: run.sessionId,
    owner: run.owner,
    status: 'pending',
    createdAtMs: atMs,
    expiresAtMs: atMs + ttlMs,
    decidedBy: undefined,
    decidedAtMs: undefined,
    note: undefined,
  };
}

export function describeApprovalStore(engine: string, open: OpenStorage): void {
  describeAnswers(engine, open);

  describe(`parked runs on ${engine}`, () => {
    test('wait with their question, their events and no lease', async () => {
      const { runs, events, storage, clock } = await openRig(open);
      const held = await claimNewRun(runs);
      const approval = newApproval();

      const result = await runs.park(held.lease, [asked()], approval);

      expect(result).toEqual({ outcome: 'appended', lastSeq: 3 });
      expect(await runs.find(held.run.id)).toMatchObject({ status: 'waiting', lastSeq: 3 });
      const expected = pending(approval, held, clock.nowMs());
      expect(await storage.approvals.find(approval.id)).toEqual(expected);
      expect(await storage.approvals.findByRequest(approval.requestId)).toEqual(expected);
      expect(typesOf(await readAll(events, held.run.id)).at(-1)).toBe('policy.decision');
      expect(await runs.renew([held.lease], LEASE_MS)).toEqual([
        { ...held.lease, held: false, cancelRequested: false },
      ]);
      expect(await runs.append(held.lease, [asked()])).toEqual({
        outcome: 'refused',
        reason: 'lost_lease',
      });
    });

    test('are never claimed, however long they wait, and never taken over', async () => {
      const { runs, clock } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);
      await runs.park(lease, [asked()], newApproval());
      clock.advance(LEASE_MS * 100);

      expect(await runs.takeOver('runner')).toBe(0);
      await runs.release([lease]);
      expect(await runs.claim(claimRequest())).toBeUndefined();
      expect(await runs.claim(claimRequest({ only: run.id }))).toBeUndefined();
      expect((await runs.find(run.id))?.status).toBe('waiting');
    });

    test('do not count as queued', async () => {
      const { runs } = await openRig(open);
      const { lease } = await claimNewRun(runs);
      await runs.park(lease, [asked()], newApproval());

      const created = await runs.create(newRun(), [draft('run.created')], { maxQueued: 1 });

      expect(created.outcome).toBe('created');
      expect(await runs.countByStatus()).toMatchObject({ waiting: 1, queued: 1, running: 0 });
    });

    test('are not made by a lease that was lost', async () => {
      const { runs, events, storage, clock } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);
      clock.advance(LEASE_MS);
      await claimOnly(runs, run.id, 'runner-b');
      const approval = newApproval();

      const result = await runs.park(lease, [asked()], approval);

      expect(result).toEqual({ outcome: 'refused', reason: 'lost_lease' });
      expect(await storage.approvals.find(approval.id)).toBeUndefined();
      expect(await readAll(events, run.id)).toHaveLength(3);
    });

    test('ask each question once', async () => {
      const { runs, storage } = await openRig(open);
      const first = await claimNewRun(runs);
      const second = await claimNewRun(runs);
      const approval = newApproval();
      await runs.park(first.lease, [asked()], approval);

      const result = runs.park(second.lease, [asked()], approval);

      await expect(result).rejects.toMatchObject({ code: 'conflict' });
      expect((await storage.approvals.find(approval.id))?.runId).toBe(first.run.id);
      expect((await runs.find(second.run.id))?.status).toBe('running');
    });

    test('end at once when they are cancelled, and their question is denied', async () => {
      const { runs, events, storage, clock } = await openRig(open);
      const held = await claimNewRun(runs);
      const approval = newApproval();
      await runs.park(held.lease, [asked()], approval);
      const createdAtMs = clock.nowMs();
      clock.advance(5);

      const result = await runs.requestCancel(held.run.id, cancelDrafts());

      expect(result).toMatchObject({ run: { status: 'cancelled' }, recorded: true });
      expect(typesOf(await readAll(events, held.run.id)).slice(-2)).toEqual([
        'run.cancel_requested',
        'run.cancelled',
      ]);
      expect(await storage.approvals.find(approval.id)).toEqual({
        ...pending(approval, held, createdAtMs),
        status: 'denied',
        decidedBy: 'system',
        decidedAtMs: clock.nowMs(),
        note: 'the run was cancelled',
      });
    });

    test('do not wait when the wish to cancel came first', async () => {
      const { runs, events, storage } = await openRig(open);
      const { run, lease } = await claimNewRun(runs);
      const approval = newApproval();
      await runs.requestCancel(run.id, cancelDrafts());

      const result = await runs.park(lease, [asked()], approval);
      const claimed = await runs.claim(claimRequest({ owner: 'runner-b' }));

      expect(result).toEqual({ outcome: 'appended', lastSeq: 4 });
      expect(claimed).toMatchObject({
        run: { id: run.id, status: 'cancelling' },
        resumed: true,
        cancelRequested: true,
      });
      expect(await storage.approvals.find(approval.id)).toMatchObject({
        status: 'denied',
        decidedBy: 'system',
      });
      expect(typesOf(await readAll(events, run.id)).at(-1)).toBe('policy.decision');
    });
  });

  describe(`ApprovalStore on ${engine}`, () => {
    test('finds and lists nothing in an empty store', async () => {
      const { storage } = await openRig(open);

      expect(await storage.approvals.find('appr_none\0' as ApprovalId)).toBeUndefined();
      expect(await storage.approvals.findByRequest('req_none' as RequestId)).toBeUndefined();
      const page = await storage.approvals.list({ limit: 5 });
      expect(page).toEqual({ approvals: [], next: undefined });
      expect(await storage.approvals.listOverdue(5)).toEqual([]);
    });

    test('keeps any text over a reopen', async () => {
      const { runs, reopen, clock } = await openRig(open);
      const held = await claimNewRun(runs);
      const texts = {
        tool: 'a\0b',
        callId: '\ud800',
        input: '{"x":"\\u0000 🦀"}',
        reason: "'\n\0",
      };
      const approval = newApproval(texts);
      await runs.park(held.lease, [asked()], approval);

      const found = await (await reopen()).approvals.find(approval.id);

      expect(found).toEqual(pending(approval, held, clock.nowMs()));
    });

    test('lists the newest first, by status and run, page by page', async () => {
      const { runs, storage } = await openRig(open);
      const made: { id: ApprovalId; held: Held }[] = [];
      for (let index = 0; index < 4; index += 1) {
        const held = await claimNewRun(runs);
        const approval = newApproval();
        await runs.park(held.lease, [asked()], approval);
        made.push({ id: approval.id, held });
      }
      const [a, b, c, d] = made.map(({ id }) => id) as [
        ApprovalId,
        ApprovalId,
        ApprovalId,
        ApprovalId,
      ];
      await storage.approvals.decide(b, { status: 'denied', by: 'ada', note: '' }, asked());
      const list = async (filter: object) =>
        (await storage.approvals.list({ limit: MANY, ...filter })).approvals.map(({ id }) => id);

      const first = await storage.approvals.list({ limit: 3 });
      expect(first.approvals.map(({ id }) => id)).toEqual([d, c, b]);
      expect(first.next).toBe(b);
      expect(await list({ before: b })).toEqual([a]);
      expect(await list({ status: 'pending' })).toEqual([d, c, a]);
      expect(await list({ status: 'denied' })).toEqual([b]);
      expect(await list({ runId: made[2]?.held.run.id })).toEqual([c]);
      await expect(list({ before: 'appr_unknown' })).rejects.toMatchObject({
        code: 'invalid_input',
      });
    });

    test('tells which questions are overdue, oldest first', async () => {
      const { runs, storage, clock } = await openRig(open);
      const park = async (ttlMs: number) => {
        const approval = newApproval({ ttlMs });
        await runs.park((await claimNewRun(runs)).lease, [asked()], approval);
        return approval.id;
      };
      const later = await park(3_000);
      const sooner = await park(1_000);
      await park(10_000);
      clock.advance(3_000);

      const overdue = await storage.approvals.listOverdue(10);

      expect(overdue.map(({ id }) => id)).toEqual([sooner, later]);
      expect(await storage.approvals.listOverdue(1)).toHaveLength(1);
    });
  });
}
