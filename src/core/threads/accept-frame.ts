import { createHash } from 'node:crypto';
import { defined } from '../defined.ts';
import { RuntimeError } from '../errors.ts';
import type { Seal } from '../events/seal.ts';
import { faultPoint } from '../fault-point.ts';
import type { RunId } from '../ids.ts';
import { canonicalJson, type JsonObject } from '../json.ts';
import type { RunStatus } from '../runs/run.ts';
import type { RunStore } from '../runs/run-store.ts';
import { encodeTrace, type TraceContext } from '../trace-context.ts';
import { isEnding, kindOf, messageTextOf } from './frame.ts';

export interface AcceptFrameDeps {
  readonly runs: Pick<RunStore, 'acceptFrame'>;
  readonly seal: Seal;
}

export interface GivenFrame {
  readonly runId: RunId;
  readonly frameId: string;
  readonly type: string;
  readonly payload: JsonObject;
  readonly occurredAt?: string;
  readonly trace?: TraceContext;
  /** A run that will not read it refuses it with a `conflict`, where others keep it. */
  readonly needsReader?: true;
  /** What to say when its id stands for another one, to callers that do not know of frames. */
  readonly mismatch?: string;
}

export interface AcceptedInput {
  /** It was there already. */
  readonly replayed: boolean;
  /** Of its event, when this call recorded one: a run that has ended keeps the frame and nothing comes of it. */
  readonly seq: number | undefined;
}

/** Frames of one run, all of them: a conversation that needs more goes on with another run of its thread. */
const MAX_FRAMES_PER_RUN = 10_000;

/** Beyond those: a run that is full can still be told to end. */
const MAX_ENDING_FRAMES = 100;

/** Durable when it returns. The same frame again changes nothing; another under the same id is a `conflict`. */
export async function acceptFrame(
  deps: AcceptFrameDeps,
  request: GivenFrame,
): Promise<AcceptedInput> {
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
  const isSilent = kind === 'other';
  const { needsReader = false, mismatch = 'frame_id payload mismatch for existing frame' } =
    request;
  const frame = { runId, frameId, digest, maxFrames, isSilent, needsReader };
  const result = await deps.runs.acceptFrame(frame, draft);
  faultPoint('frame.after_accept');
  switch (result.outcome) {
    case 'accepted':
      return { replayed: false, seq: result.seq };
    case 'replayed':
      return { replayed: true, seq: undefined };
    case 'conflict':
      throw new RuntimeError('conflict', mismatch);
    case 'closed':
      throw closed(runId, result.status);
    case 'full':
      throw new RuntimeError(
        'limit_reached',
        `run ${runId} has ${MAX_FRAMES_PER_RUN} frames: finish it and go on with another run of its thread`,
      );
  }
}

function closed(runId: RunId, status: RunStatus): RuntimeError {
  const message =
    status === 'cancelling'
      ? `run ${runId} is being cancelled: send the message when it has ended`
      : `run ${runId} has ended (${status}): send the message as the next one`;
  return new RuntimeError('conflict', message);
}
