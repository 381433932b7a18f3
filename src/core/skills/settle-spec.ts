import { mayChange } from '../principal.ts';
import type {
  FoundSpec,
  Publication,
  PublishResult,
  PutSpec,
  PutSpecResult,
  StoredSpec,
} from './skill-store.ts';
import { isBefore, isImmutable, type SpecState } from './spec-state.ts';

/**
 * What becomes of a spec that is put where another may be. Pure, so that both engines decide alike under their locks.
 */
export function settleSpec(
  found: FoundSpec,
  put: PutSpec,
  nowMs: number,
): Exclude<PutSpecResult, { outcome: 'full' | 'owner_full' }> {
  const { stored, owner = put.submittedBy } = found;
  if (!mayChange(put.submittedBy, owner)) return { outcome: 'foreign' };
  if (!stored)
    return { outcome: 'stored', spec: { ...put, owner, createdAtMs: nowMs, updatedAtMs: nowMs } };
  const isSame = stored.contentHash === put.contentHash;
  if (isImmutable(stored.state) && !isSame) {
    return { outcome: 'refused', reason: 'immutable', state: stored.state };
  }
  const state = toNextState(stored.state, put.state);
  if (state === undefined) return { outcome: 'refused', reason: 'backward', state: stored.state };
  if (isSame && state === stored.state) return { outcome: 'stored', spec: stored };
  const { createdAtMs } = stored;
  // Whoever retires a published spec did not write it.
  const submittedBy = isSame ? stored.submittedBy : put.submittedBy;
  return {
    outcome: 'stored',
    spec: { ...put, owner, state, submittedBy, createdAtMs, updatedAtMs: nowMs },
  };
}

/** Undefined for a step back. To say of published content that it is valid is none: it was, and nothing changes. */
function toNextState(stored: SpecState, wanted: SpecState): SpecState | undefined {
  if (!isBefore(wanted, stored)) return wanted;
  return wanted === 'validated' ? stored : undefined;
}

/** What publishing does: `published` and `exists` name the release, `spec` the row that is written with it. */
export function settlePublication(
  found: FoundSpec & { readonly release: Publication['release'] | undefined },
  { release, source }: Publication,
  nowMs: number,
): { readonly result: PublishResult; readonly spec?: StoredSpec } {
  if (found.release) return { result: { outcome: 'exists', release: found.release } };
  const result = { outcome: 'published', release } as const;
  const { stored: spec } = found;
  if (!spec) {
    if (!source) return { result };
    const created = {
      ...source,
      owner: found.owner ?? source.submittedBy,
      state: 'published',
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    } as const;
    return { result, spec: created };
  }
  if (spec.contentHash !== source?.contentHash) return { result: { outcome: 'changed' } };
  if (spec.state === 'published') return { result };
  if (spec.state !== 'validated') return { result: { outcome: 'refused', state: spec.state } };
  return { result, spec: { ...spec, state: 'published', updatedAtMs: nowMs } };
}
