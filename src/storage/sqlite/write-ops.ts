import { createEnsureAgent } from './agent-writes.ts';
import { createAnswerWrites, createApprovals } from './approval-writes.ts';
import { createReplaceBreaker } from './breaker-writes.ts';
import { createSetCapability } from './capability-writes.ts';
import { createCreateRun } from './create-run.ts';
import { createResolveEffect } from './effect-writes.ts';
import { createAddEvents } from './event-writes.ts';
import { createIdempotencyWrites } from './idempotency-writes.ts';
import { createClaim, createGrantLease, createLeaseWrites } from './lease-writes.ts';
import { createRunWrites } from './run-writes.ts';
import { createPutPins } from './tool-pin-writes.ts';
import type { WriteContext } from './write-context.ts';

/** Everything that changes the database, as synchronous functions that run inside a batch's transaction. */
export function createWriteOps(context: WriteContext) {
  const addEvents = createAddEvents(context);
  const grantLease = createGrantLease(context);
  const approvals = createApprovals(context);
  return {
    create: createCreateRun(context, addEvents, grantLease),
    claim: createClaim(context, addEvents, grantLease),
    ...createLeaseWrites(context),
    ...createRunWrites(context, { addEvents, approvals }),
    ...createAnswerWrites(context, addEvents, approvals),
    ...createIdempotencyWrites(context),
    resolveEffect: createResolveEffect(context),
    replaceBreaker: createReplaceBreaker(context),
    setCapability: createSetCapability(context),
    putPins: createPutPins(context),
    ensureAgent: createEnsureAgent(context),
    /** Takes the write lock and changes nothing: proof that writing would work. */
    ping: (): void => {},
  };
}

export type WriteOps = ReturnType<typeof createWriteOps>;
export type WriteOpName = keyof WriteOps;

export interface WriteRequest {
  readonly op: WriteOpName;
  readonly args: readonly unknown[];
}
