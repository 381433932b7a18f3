import { toIso } from '../../core/clock.ts';
import type { Handoff } from '../../core/handoffs/handoff.ts';
import type { HandoffPage } from '../../core/handoffs/handoffs.ts';
import type { HandoffId } from '../../core/ids.ts';
import { decodeIdCursor, encodeNext } from '../cursor.ts';
import type { HandoffListShape, HandoffShape } from './handoff-shapes.ts';

const toMoment = (ms: number | undefined) => (ms === undefined ? null : toIso(ms));

export function encodeHandoff(handoff: Handoff): HandoffShape {
  return {
    handoff_id: handoff.id,
    from_agent_id: handoff.from,
    to_agent_id: handoff.to,
    project_id: handoff.projectId,
    content: handoff.content,
    state: handoff.state,
    // Until it is queued there is nothing to find under it.
    run_id: handoff.state === 'open' ? null : handoff.runId,
    memory_id: handoff.memoryId ?? null,
    parent_run_id: handoff.parentRunId ?? null,
    chain: [...handoff.chain],
    result: handoff.result ?? null,
    error: handoff.error ?? null,
    owner: handoff.owner,
    created_at: toIso(handoff.createdAtMs),
    ended_at: toMoment(handoff.endedAtMs),
    reported_at: toMoment(handoff.reportedAtMs),
  };
}

export function encodeHandoffPage({ handoffs, next }: HandoffPage): HandoffListShape {
  return { handoffs: handoffs.map(encodeHandoff), next_cursor: encodeNext(next) };
}

export function decodeHandoffCursor(cursor: string): HandoffId {
  return decodeIdCursor(cursor) as HandoffId;
}
