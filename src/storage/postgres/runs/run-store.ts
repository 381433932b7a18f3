import type { RunStore } from '../../../core/runs/run-store.ts';
import { setAgentStatus } from '../agent-status.ts';
import type { CommitDeps } from '../commit-writes.ts';
import { parkWrite } from '../effects/approval-writes.ts';
import { claimWrite } from './claim-write.ts';
import { createRunWrite } from './create-run-write.ts';
import { acceptFrameWrite, restWrite } from './frame-writes.ts';
import { renewLeases, takeOverLeases } from './lease-statements.ts';
import {
  countRunsByStatus,
  findRun,
  listRuns,
  listUnrecordedRuns,
  listWrittenTo,
} from './run-reads.ts';
import { searchRuns } from './run-search.ts';
import type { RunWriter } from './run-writer.ts';
import {
  appendWrite,
  cancelWrite,
  finishWrite,
  markRecordedWrite,
  noteWrite,
  releaseWrite,
} from './run-writes.ts';

export function createRunStore(deps: CommitDeps, { submit }: RunWriter): RunStore {
  const { database } = deps;
  return {
    create: (run, drafts, options) => submit(createRunWrite(run, drafts, { options })),
    find: (id) => findRun(database, id),
    list: (filter) => listRuns(database, filter),
    search: (search) => searchRuns(database, search),
    claim: (request) => submit(claimWrite(request)),
    renew: (leases, leaseMs) =>
      renewLeases(database, { leases, leaseMs, overrideNowMs: deps.nowMs?.() }),
    release: (leases) => submit(releaseWrite(leases)),
    takeOver: async (ownerPrefix) => {
      const freed = await takeOverLeases(database, ownerPrefix);
      if (freed > 0) deps.wake([], true);
      return freed;
    },
    append: (lease, drafts, effects) => submit(appendWrite(lease, drafts, effects)),
    finish: (lease, drafts, ...[end, effects]) =>
      submit(finishWrite(lease, drafts, { end, effects })),
    park: (lease, drafts, approval) => submit(parkWrite(lease, drafts, approval)),
    acceptFrame: (frame, draft) => submit(acceptFrameWrite(frame, draft)),
    listWrittenTo: (runIds) => listWrittenTo(database, runIds),
    rest: (lease, drafts, framesThrough) => submit(restWrite(lease, drafts, framesThrough)),
    note: (runId, drafts, effects) => submit(noteWrite(runId, drafts, effects)),
    requestCancel: (runId, drafts) => submit(cancelWrite(runId, drafts)),
    listUnrecorded: (limit, lacking) => listUnrecordedRuns(deps, limit, lacking),
    markRecorded: async (marks) => {
      await Promise.all(marks.map((mark) => submit(markRecordedWrite(mark))));
    },
    async setAgentStatus(agentId, status) {
      const { isKnown, isFreed } = await setAgentStatus(database, {
        agentId,
        status,
        nowMs: deps.nowMs?.(),
      });
      if (isFreed) deps.wake([], true);
      return isKnown;
    },
    countByStatus: () => countRunsByStatus(database),
  };
}
