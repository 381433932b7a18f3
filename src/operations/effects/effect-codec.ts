import { toIso } from '../../core/clock.ts';
import { defined } from '../../core/defined.ts';
import type { Effect, EffectFilter, EffectPage } from '../../core/effects/effect.ts';
import type { RequestId, RunId } from '../../core/ids.ts';
import { decodeIdCursor, encodeNext } from '../cursor.ts';
import type { EffectListShape, EffectQuery, EffectShape } from './effect-shapes.ts';

export function encodeEffect(effect: Effect): EffectShape {
  const { error, resolution } = effect;
  return {
    id: effect.id,
    run_id: effect.runId,
    agent_id: effect.agentId,
    tool: effect.tool,
    tool_call_id: effect.callId,
    idempotency_key: effect.key ?? null,
    input_digest: effect.inputDigest,
    status: effect.status,
    error: error === undefined ? null : { code: error.code, message: error.message },
    created_at: toIso(effect.createdAtMs),
    updated_at: toIso(effect.updatedAtMs),
    resolution:
      resolution === undefined
        ? null
        : {
            status: resolution.status,
            by: resolution.by,
            note: resolution.note,
            at: toIso(resolution.atMs),
          },
  };
}

export function encodeEffectPage({ effects, next }: EffectPage): EffectListShape {
  return { effects: effects.map(encodeEffect), next_cursor: encodeNext(next) };
}

export function decodeEffectQuery(query: EffectQuery): EffectFilter {
  const { status, run_id: runId, tool, limit, cursor } = query;
  return {
    limit,
    ...defined({ status, runId: runId as RunId | undefined, tool }),
    ...(cursor === undefined ? {} : { before: decodeIdCursor(cursor) as RequestId }),
  };
}
