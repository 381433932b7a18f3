import type { JsonObject, JsonValue } from '../../core/json.ts';
import { adoptAlias } from '../files/repair-arguments.ts';

const ALIASES = {
  run_id: ['id', 'run', 'runId'],
  agent_id: ['agent', 'agentId'],
  status: ['state'],
  limit: ['max'],
} as const;

/** Mends what models get wrong about runs: other names of the arguments, numbers and statuses as they spell them. */
export function repairRunArguments(input: JsonObject): JsonObject {
  let named = input;
  for (const [field, aliases] of Object.entries(ALIASES)) named = adoptAlias(named, field, aliases);
  const repaired: Record<string, JsonValue> = { ...named };
  for (const field of ['run_id', 'agent_id', 'before', 'status']) {
    const value = repaired[field];
    if (typeof value === 'string') repaired[field] = value.trim();
  }
  const { status, limit } = repaired;
  if (typeof status === 'string') repaired['status'] = toStatus(status);
  if (typeof limit === 'string' && /^\d{1,6}$/.test(limit.trim()))
    repaired['limit'] = Number(limit);
  return repaired;
}

function toStatus(given: string): string {
  const status = given.toLowerCase();
  return status === 'canceled' ? 'cancelled' : status;
}
