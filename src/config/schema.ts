import { isIP } from 'node:net';
import { z } from 'zod';
import { DAY_MS, HOUR_MS, MIB, MINUTE_MS, whole } from './schema-bounds.ts';
import {
  mcpServers,
  network,
  policy,
  sandbox,
  shell,
  toolReliability,
  tools,
} from './tool-schema.ts';

/**
 * The one schema of `.openclawssy/config.json`; what concerns tools is in `tool-schema.ts`. A field is here only when it
 * has an effect. `docs/configuration.md` and the editor's schema file are made from it, so `.describe()` comes last:
 * metadata does not pass through wrappers. The key of a map is shown by its title.
 */
const MODEL_REFERENCE = /^[a-z][a-z0-9-]*\/\S+$/;

const modelReference = z
  .string()
  .max(256)
  .regex(MODEL_REFERENCE, 'must be provider/name, as in openai/gpt-4o-mini');
const bindAddress = z
  .string()
  .refine(
    (value) => value === 'localhost' || isIP(value) !== 0,
    'must be an IP address or localhost',
  );
const hostName = z
  .string()
  .max(255)
  .regex(/^[^\s/@]+$/, 'must be a host name or host:port, without scheme or path');
const origin = z
  .string()
  .refine(isOrigin, 'must be an origin such as https://example.com, without a path');
const baseUrl = z
  .string()
  .max(2048)
  .refine(isBaseUrl, 'must be an http or https URL without user name, password, query or fragment');

const server = z.strictObject({
  bind_address: bindAddress
    .default('127.0.0.1')
    .describe(
      'Address to listen on. Anything but a loopback address exposes the server to the network.',
    ),
  port: whole(0, 65_535)
    .default(3000)
    .describe('Port to listen on; 0 picks a free one and prints it.'),
  allowed_hosts: z
    .array(hostName)
    .max(100)
    .default([])
    .describe(
      'Further values of the Host header to accept, beside loopback names and the bind address.',
    ),
  allowed_origins: z
    .array(origin)
    .max(100)
    .default([])
    .describe('Origins of web pages that may call the server, beside its own.'),
  max_body_bytes: whole(1024, 64 * MIB)
    .default(MIB)
    .describe('Largest request body; a larger one is refused with 413.'),
  request_timeout_ms: whole(1000, 10 * MINUTE_MS)
    .default(30_000)
    .describe('Time to receive a whole request. Streams are not limited by it.'),
  max_connections: whole(1, 100_000).default(1024).describe('Open connections, streams included.'),
  max_streams: whole(1, 100_000)
    .default(512)
    .describe('Open event streams; one more is refused with 429.'),
  metrics_public: z.boolean().default(false).describe('Serve /metrics without the bearer token.'),
  trust_proxy: z
    .boolean()
    .default(false)
    .describe(
      'Take the client address from X-Forwarded-For. Only behind a proxy that sets it: it decides rate limits.',
    ),
});

const api = z.strictObject({
  rate_limit_max: whole(1, 1_000_000)
    .default(600)
    .describe('Requests per window and token; a stream counts once.'),
  rate_limit_window_ms: whole(1000, HOUR_MS).default(MINUTE_MS).describe('Length of that window.'),
  auth_failures_per_minute: whole(1, 10_000)
    .default(20)
    .describe('Failed authentications per client address and minute before 429.'),
});

const model = z.strictObject({
  default: modelReference
    .nullable()
    .default(null)
    .describe(
      'Model to use, as provider/name. Null: the first provider whose key is present, then a local Ollama, then offline/rules.',
    ),
  max_output_tokens: whole(1, 1_000_000)
    .default(8192)
    .describe('Longest answer of one model turn.'),
  request_timeout_ms: whole(1000, HOUR_MS)
    .default(90_000)
    .describe(
      'Longest silence of a provider in a model turn: until its answer begins, and between two pieces of it.',
    ),
  max_retries: whole(0, 10)
    .default(3)
    .describe('Further attempts of a turn after 429, 5xx, a broken stream or a timeout.'),
  text_tool_call_models: z
    .array(modelReference)
    .max(100)
    .default([])
    .describe('Models without native tool calls: theirs are read from fenced json or tool blocks.'),
});

const urlOf = (name: string, whenUnset: string) =>
  baseUrl.optional().describe(`Base URL of ${name}. Unset: ${whenUnset}.`);

const keyFor = (name: string) =>
  z
    .string()
    .min(1)
    .max(4096)
    .regex(/^[\x21-\x7e]*$/, 'must be printable ASCII without spaces')
    .optional()
    .describe(
      `Key for ${name}. The environment variable is a better place: this file gets copied and backed up.`,
    );

const provider = (name: string, whenUnset: string) =>
  z.strictObject({ base_url: urlOf(name, whenUnset), api_key: keyFor(name) }).prefault({});

const providers = z.strictObject({
  openai: provider('OpenAI', 'https://api.openai.com/v1'),
  anthropic: provider('Anthropic', 'https://api.anthropic.com/v1'),
  openrouter: provider('OpenRouter', 'https://openrouter.ai/api/v1'),
  ollama: z.strictObject({ base_url: urlOf('Ollama', 'http://127.0.0.1:11434') }).prefault({}),
  openai_compatible: provider('an OpenAI-compatible server', 'that provider is not available'),
});

const usdPerMillion = z.number().min(0).max(1_000_000);

const price = z.strictObject({
  input_per_million: usdPerMillion.describe('US dollars per million input tokens.'),
  output_per_million: usdPerMillion.describe('US dollars per million output tokens.'),
  cached_input_per_million: usdPerMillion
    .optional()
    .describe('US dollars per million input tokens read from a cache. Unset: the input price.'),
});

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
    .default(10_000)
    .describe('Time for executing runs to end at shutdown; the rest is resumed by the next start.'),
  delta_batch_ms: whole(0, 10_000)
    .default(50)
    .describe(
      'How long streamed text is gathered into one event. Lower is livelier and writes more events.',
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
  model: model.prefault({}),
  providers: providers.prefault({}),
  prices: z
    .record(modelReference.meta({ title: 'provider/name' }), price)
    .default({})
    .describe(
      'Prices by provider/name, for costs and cost limits. A model without a price has no known cost.',
    ),
  engine: engine.prefault({}),
  tools,
  policy,
  network,
  shell,
  sandbox,
  tool_reliability: toolReliability,
  mcpServers,
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

function isOrigin(value: string): boolean {
  const url = parseHttpUrl(value);
  return url !== undefined && url.origin === value;
}

function isBaseUrl(value: string): boolean {
  const url = parseHttpUrl(value);
  return url !== undefined && `${url.username}${url.password}${url.search}${url.hash}` === '';
}

function parseHttpUrl(value: string): URL | undefined {
  if (!URL.canParse(value)) return undefined;
  const url = new URL(value);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
}
