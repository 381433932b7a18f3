import { isTerminal } from '../../../core/runs/run.ts';
import type { AppendResult, LeaseRef } from '../../../core/runs/run-store.ts';
import type { WriteContext } from '../write-context.ts';
import { getHead, type RunHead } from './run-heads.ts';

type Refusal = Extract<AppendResult, { readonly outcome: 'refused' }>;

/** The run's head when the lease may write, else why not. */
export type CheckLease = (lease: LeaseRef) => RunHead | Refusal;

export function createCheckLease(context: WriteContext): CheckLease {
  return (lease) => {
    const head = getHead(context.heads, lease.runId);
    if (isTerminal(head.status)) return { outcome: 'refused', reason: 'terminal' };
    return head.leaseId === lease.leaseId ? head : { outcome: 'refused', reason: 'lost_lease' };
  };
}

export function isRefusal(checked: RunHead | Refusal): checked is Refusal {
  return 'outcome' in checked;
}
