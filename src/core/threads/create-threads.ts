import { RuntimeError } from '../errors.ts';
import type { Seal } from '../events/seal.ts';
import type { RunId } from '../ids.ts';
import { type Principal, toOwner } from '../principal.ts';
import { CANCEL_REASON } from '../runs/cancel-drafts.ts';
import type { Run } from '../runs/run.ts';
import { runNotFound } from '../runs/run-not-found.ts';
import type { RunStore } from '../runs/run-store.ts';
import type { Runs } from '../runs/runs.ts';
import { acceptFrame } from './accept-frame.ts';
import { type CreateThreadRunDeps, createThreadRun } from './create-thread-run.ts';
import { kindOf, reasonOf } from './frame.ts';
import type { Threads } from './threads.ts';

export interface ThreadsDeps extends CreateThreadRunDeps {
  readonly runs: Pick<RunStore, 'find' | 'create' | 'acceptFrame'>;
  readonly seal: Seal;
  readonly cancelRun: Runs['cancel'];
}

export function createThreads(deps: ThreadsDeps): Threads {
  return {
    create: (request) => createThreadRun(deps, request),

    get: (ref) => getOwned(deps, ref),

    async accept(request) {
      const run = await getOwned(deps, request);
      const { replayed } = await acceptFrame(deps, request);
      // At once, and again when the frame is: whoever took it first may have died here. Should nobody ask again, the
      // runner finds the frame itself.
      if (kindOf(request.type) === 'cancel') {
        await cancel(deps, run.id, reasonOf(request) || CANCEL_REASON);
      }
      return { run, replayed };
    },

    async cancel(request) {
      const { id } = await getOwned(deps, request);
      return cancel(deps, id, request.reason);
    },
  };
}

function cancel(deps: ThreadsDeps, runId: RunId, reason: string) {
  return deps.cancelRun({ runId, reason, actor: 'user' });
}

interface OwnedRef {
  readonly runId: RunId;
  readonly threadId: string;
  readonly principal: Principal;
}

/** A run is known by its id and its thread together. */
async function getOwned(deps: ThreadsDeps, ref: OwnedRef): Promise<Run> {
  const run = await deps.runs.find(ref.runId);
  if (run?.thread === undefined || run.thread.id !== ref.threadId) throw runNotFound(ref.runId);
  if (run.owner === toOwner(ref.principal)) return run;
  throw new RuntimeError('forbidden', 'run/thread does not belong to principal');
}
