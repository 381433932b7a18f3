import { defined } from '../defined.ts';
import { RuntimeError } from '../errors.ts';
import type { Ids, RunId } from '../ids.ts';
import { isDirectMessage } from '../loop/direct-tool.ts';
import type { Run } from '../runs/run.ts';
import { runNotFound } from '../runs/run-not-found.ts';
import type { RunStore } from '../runs/run-store.ts';
import type { RunSlots } from '../runs/runner.ts';
import type { Tracer } from '../telemetry.ts';
import { type AcceptFrameDeps, acceptFrame } from './accept-frame.ts';

export interface SteerRun {
  readonly runId: RunId;
  readonly message: string;
  /** The same key with the same message is one message. */
  readonly idempotencyKey?: string;
}

export interface SteerDeps extends AcceptFrameDeps {
  readonly runs: Pick<RunStore, 'find' | 'acceptFrame'>;
  readonly ids: Pick<Ids, 'request'>;
  readonly slots: Pick<RunSlots, 'tell'> | undefined;
  readonly tracer?: Pick<Tracer, 'current'>;
}

export interface SteerReceipt {
  readonly run: Run;
  /** Of the event that holds the message; undefined when it was there already. */
  readonly seq: number | undefined;
  readonly replayed: boolean;
}

/**
 * A message for a run on its way, which its next turn reads. Durable when this returns. A run that has ended, or is to be
 * cancelled, would never read it: `conflict`.
 */
export async function steerRun(deps: SteerDeps, request: SteerRun): Promise<SteerReceipt> {
  const { runId, message, idempotencyKey = deps.ids.request() } = request;
  const run = await deps.runs.find(runId);
  if (!run) throw runNotFound(runId);
  assertSteerable(run, message);
  const { seq, replayed } = await acceptFrame(deps, {
    runId,
    frameId: `steer:${idempotencyKey}`,
    type: 'user_message',
    payload: { text: message },
    needsReader: true,
    mismatch: 'the idempotency key was used for another message',
    ...defined({ trace: deps.tracer?.current?.() }),
  });
  // A runner elsewhere looks for it; ours need not wait for that.
  deps.slots?.tell(runId);
  return { run, seq, replayed };
}

function assertSteerable(run: Run, message: string): void {
  if (isDirectMessage(message)) {
    const told = '/tool is a run of its own: send it as the next message';
    throw new RuntimeError('invalid_input', told, { details: { field: 'message' } });
  }
  if (run.thread === undefined && isDirectMessage(run.message)) {
    const told = `run ${run.id} is one call of a tool and asks no model: nothing would read the message`;
    throw new RuntimeError('conflict', told);
  }
}
