import type { Effect, EffectResolution, EffectStatus } from '../../../core/effects/effect.ts';
import type { AgentId, RequestId, RunId } from '../../../core/ids.ts';

export const SELECT_EFFECT = `
  SELECT effects.*, runs.id AS run_id, runs.agent_id
  FROM effects JOIN runs ON runs.no = effects.run_no`;

export interface EffectRow {
  readonly id: RequestId;
  readonly run_id: RunId;
  readonly agent_id: AgentId;
  readonly tool: string;
  readonly call_id: string;
  readonly key: string | null;
  readonly input_digest: string;
  readonly status: EffectStatus;
  readonly error: string | null;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
  readonly resolution: string | null;
}

export function toEffect(row: EffectRow): Effect {
  return {
    id: row.id,
    runId: row.run_id,
    agentId: row.agent_id,
    tool: JSON.parse(row.tool) as string,
    callId: JSON.parse(row.call_id) as string,
    key: parse<string>(row.key),
    inputDigest: row.input_digest,
    status: row.status,
    error: parse<Effect['error']>(row.error),
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
    resolution: parse<EffectResolution>(row.resolution),
  };
}

function parse<T>(json: string | null): T | undefined {
  return json === null ? undefined : (JSON.parse(json) as T);
}
