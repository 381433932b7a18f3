import { createHash } from 'node:crypto';
import { defined } from '../defined.ts';
import { RuntimeError } from '../errors.ts';
import type { Seal } from '../events/seal.ts';
import { faultPoint } from '../fault-point.ts';
import type { RunId } from '../ids.ts';
import { canonicalJson } from '../json.ts';
import { type Principal, toOwner } from '../principal.ts';
import { CANCEL_REASON } from '../runs/cancel-drafts.ts';
import type { Run } from '../runs/run.ts';
import { runNotFound } from '../runs/run-not-found.ts';
import type { RunStore } from '../runs/run-store.ts';
import type { Runs } from '../runs/runs.ts';
import { encodeTrace } from '../trace-context.ts';
import { type CreateThreadRunDeps, createThreadRun } from './create-thread-run.ts';
import { isEnding, kindOf, messageTextOf, reasonOf } from './frame.ts';
import type { AcceptFrame, Threads } from './threads.ts';

export interface ThreadsDeps extends CreateThreadRunDeps {
  readonly runs: Pick<RunStore, 'find' | 'create' | 'acceptFrame'>;
  readonly seal: Seal;
  readonly cancelRun: Runs['cancel'];
}

/** Frames of one run, all of them: a conversation that needs more goes on with another run of its thread. */
const MAX_FRAMES_PER_RUN = 10_000;

/** Beyond those: a run that is full can still be told to end. */
const MAX_ENDING_FRAMES = 100;

export function createThreads(deps: ThreadsDeps): Threads {
  return {
    create: (request) => createThreadRun(deps, request),

    get: (ref) => getOwned(deps, ref),

    async accept(request) {
      const run = await getOwned(deps, request);
      const replayed = await acceptFrame(deps, request);
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

/** Whether it was there already. */
async function acceptFrame(deps: ThreadsDeps, request: AcceptFrame): Promise<boolean> {
  const { runId, frameId, type, payload, occurredAt, trace } = request;
  const text = kindOf(type) === 'message' ? messageTextOf(payload) : '';
  const draft = deps.seal({
    type: 'frame.accepted',
    actor: 'user',
    payload: {
      frame_id: frameId,
      type,
      payload,
      ...defined({ occurred_at: occurredAt }),
      ...(trace === undefined ? {} : { trace: encodeTrace(trace) }),
    },
    ...(text === '' ? {} : { message: { role: 'user', content: text } }),
  });
  faultPoint('frame.before_accept');
  const digest = createHash('sha256').update(canonicalJson({ type, payload })).digest('hex');
  const kind = kindOf(type);
  const maxFrames = MAX_FRAMES_PER_RUN + (isEnding({ kind }) ? MAX_ENDING_FRAMES : 0);
  const frame = { runId, frameId, digest, maxFrames, isSilent: kind === 'other' };
  const result = await deps.runs.acceptFrame(frame, draft);
  faultPoint('frame.after_accept');
  switch (result.outcome) {
    case 'accepted':
      return false;
    case 'replayed':
      return true;
    case 'conflict':
      throw new RuntimeError('conflict', 'frame_id payload mismatch for existing frame');
    case 'full':
      throw new RuntimeError(
        'limit_reached',
        `run ${runId} has ${MAX_FRAMES_PER_RUN} frames: finish it and go on with another run of its thread`,
      );
  }
}
