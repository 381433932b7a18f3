import type { ApprovalStore } from '../../core/approvals/approval.ts';
import type { EffectStore } from '../../core/effects/effect.ts';
import type { IdempotencyStore } from '../../core/reliability/idempotency/idempotency-store.ts';
import type { RunStore } from '../../core/runs/run-store.ts';
import type { Storage } from '../../core/storage.ts';
import { createImportStore } from '../staged-steps.ts';
import { createTableStores } from '../table-stores.ts';
import { createApprovalReads } from './effects/approval-reads.ts';
import { createEffectReads } from './effects/effect-reads.ts';
import { createIdempotencyReads } from './effects/idempotency-reads.ts';
import { createJobStore } from './jobs/job-store.ts';
import type { PortDeps } from './port-deps.ts';
import { createEventListing } from './runs/event-listing.ts';
import { createEventLogs } from './runs/event-log.ts';
import { createRecordReads } from './runs/record-reads.ts';
import { createRetentionReads } from './runs/retention-reads.ts';
import { createRunReads } from './runs/run-reads.ts';
import { createSessionStore } from './sessions/session-store.ts';
import { createTables } from './tables.ts';
import { createWorkerStore } from './workers/worker-store.ts';

type Ports = Omit<Storage, 'engine' | 'wakeups' | 'ping' | 'close'>;

/** Each port reads on its own connection and writes through the one writer. */
export function createPorts(deps: PortDeps): Ports {
  const { db, writer, read } = deps;
  const prunable = createRetentionReads(db, deps.nowMs);
  const records = createRecordReads(db);
  const listing = createEventListing(db);
  return {
    ...createTableStores(createTables(deps)),
    runs: createRunStore(deps),
    ...createEventLogs(deps),
    records: {
      listHeads: (page) => read(() => records.listHeads(page)),
      findHead: (runId) => read(() => records.findHead(runId)),
      listEvents: (page) => read(() => listing(page)),
      listOwn: async (runIds) => runIds,
      renewNode: async () => {},
      restore: (run) => writer.submit('restoreRun', run),
    },
    retention: {
      listPrunable: (filter) => read(() => prunable(filter)),
      prune: (cuts) => writer.submit('pruneEvents', cuts),
    },
    effects: createEffectStore(deps),
    approvals: createApprovalStore(deps),
    idempotency: createIdempotencyStore(deps),
    imports: createImportStore((steps) => writer.submit('importSteps', steps)),
    sessions: createSessionStore(deps),
    jobs: createJobStore(deps),
    workers: createWorkerStore(deps),
  };
}

function createRunStore({ db, read, writer }: PortDeps): RunStore {
  const reads = createRunReads(db);
  return {
    create: (run, drafts, options) => writer.submit('create', run, drafts, options),
    find: (id) => read(() => reads.find(id)),
    list: (filter) => read(() => reads.list(filter)),
    search: (search) => read(() => reads.search(search)),
    claim: (request) => writer.submit('claim', request),
    renew: (leases, leaseMs) => writer.submit('renew', leases, leaseMs),
    release: (leases) => writer.submit('release', leases),
    takeOver: (ownerPrefix) => writer.submit('takeOver', ownerPrefix),
    append: (lease, drafts, effects) => writer.submit('append', lease, drafts, effects),
    finish: (lease, drafts, ...[end, effects]) =>
      writer.submit('finish', lease, drafts, { end, effects }),
    park: (lease, drafts, approval) => writer.submit('park', lease, drafts, approval),
    acceptFrame: (frame, draft) => writer.submit('acceptFrame', frame, draft),
    listWrittenTo: (runIds) => read(() => reads.listWrittenTo(runIds)),
    rest: (lease, drafts, framesThrough) => writer.submit('rest', lease, drafts, framesThrough),
    note: (runId, drafts, effects) => writer.submit('note', runId, drafts, effects),
    requestCancel: (runId, drafts) => writer.submit('requestCancel', runId, drafts),
    listUnrecorded: (limit, lacking) => read(() => reads.listUnrecorded(limit, lacking)),
    markRecorded: (marks) => writer.submit('markRecorded', marks),
    setAgentStatus: (id, status) => writer.submit('setAgentStatus', id, status),
    countByStatus: () => read(reads.countByStatus),
  };
}

function createEffectStore({ db, read, writer }: PortDeps): EffectStore {
  const reads = createEffectReads(db);
  return {
    find: (id) => read(() => reads.find(id)),
    list: (filter) => read(() => reads.list(filter)),
    resolve: (id, resolution) => writer.submit('resolveEffect', id, resolution),
    countByStatus: () => read(reads.countByStatus),
  };
}

function createApprovalStore({ db, read, writer, nowMs }: PortDeps): ApprovalStore {
  const reads = createApprovalReads(db, nowMs);
  return {
    find: (id) => read(() => reads.find(id)),
    findByRequest: (requestId) => read(() => reads.findByRequest(requestId)),
    list: (filter) => read(() => reads.list(filter)),
    listOverdue: (limit) => read(() => reads.listOverdue(limit)),
    decide: (id, decision, draft) => writer.submit('decideApproval', id, decision, draft),
    expire: (id, draft) => writer.submit('expireApproval', id, draft),
  };
}

function createIdempotencyStore({ db, read, writer, nowMs }: PortDeps): IdempotencyStore {
  const reads = createIdempotencyReads(db, nowMs);
  return {
    claim: (claim) => writer.submit('claimKey', claim),
    renew: (storedKey, claimId, leaseMs) => writer.submit('renewKey', storedKey, claimId, leaseMs),
    settle: (storedKey, claimId, settlement) =>
      writer.submit('settleKey', storedKey, claimId, settlement),
    release: (storedKey, claimId) => writer.submit('releaseKey', storedKey, claimId),
    find: (storedKey) => read(() => reads.find(storedKey)),
    list: (toolId, page) => read(() => reads.list(toolId, page)),
    flush: (toolId, key) => writer.submit('flushKeys', toolId, key),
  };
}
