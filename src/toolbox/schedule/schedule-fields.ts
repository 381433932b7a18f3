import * as z from 'zod';
import { JOB_ID_PATTERN } from '../../core/ids.ts';
import type { JsonObject, JsonValue } from '../../core/json.ts';
import { adoptAlias, repairFlags } from '../files/repair-arguments.ts';

export function jobIdField(description: string) {
  return z
    .string({
      error: (issue) => (issue.input === undefined ? 'id is required' : 'id must be a string'),
    })
    .regex(JOB_ID_PATTERN, 'id must have 1 to 64 letters, digits, _ or -')
    .describe(description);
}

export function textField(name: string, maxChars: number) {
  return z
    .string({
      error: (issue) =>
        issue.input === undefined ? `${name} is required` : `${name} must be a string`,
    })
    .max(maxChars, `${name} must have at most ${maxChars} characters`);
}

const ALIASES = {
  id: ['job_id', 'jobId', 'job', 'name'],
  agent_id: ['agent', 'agentId'],
  schedule: ['when', 'every'],
  message: ['prompt', 'task', 'text'],
  timezone: ['time_zone', 'tz'],
  session_id: ['session', 'sessionId'],
} as const;

/** Mends what models get wrong about jobs: other names of the arguments, and booleans and numbers as words. */
export function repairScheduleArguments(input: JsonObject): JsonObject {
  let named = input;
  for (const [field, aliases] of Object.entries(ALIASES)) named = adoptAlias(named, field, aliases);
  const repaired: Record<string, JsonValue> = { ...repairFlags(named, ['enabled']) };
  for (const field of ['id', 'agent_id', 'session_id', 'after', 'schedule', 'mode', 'catch_up']) {
    const value = repaired[field];
    if (typeof value === 'string') repaired[field] = value.trim();
  }
  const { limit } = repaired;
  if (typeof limit === 'string' && /^\d{1,6}$/.test(limit.trim())) {
    repaired['limit'] = Number(limit);
  }
  return repaired;
}
