import { createApprovalReader } from '../../../core/approvals/approvals.ts';
import {
  type ApprovalReading,
  type ApprovalWriting,
  getApproval,
} from '../../../operations/approvals/approvals.ts';
import type { CliContext } from '../program/context.ts';
import { naming } from '../program/errors.ts';
import { askAt } from './ask-runtime.ts';
import { fromRuntime, fromStore, type Place } from './place.ts';

export const APPROVALS: Place<ApprovalReading, ApprovalWriting> = {
  read: fromStore((store) => ({
    approvals: createApprovalReader(store?.approvals ?? NO_APPROVALS),
    // Whoever only reads the database does not know the rules in force.
    standing: { describe: () => undefined },
  })),
  write: fromRuntime(({ admin }) => admin),
};

export const askApprovals = askAt(APPROVALS);

/** A state root that was never used has nothing to settle, which is no fault. */
const NO_APPROVALS = {
  find: async () => undefined,
  list: async () => ({ approvals: [], next: undefined }),
};

/** Says which approval was looked for when there is none. */
export function namingApproval<T>(name: string, lookup: Promise<T>): Promise<T> {
  const hint = 'claw approvals list shows the approvals there are';
  return naming({ thing: 'approval', name, hint }, lookup);
}

/** Without a writer: a mistyped id must not create a state root. */
export async function assertApproval(context: CliContext, id: string): Promise<void> {
  await namingApproval(id, askApprovals(context, getApproval, { params: { approval_id: id } }));
}
