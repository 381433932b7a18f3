import { z } from 'zod';
import { EVENT_TYPES, type EventType } from '../../core/events/event.ts';
import {
  MAX_SECRET_CHARS,
  MAX_SECRET_NAME_CHARS,
  SECRET_NAME_PATTERN,
} from '../../core/secrets/secrets.ts';
import { agentId, integerParam, pageCursor, pageLimit, runId, storable } from '../http/fields.ts';

/** What `/api/admin` is asked about the runtime itself, its configuration, secrets, agents, mail and records. */
const MAX_CURSOR_CHARS = 256;
const MAX_NAME_CHARS = 80;
const MAX_ROLE_CHARS = 200;
const MAX_MODEL_CHARS = 256;
/** A model reads them with every turn. */
const MAX_INSTRUCTIONS_CHARS = 16_384;
const MAX_STATUS_RUNS = 500;
const DEFAULT_STATUS_RUNS = 50;

const flag = z.enum(['true', 'false']);

export const statusQuery = z.strictObject({
  limit: integerParam(1, MAX_STATUS_RUNS).prefault(DEFAULT_STATUS_RUNS),
});

export const configBody = z
  .record(z.string(), z.unknown())
  .meta({ examples: [{ server: { port: 3000 } }] });

export const secretBody = z.strictObject({
  name: storable(MAX_SECRET_NAME_CHARS)
    .min(1)
    .regex(SECRET_NAME_PATTERN, {
      error: 'must be parts of letters, digits, dots, dashes and underscores, joined by slashes',
    })
    .meta({ examples: ['provider/openai/api_key'] }),
  value: storable(MAX_SECRET_CHARS).min(1).meta({ description: 'Never shown again.' }),
});

/** A name may hold slashes, so it is all that is left of the path. */
export const secretParams = z.strictObject({
  '*': z.string().meta({ description: 'The name, with its slashes.' }),
});

export const agentsQuery = z.strictObject({
  limit: pageLimit,
  cursor: pageCursor(MAX_CURSOR_CHARS).optional(),
});

const agentFields = {
  name: storable(MAX_NAME_CHARS).min(1).optional(),
  role: storable(MAX_ROLE_CHARS).optional(),
  model: storable(MAX_MODEL_CHARS)
    .min(1)
    .nullable()
    .optional()
    .meta({ description: '`provider/name`; null: the model of the runtime.' }),
  instructions: storable(MAX_INSTRUCTIONS_CHARS).optional(),
};

export const createAgentBody = z.strictObject({ agent_id: agentId, ...agentFields });
export const updateAgentBody = z.strictObject(agentFields);

export const mailQuery = z.strictObject({
  agent_id: agentId.meta({ description: 'Whose inbox.' }),
  undelivered: flag.optional().meta({ description: '`true`: only what waits to be taken.' }),
  limit: pageLimit,
});

export const verifyBody = z.strictObject({ run_id: runId.optional() }).nullable();

export const runParams = z.strictObject({ run_id: runId });

export const liveQuery = z.strictObject({
  agent_id: agentId.optional(),
  types: z
    .string()
    .max(512)
    .transform((text) => text.split(','))
    .pipe(z.array(z.string()).refine(areEventTypes, { error: 'must name event types' }))
    .optional()
    .meta({ description: 'Event types, separated by commas.', examples: ['run.created'] }),
  deltas: flag
    .optional()
    .meta({ description: '`true`: with `model.delta`, which is left out otherwise.' }),
});

function areEventTypes(names: readonly string[]): names is readonly EventType[] {
  const known: readonly string[] = EVENT_TYPES;
  return names.every((name) => known.includes(name));
}
