import type { SealedDraft } from '../../../core/events/event.ts';
import type { AgentId, RunId } from '../../../core/ids.ts';
import type { ClaimedRun, CreateResult, NewFrame } from '../../../core/runs/run-store.ts';
import type { WriteOps, WriteRequest } from '../write-ops.ts';

/** What one write added to the log of one run. */
export interface Written {
  readonly runId: RunId;
  /** Where it is said, the run is known from here on, whatever was known of it. */
  readonly agentId?: AgentId;
  readonly drafts: readonly SealedDraft[];
  /** Of the run, with these. */
  readonly lastSeq: number;
}

type Args<Op extends keyof WriteOps> = Parameters<WriteOps[Op]>;

/** Of the writes that a run consists of; undefined for others, and for those that wrote nothing. */
export function toWritten({ op, args }: WriteRequest, value: unknown): Written | undefined {
  switch (op) {
    case 'append':
    case 'finish':
    case 'rest':
    case 'park': {
      const [{ runId }, drafts] = args as readonly [...Args<'append'>];
      const { lastSeq } = value as { readonly lastSeq?: number };
      return lastSeq === undefined ? undefined : { runId, drafts, lastSeq };
    }
    case 'acceptFrame': {
      const [{ runId }, draft] = args as readonly [NewFrame, SealedDraft];
      const { seq } = value as { readonly seq?: number };
      return seq === undefined ? undefined : { runId, drafts: [draft], lastSeq: seq };
    }
    case 'create':
      return toCreated(args as Args<'create'>, value as CreateResult);
    case 'claim':
      return toClaimed(args as Args<'claim'>, value as ClaimedRun | undefined);
    default:
      return undefined;
  }
}

/** Of one that goes on it does not say whether a recovery is on record. */
function toClaimed(
  [{ started }]: Args<'claim'>,
  claimed: ClaimedRun | undefined,
): Written | undefined {
  if (!claimed) return undefined;
  const { id: runId, agentId, lastSeq } = claimed.run;
  return { runId, agentId, drafts: claimed.resumed ? [] : [started], lastSeq };
}

function toCreated(args: Args<'create'>, created: CreateResult): Written | undefined {
  if (created.outcome !== 'created') return undefined;
  const [{ id: runId, agentId }, drafts, { lease }] = args;
  const started = created.lease === undefined ? undefined : lease?.started;
  return {
    runId,
    agentId,
    drafts: started ? [...drafts, started] : drafts,
    lastSeq: created.run.lastSeq,
  };
}
