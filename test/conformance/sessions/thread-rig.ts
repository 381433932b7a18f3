import type { SealedDraft } from '../../../src/core/events/event.ts';
import type { EventLog } from '../../../src/core/events/event-log.ts';
import type { RunId } from '../../../src/core/ids.ts';
import type { Run, RunThread } from '../../../src/core/runs/run.ts';
import type {
  AcceptResult,
  LeaseRef,
  NewFrame,
  NewRun,
  RunStore,
} from '../../../src/core/runs/run-store.ts';
import { claimOnly, createRun, draft, type Held, MANY } from '../harness.ts';

export const THREAD: RunThread = { id: 'thread_abc', staysOpen: true };
const OWNER = 'user:42';

/** A run that rests until its first frame; its log holds `run.created`. */
export function createThreadRun(runs: RunStore, overrides: Partial<NewRun> = {}): Promise<Run> {
  const fixed = { thread: THREAD, owner: OWNER, source: 'internal', message: '' };
  return createRun(runs, { ...fixed, ...overrides });
}

export function newFrame(
  runId: RunId,
  frameId: string,
  overrides: Partial<NewFrame> = {},
): NewFrame {
  return { runId, frameId, digest: 'digest', maxFrames: MANY, ...overrides };
}

export const frameDraft = (frameId: string): SealedDraft => draft('frame.accepted', { frameId });

export function sendFrame(runs: RunStore, runId: RunId, frameId: string): Promise<AcceptResult> {
  return runs.acceptFrame(newFrame(runId, frameId), frameDraft(frameId));
}

/** A run that somebody holds because of its first frame: `run.created`, `frame.accepted`, `run.started`. */
export async function claimThreadRun(
  runs: RunStore,
  overrides: Partial<NewRun> = {},
): Promise<Held> {
  const { id } = await createThreadRun(runs, overrides);
  await sendFrame(runs, id, 'frm_1');
  return claimOnly(runs, id);
}

/** A run that has answered its first frame and rests. */
export async function restThreadRun(runs: RunStore, overrides: Partial<NewRun> = {}): Promise<Run> {
  const { run, lease } = await claimThreadRun(runs, overrides);
  await rest(runs, lease, run.lastSeq);
  return run;
}

export async function rest(runs: RunStore, lease: LeaseRef, framesThrough: number): Promise<void> {
  const { outcome } = await runs.rest(lease, [], framesThrough);
  if (outcome !== 'rested') throw new Error(`run ${lease.runId} does not rest: ${outcome}`);
}

/** The frames on record, as `seq frameId`, in order. */
export async function listFrames(events: EventLog, runId: RunId): Promise<string[]> {
  const frames = await events.readFrames(runId, { after: 0, limit: 1_000 });
  return frames.map(({ seq, payload }) => `${seq} ${String(payload['frameId'])}`);
}
