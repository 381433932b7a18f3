import type { NewApproval } from '../../../core/approvals/approval.ts';
import type { SealedDraft } from '../../../core/events/event.ts';
import type { AppendResult, LeaseRef } from '../../../core/runs/run-store.ts';
import { askApproval } from '../../approval-rules.ts';
import type { Approvals } from '../effects/approval-writes.ts';
import type { WriteContext } from '../write-context.ts';
import { type CheckLease, isRefusal } from './check-lease.ts';
import type { AddEvents } from './event-writes.ts';

export interface ParkParts {
  readonly checkLease: CheckLease;
  readonly addEvents: AddEvents;
  readonly approvals: Approvals;
}

export function createParkRun(context: WriteContext, parts: ParkParts) {
  const { checkLease, addEvents, approvals } = parts;
  const park = context.db.prepare(`
    UPDATE runs SET
      status = 'waiting', parked = 1,
      lease_id = NULL, lease_owner = NULL, lease_expires_at_ms = NULL
    WHERE no = ?`);
  // A run that is to be cancelled does not wait for an answer: the next runner ends it.
  const giveBack = context.db.prepare(`
    UPDATE runs SET parked = 1, lease_id = NULL, lease_owner = NULL, lease_expires_at_ms = 0
    WHERE no = ?`);

  return (lease: LeaseRef, drafts: readonly SealedDraft[], asked: NewApproval): AppendResult => {
    const head = checkLease(lease);
    if (isRefusal(head)) return head;
    approvals.assertNew(asked.id);
    addEvents(head, drafts);
    approvals.add(head, askApproval(asked, head, context.nowMs()));
    if (head.status === 'cancelling') {
      giveBack.run(head.no);
      context.touchQueue();
    } else {
      park.run(head.no);
    }
    context.heads.forget(head.id);
    return { outcome: 'appended', lastSeq: head.lastSeq };
  };
}
