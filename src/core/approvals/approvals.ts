import type { Clock } from '../clock.ts';
import { RuntimeError, toRuntimeError } from '../errors.ts';
import type { Seal } from '../events/seal.ts';
import type { ApprovalId } from '../ids.ts';
import type { Logger } from '../log.ts';
import { repeat } from '../repeat.ts';
import type {
  Approval,
  ApprovalDecision,
  ApprovalFilter,
  ApprovalPage,
  ApprovalStore,
} from './approval.ts';

/** The questions that runs ask, for those who only look. */
export interface ApprovalReader {
  list(filter: ApprovalFilter): Promise<ApprovalPage>;
  /** Throws `not_found`. */
  get(id: ApprovalId): Promise<Approval>;
}

/** What every surface may do with the questions that runs ask. */
export interface Approvals extends ApprovalReader {
  /** Throws `conflict` when the question was answered before, has expired, or its run has ended. */
  decide(id: ApprovalId, decision: ApprovalDecision): Promise<Approval>;
  /** Closes questions whose time is over, now and from then on. */
  start(): void;
  stop(): void;
}

export interface ApprovalsDeps {
  readonly store: ApprovalStore;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly logger: Logger;
}

const EXPIRY_CHECK_MS = 5_000;
const EXPIRED_PER_CHECK = 50;

export function createApprovalReader(store: Pick<ApprovalStore, 'find' | 'list'>): ApprovalReader {
  return {
    list: (filter) => store.list(filter),

    async get(id) {
      const approval = await store.find(id);
      if (approval) return approval;
      throw new RuntimeError('not_found', `approval ${id} does not exist`, {
        details: { thing: 'approval' },
      });
    },
  };
}

export function createApprovals(deps: ApprovalsDeps): Approvals {
  const { store } = deps;
  const reader = createApprovalReader(store);
  let stop = () => {};

  async function expireOverdue(): Promise<void> {
    try {
      for (const approval of await store.listOverdue(EXPIRED_PER_CHECK)) {
        await store.expire(approval.id, sealAnswer(deps.seal, approval, { status: 'expired' }));
      }
    } catch (thrown) {
      deps.logger.error({ code: toRuntimeError(thrown).code }, 'could not expire approvals');
    }
  }

  return {
    ...reader,

    async decide(id, decision) {
      const approval = await reader.get(id);
      const result = await store.decide(id, decision, sealAnswer(deps.seal, approval, decision));
      if (result.outcome === 'decided') return result.approval;
      const { status } = result.approval;
      const why =
        status === 'pending' ? 'has expired, or its run has ended' : `was ${status} already`;
      throw new RuntimeError('conflict', `approval ${id} ${why}`, { details: { status } });
    },

    start() {
      stop = repeat(deps.clock, EXPIRY_CHECK_MS, expireOverdue);
    },
    stop: () => stop(),
  };
}

type Answer = ApprovalDecision | { readonly status: 'expired' };

function sealAnswer(seal: Seal, approval: Approval, answer: Answer) {
  return seal({
    type: 'policy.decision',
    actor: answer.status === 'expired' ? 'system' : 'operator',
    payload: {
      decision: answer.status === 'approved' ? 'allow' : 'deny',
      approval_id: approval.id,
      status: answer.status,
      tool: approval.tool,
      tool_call_id: approval.callId,
      request_id: approval.requestId,
      ...(answer.status === 'expired' ? {} : { by: answer.by, note: answer.note }),
    },
  });
}
