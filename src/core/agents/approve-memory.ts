import { RuntimeError } from '../errors.ts';
import type { SecurityEvents } from '../observability/security-events.ts';
import type { MemoryAccess } from './agent.ts';

export interface MemoryRequest {
  readonly memoryAccess?: MemoryAccess | undefined;
  /** Whether a person has said that this agent may. */
  readonly isMemoryApproved?: boolean | undefined;
  /** Whom it is for, in the log. */
  readonly agent: string;
}

/** Throws `policy_denied` for memory of everybody that nobody has approved. */
export type ApproveMemory = (request: MemoryRequest) => void;

export function createApproveMemory(deps: {
  readonly isRequired: () => boolean;
  readonly securityEvents: Pick<SecurityEvents, 'note'>;
}): ApproveMemory {
  return ({ memoryAccess, isMemoryApproved, agent }) => {
    if (memoryAccess !== 'global' || isMemoryApproved || !deps.isRequired()) return;
    const about = { agent };
    deps.securityEvents.note('global_memory_access_denied', { outcome: 'denied', about });
    throw new RuntimeError('policy_denied', 'Global memory elevation requires explicit approval.', {
      details: {
        recovery_action:
          'Set x-clawos-global-memory-approved: true after approving least-privilege impact.',
      },
    });
  };
}
