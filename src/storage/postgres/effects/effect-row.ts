import type { Effect, EffectResolution, EffectStatus } from '../../../core/effects/effect.ts';
import type { AgentId, RequestId, RunId } from '../../../core/ids.ts';
import { bulkUpsert, type Column, names } from '../bulk.ts';
import type { RunWrite } from '../runs/run-write.ts';
import { decodeText, encodeText } from '../text-codec.ts';
import type { Transaction } from '../transact-once.ts';

export interface StoredEffect {
  readonly id: string;
  readonly run_id: string;
  readonly agent_id: string;
  readonly tool: string;
  readonly call_id: string;
  readonly key: string | null;
  readonly input_digest: string;
  readonly status: string;
  readonly error: string | null;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
  readonly resolution: string | null;
}

const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value));

const COLUMNS: readonly Column<Effect>[] = [
  ['id', 'text', (effect) => effect.id],
  ['run_id', 'text', (effect) => effect.runId],
  ['agent_id', 'text', (effect) => effect.agentId],
  ['tool', 'text', (effect) => encodeText(effect.tool)],
  ['call_id', 'text', (effect) => encodeText(effect.callId)],
  ['key', 'text', (effect) => json(effect.key)],
  ['input_digest', 'text', (effect) => effect.inputDigest],
  ['status', 'text', (effect) => effect.status],
  ['error', 'text', (effect) => json(effect.error)],
  ['created_at_ms', 'bigint', (effect) => effect.createdAtMs],
  ['updated_at_ms', 'bigint', (effect) => effect.updatedAtMs],
  ['resolution', 'text', (effect) => json(effect.resolution)],
];

export const EFFECT_COLUMNS = names(COLUMNS);

export const UPSERT_EFFECTS = bulkUpsert({
  table: 'effects',
  columns: COLUMNS,
  key: 'id',
  changing: ['status', 'error', 'updated_at_ms'],
});

export function decodeEffect(stored: StoredEffect): Effect {
  return {
    id: stored.id as RequestId,
    runId: stored.run_id as RunId,
    agentId: stored.agent_id as AgentId,
    tool: decodeText(stored.tool),
    callId: decodeText(stored.call_id),
    key: parse<string>(stored.key),
    inputDigest: stored.input_digest,
    status: stored.status as EffectStatus,
    error: parse<Effect['error']>(stored.error),
    createdAtMs: stored.created_at_ms,
    updatedAtMs: stored.updated_at_ms,
    resolution: parse<EffectResolution>(stored.resolution),
  };
}

function parse<T>(stored: string | null): T | undefined {
  return stored === null ? undefined : (JSON.parse(stored) as T);
}

const LOAD_NAMED = `select ${EFFECT_COLUMNS} from effects where id = any($1::text[])`;
const LOAD_OPEN =
  `select ${EFFECT_COLUMNS} from effects ` +
  `where run_id = any($1::text[]) and status in ('intent', 'sent')`;

/** Read after the locks on their runs were granted, so nobody else changes them. */
export async function loadEffects(
  transaction: Transaction,
  writes: readonly RunWrite[],
): Promise<Effect[]> {
  const ids = [...new Set(writes.flatMap((write) => write.effectIds ?? []))];
  const ending = writes.flatMap((write) => (write.mayEnd ? write.runIds : []));
  const load = async (name: string, text: string, values: readonly string[]) =>
    values.length === 0
      ? []
      : await transaction.query<StoredEffect>({ name, text, values: [values] });
  const loaded = await Promise.all([
    load('load_effects', LOAD_NAMED, ids),
    load('load_open_effects', LOAD_OPEN, ending),
  ]);
  return loaded.flat().map(decodeEffect);
}
