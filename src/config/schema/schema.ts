import { z } from 'zod';
import { agents } from './agents-schema.ts';
import { events } from './events-schema.ts';
import { integrations } from './integrations-schema.ts';
import { memory } from './memory-schema.ts';
import { model, prices, providers } from './model-schema.ts';
import { openclaw } from './openclaw-schema.ts';
import { projection } from './projection-schema.ts';
import { remoteAccess } from './remote-access-schema.ts';
import { DAY_MS, MINUTE_MS, whole } from './schema-bounds.ts';
import { api, server } from './server-schema.ts';
import { chat, scheduler, secrets, sessions } from './session-schema.ts';
import { skills } from './skills-schema.ts';
import {
  mcpServers,
  network,
  policy,
  sandbox,
  shell,
  toolReliability,
  tools,
} from './tool-schema.ts';
import { voice } from './voice-schema.ts';
import { workers } from './workers-schema.ts';

/**
 * The one schema of `.openclawssy/config.json`, put together from the `*-schema.ts` files beside this one. A field is
 * here only when it has an effect. `docs/configuration.md` and the editor's schema file are made from it, so
 * `.describe()` comes last: metadata does not pass through wrappers. The key of a map is shown by its title.
 */
const engine = z.strictObject({
  max_concurrent_runs: whole(1, 10_000).default(64).describe('Runs that execute at the same time.'),
  max_queued_runs: whole(1, 1_000_000)
    .default(1000)
    .describe('Runs that wait for a place; one more is refused with 429 queue.full.'),
  lease_ms: whole(1000, 10 * MINUTE_MS)
    .default(30_000)
    .describe(
      'Life of a claim on a run; after a crash another process takes over when it expires.',
    ),
  default_run_timeout_ms: whole(1000, DAY_MS)
    .default(20 * MINUTE_MS)
    .describe('Longest time a run may execute.'),
  max_turns: whole(1, 1000).default(30).describe('Model turns per run.'),
  max_run_tokens: whole(1, 1_000_000_000)
    .default(1_000_000)
    .describe('Input and output tokens per run, all turns together.'),
  max_run_cost_usd: z
    .number()
    .positive()
    .max(1_000_000)
    .nullable()
    .default(null)
    .describe(
      'US dollars per run. Null: no limit beside the tokens. Holds only for models that have an entry in prices.',
    ),
  max_recoveries: whole(1, 10_000)
    .default(20)
    .describe(
      'Times in a row that a run is taken over after a crash without getting any further before it is given up.',
    ),
  shutdown_grace_ms: whole(0, 10 * MINUTE_MS)
    .default(5_000)
    .describe(
      'Time for executing runs to end at shutdown; the rest is resumed by the next start. The whole shutdown takes at most 4 seconds longer.',
    ),
  delta_batch_ms: whole(0, 10_000)
    .default(50)
    .describe(
      'How long streamed text is gathered into one event; the first words, and those after a silence, are not held up by it. Lower is livelier and writes more events.',
    ),
});

const costs = z.strictObject({
  default_project_budget_usd: z
    .number()
    .positive()
    .max(1_000_000)
    .nullable()
    .default(null)
    .describe(
      'US dollars that a project may spend which has no budget of its own. Null: as much as it likes.',
    ),
});

const workspace = z.strictObject({
  root: z
    .string()
    .min(1)
    .max(4096)
    .refine((value) => !value.includes('\0'), 'must not contain NUL')
    .default('./workspace')
    .describe('Folder that tools may touch, relative to the state root.'),
  per_principal: z
    .boolean()
    .default(true)
    .describe(
      'Give each user and guest of /internal/v1 a folder of its own, principals/<id> in the workspace, beyond which the tools of its runs do not reach. Off: all work in the whole workspace.',
    ),
});

const records = z.strictObject({
  audit_fsync_ms: whole(0, MINUTE_MS)
    .default(1000)
    .describe('Audit lines reach the disk at the latest after this time; 0 syncs every write.'),
});

const logging = z.strictObject({
  level: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Least severe log line to write.'),
  format: z
    .enum(['auto', 'json', 'pretty'])
    .default('auto')
    .describe('Shape of log lines; auto is pretty on a terminal and json elsewhere.'),
});

const sections = z.strictObject({
  $schema: z.string().max(2048).optional().describe('Schema for editors; ignored by the server.'),
  version: z.literal(1).default(1).describe('Version of this file format.'),
  server: server.prefault({}),
  api: api.prefault({}),
  remote_access: remoteAccess,
  model: model.prefault({}),
  providers: providers.prefault({}),
  prices,
  costs: costs.prefault({}),
  engine: engine.prefault({}),
  agents,
  chat,
  sessions,
  scheduler,
  secrets,
  tools,
  policy,
  network,
  shell,
  sandbox,
  tool_reliability: toolReliability,
  mcpServers,
  integrations,
  openclaw,
  skills,
  memory,
  voice,
  workers,
  projection,
  events,
  workspace: workspace.prefault({}),
  records: records.prefault({}),
  logging: logging.prefault({}),
});

export const configSchema = sections.refine(
  ({ shell, sandbox }) => !shell.enable_exec || sandbox.active,
  {
    path: ['shell', 'enable_exec'],
    error: 'needs sandbox.active to be true',
    params: {
      fix: 'set sandbox.active to true and sandbox.provider to bwrap or docker, or shell.enable_exec to false',
    },
  },
);

/** What the file may hold: everything is optional. */
export type ConfigInput = z.input<typeof configSchema>;
/** Complete, but with keys that must not be printed; `LoadedConfig` separates them. */
export type ParsedConfig = z.output<typeof configSchema>;

export type ProviderName = keyof ParsedConfig['providers'];
