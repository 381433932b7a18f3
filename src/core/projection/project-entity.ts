import { type Clock, toIso } from '../clock.ts';
import { RuntimeError } from '../errors.ts';
import { type Drift, decideProjection } from './decide-projection.ts';
import { hashSummary } from './hash-summary.ts';
import { PROJECTION_VERSION, toDocumentId } from './projection.ts';
import type { ProjectionSink } from './projection-sink.ts';
import type { Fold, ProjectionSource, ProjectionSubject } from './projection-source.ts';
import type { Checkpoint, ProjectionStore } from './projection-store.ts';

/** Others write the same entity only for as long as somebody rebuilds it beside a server. */
const MAX_ATTEMPTS = 5;

export interface ProjectEntityDeps {
  readonly store: Pick<ProjectionStore, 'find' | 'put'>;
  readonly sink: Pick<ProjectionSink, 'write'>;
  readonly clock: Pick<Clock, 'nowMs'>;
}

export interface ProjectRequest {
  readonly source: ProjectionSource;
  readonly id: string;
  /** Replays the whole log, compares, and writes in any case. */
  readonly isRebuild?: boolean;
}

export type ProjectOutcome =
  | { readonly outcome: 'missing' }
  | { readonly outcome: 'skipped'; readonly drift: Drift | undefined }
  | { readonly outcome: 'written'; readonly drift: Drift | undefined };

/**
 * Brings the summary of one entity up to its log. The sink is written first and the checkpoint after it: a crash
 * between the two writes the same summary once more, and never leaves a checkpoint ahead of its document.
 */
export async function projectEntity(
  deps: ProjectEntityDeps,
  request: ProjectRequest,
): Promise<ProjectOutcome> {
  const { source, id } = request;
  const entity = { projection: source.projection, id };
  let drift: Drift | undefined;
  let mustWrite = request.isRebuild === true;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    // The checkpoint before the log: the log only grows, so what is read later covers it.
    const checkpoint = await deps.store.find(entity);
    const subject = await source.find(id);
    if (subject === undefined || subject.latestSeq === 0) return { outcome: 'missing' };
    const { fold, found } = await (request.isRebuild
      ? replay(subject, checkpoint)
      : advance(subject, checkpoint));
    const summaryHash = hashSummary(fold.summary);
    const decision = decideProjection(checkpoint, { seq: fold.seq, summaryHash });
    drift ??= found ?? (decision.action === 'write' ? decision.drift : undefined);
    if (decision.action === 'skip' && !mustWrite) {
      return {
        outcome: 'skipped',
        drift: decision.reason === 'idempotent' ? undefined : decision.reason,
      };
    }
    const projectedAtMs = deps.clock.nowMs();
    await deps.sink.write({
      id: toDocumentId(entity),
      projection: entity.projection,
      summary: { ...fold.summary, projected_at: toIso(projectedAtMs) },
    });
    const { seq, state } = fold;
    const isOpen = subject.isOpen || seq < subject.latestSeq;
    const written = {
      ...entity,
      seq,
      version: PROJECTION_VERSION,
      summaryHash,
      projectedAtMs,
      isOpen,
      state,
    };
    if (await deps.store.put(written, checkpoint?.revision ?? 0))
      return { outcome: 'written', drift };
    // Somebody else wrote meanwhile, and ours may have landed over a newer one: only another write makes it certain.
    mustWrite = true;
  }
  throw new RuntimeError(
    'conflict',
    `${toDocumentId(entity)} is written by somebody else all the time`,
    {
      retryable: true,
    },
  );
}

interface Folded {
  readonly fold: Fold;
  readonly found: Drift | undefined;
}

async function advance(
  subject: ProjectionSubject,
  checkpoint: Checkpoint | undefined,
): Promise<Folded> {
  const canGoOn = checkpoint?.version === PROJECTION_VERSION && checkpoint.seq <= subject.latestSeq;
  const from = canGoOn ? checkpoint.state : undefined;
  return { fold: await subject.fold(from, subject.latestSeq), found: undefined };
}

/** From the first event, with a look at what the summary should have been where the checkpoint stands. */
async function replay(
  subject: ProjectionSubject,
  checkpoint: Checkpoint | undefined,
): Promise<Folded> {
  const { latestSeq } = subject;
  const whole = () => subject.fold(undefined, latestSeq);
  if (checkpoint === undefined) return { fold: await whole(), found: undefined };
  if (checkpoint.seq > latestSeq) return { fold: await whole(), found: 'checkpoint_ahead' };
  if (checkpoint.version !== PROJECTION_VERSION) {
    return { fold: await whole(), found: 'projection_version_changed' };
  }
  const then = await subject.fold(undefined, checkpoint.seq);
  // A log that has lost its beginning can't tell again what it told before.
  if (then.seq !== checkpoint.seq || then.firstSeq > 1) return advance(subject, checkpoint);
  const fits = hashSummary(then.summary) === checkpoint.summaryHash;
  const fold = await subject.fold(then.state, latestSeq);
  return { fold, found: fits ? undefined : 'summary_hash_mismatch' };
}
