import type { SealedDraft } from '../events/event.ts';
import type { AgentId, ApprovalId, RequestId, RunId, SessionId } from '../ids.ts';

export const APPROVAL_STATUSES = ['pending', 'approved', 'denied', 'expired'] as const;

export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/**
 * A question to a person: may this one call be made? It is bound to one tool call with exactly these arguments, so it
 * can be used once; it expires; and while it is open its run waits without a lease.
 */
export interface Approval {
  readonly id: ApprovalId;
  readonly runId: RunId;
  readonly agentId: AgentId;
  /** The conversation that the run belongs to. */
  readonly sessionId: SessionId | undefined;
  /** Whom the run acts for. */
  readonly owner: string;
  readonly requestId: RequestId;
  readonly tool: string;
  readonly callId: string;
  /** Canonical JSON of the arguments, redacted. */
  readonly input: string;
  readonly inputDigest: string;
  /** Why policy asks. */
  readonly reason: string;
  readonly status: ApprovalStatus;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly decidedBy: string | undefined;
  readonly decidedAtMs: number | undefined;
  readonly note: string | undefined;
}

export interface NewApproval {
  readonly id: ApprovalId;
  readonly requestId: RequestId;
  readonly tool: string;
  readonly callId: string;
  readonly input: string;
  readonly inputDigest: string;
  readonly reason: string;
  readonly ttlMs: number;
}

/** New ones are made by `RunStore.park`, in the transaction that parks the run. */
export interface ApprovalStore {
  find(id: ApprovalId): Promise<Approval | undefined>;
  findByRequest(requestId: RequestId): Promise<Approval | undefined>;
  /** Newest first. */
  list(filter: ApprovalFilter): Promise<ApprovalPage>;
  /**
   * Answers a pending question: the row, the event, and the run's return to the queue together. One that has expired
   * by the store's clock is refused, whatever its row says. Throws `not_found`.
   */
  decide(id: ApprovalId, decision: ApprovalDecision, draft: SealedDraft): Promise<DecideResult>;
  /** Pending questions whose time is over, oldest first. */
  listOverdue(limit: number): Promise<Approval[]>;
  /** Marks an overdue question `expired` and returns its run to the queue, as `decide` does. */
  expire(id: ApprovalId, draft: SealedDraft): Promise<DecideResult>;
}

export interface ApprovalDecision {
  readonly status: 'approved' | 'denied';
  readonly by: string;
  readonly note: string;
}

export type DecideResult =
  | { readonly outcome: 'decided'; readonly approval: Approval }
  /** Decided before, expired, or its run has ended. */
  | { readonly outcome: 'refused'; readonly approval: Approval };

export interface ApprovalFilter {
  readonly status?: ApprovalStatus;
  readonly runId?: RunId;
  readonly limit: number;
  readonly before?: ApprovalId;
}

export interface ApprovalPage {
  readonly approvals: readonly Approval[];
  readonly next: ApprovalId | undefined;
}
