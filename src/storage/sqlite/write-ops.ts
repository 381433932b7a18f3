import { createSetAgentStatus } from './agent-status.ts';
import { createAnswerWrites, createApprovals } from './effects/approval-writes.ts';
import { createResolveEffect } from './effects/effect-writes.ts';
import { createIdempotencyWrites } from './effects/idempotency-writes.ts';
import { createImportSteps } from './import-steps.ts';
import { createJobWrites } from './jobs/job-writes.ts';
import { createProbe } from './probe-write.ts';
import { createCreateRun } from './runs/create-run.ts';
import { createAddEvents } from './runs/event-writes.ts';
import { createClaim, createGrantLease, createLeaseWrites } from './runs/lease-writes.ts';
import { createRestoreRun } from './runs/restore-run.ts';
import { createPruneEvents } from './runs/retention-writes.ts';
import { createRunWrites } from './runs/run-writes.ts';
import { createSessionWrites } from './sessions/session-writes.ts';
import { createTableWrites } from './table-writes.ts';
import { createWorkerWrites } from './workers/worker-writes.ts';
import type { WriteContext } from './write-context.ts';

/** Everything that changes the database, as synchronous functions that run inside a batch's transaction. */
export function createWriteOps(context: WriteContext) {
  const addEvents = createAddEvents(context);
  const grantLease = createGrantLease(context);
  const approvals = createApprovals(context);
  const createRun = createCreateRun(context, addEvents, grantLease);
  const sessions = createSessionWrites(context);
  const tables = createTableWrites(context);
  const jobs = createJobWrites(context, {
    createRun,
    appendMessages: sessions.appendMessages,
    perform: tables.perform,
  });
  return {
    create: createRun,
    claim: createClaim(context, addEvents, grantLease),
    ...createLeaseWrites(context),
    ...createRunWrites(context, { addEvents, approvals }),
    ...createAnswerWrites(context, addEvents, approvals),
    ...createIdempotencyWrites(context),
    setAgentStatus: createSetAgentStatus(context),
    resolveEffect: createResolveEffect(context),
    performWrite: tables.performWrite,
    ...sessions,
    ...jobs,
    importSteps: createImportSteps(context, {
      performWrite: tables.performWrite,
      saveSummary: sessions.saveSummary,
      createJob: jobs.createJob,
    }),
    ...createWorkerWrites(context),
    pruneEvents: createPruneEvents(context),
    restoreRun: createRestoreRun(context, { addEvents, approvals }),
    probe: createProbe(context),
  };
}

export type WriteOps = ReturnType<typeof createWriteOps>;
export type WriteOpName = keyof WriteOps;

export interface WriteRequest {
  readonly op: WriteOpName;
  readonly args: readonly unknown[];
}
