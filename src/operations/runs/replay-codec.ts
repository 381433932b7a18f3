import type { RunId } from '../../core/ids.ts';
import type { RunDiff, RunStep } from '../../core/replay/diff-runs.ts';
import type { Replay } from '../../core/replay/replay-recording.ts';
import type { ComparedEvent } from '../../core/replay/tape.ts';
import type { ReplayShape, RunDiffShape, RunStepShape } from './replay-shapes.ts';

export function encodeReplay(runId: RunId, { matched, divergence }: Replay): ReplayShape {
  return {
    run_id: runId,
    equal: divergence === undefined,
    matched_events: matched,
    divergence: divergence
      ? {
          seq: divergence.seq,
          recorded: encodeCompared(divergence.recorded),
          replayed: encodeCompared(divergence.replayed),
        }
      : null,
  };
}

function encodeCompared(event: ComparedEvent | null) {
  return event && { event_type: event.type, actor: event.actor, payload: event.payload };
}

export function encodeDiff(left: RunId, right: RunId, diff: RunDiff): RunDiffShape {
  const { divergence } = diff;
  return {
    left,
    right,
    equal: divergence === undefined,
    same_steps: diff.sameSteps,
    shared_through_seq: diff.sharedThroughSeq ?? null,
    first_divergence: divergence
      ? { left: encodeStep(divergence.left), right: encodeStep(divergence.right) }
      : null,
    steps: diff.steps.map((pair) => ({
      equal: pair.isEqual,
      left: encodeLine(pair.left),
      right: encodeLine(pair.right),
    })),
    truncated: diff.isTruncated,
  };
}

function encodeLine(step: RunStep | undefined) {
  return step ? { seq: step.seq, event_type: step.type, line: step.line } : null;
}

function encodeStep(step: RunStep | undefined): RunStepShape | null {
  return step
    ? { seq: step.seq, event_type: step.type, line: step.line, said: { ...step.said } }
    : null;
}
