import * as z from 'zod';
import { AGENT_REFERENCE_PATTERN, AGENT_REFERENCE_RULE } from '../../core/agents/resolve-agent.ts';
import { RUN_ID_PATTERN } from '../../core/ids.ts';
import { RUN_STATUSES } from '../../core/runs/run.ts';

export function runIdField(description: string) {
  return z
    .string({
      error: (issue) =>
        issue.input === undefined ? 'run_id is required' : 'run_id must be a string',
    })
    .regex(RUN_ID_PATTERN, 'run_id must have 1 to 128 letters, digits, _ or -')
    .describe(description);
}

export function agentIdField(description: string) {
  return z
    .string({ error: 'agent_id must be a string' })
    .regex(AGENT_REFERENCE_PATTERN, `agent_id ${AGENT_REFERENCE_RULE}`)
    .describe(description);
}

export function statusField() {
  return z
    .enum(RUN_STATUSES, { error: `status must be one of ${RUN_STATUSES.join(', ')}` })
    .describe('Only runs with this status.');
}

export function limitField(max: number, description: string) {
  const message = `limit must be a whole number from 1 to ${max}`;
  return z.int({ error: message }).min(1, message).max(max, message).describe(description);
}
