import { z } from 'zod';
import type { EnvironmentVariable, LiveVariable } from './environment.ts';
import { findFieldEffect } from './field-effects.ts';
import { OVERRIDES } from './overrides.ts';
import { listFields, type SchemaField } from './schema/schema-fields.ts';

/** `docs/configuration.md`, whole. A test compares the file with it, so the document can't drift from the schema. */
export function renderConfiguration(): string {
  const sections = groupBySection();
  const tables = [...sections].map(([section, fields]) => renderSection(section, fields));
  return [INTRODUCTION, ...tables, renderVariables(), FILES].join('\n\n').concat('\n');
}

/** Variables that are no config fields: where things are, secrets, and what belongs to one call of the program. */
export const OTHER_VARIABLES: Readonly<
  Partial<Record<EnvironmentVariable | LiveVariable, string>>
> = {
  CLAW_ROOT:
    'State root; the flag is `--root`. Unset: the nearest folder upwards from the working directory that has `.openclawssy/`, else the working directory.',
  API_BEARER_TOKEN:
    'Bearer token of the HTTP API. Unset: `.openclawssy/token`, generated on first start.',
  RUNTIME_SIGNATURE_SECRET:
    'Secret for `X-OA-RUNTIME-SIGNATURE`. Unset: `.openclawssy/runtime-signature.secret`, generated on first start.',
  RUNTIME_SIGNATURE_SECRETS:
    'Further signature secrets for rotation: `keyid:secret,…`, chosen by `X-OA-RUNTIME-KEY-ID`.',
  OPENCLAWSSY_MASTER_KEY:
    'Key of the secret store, 32 bytes in base64 or hex. Unset: the file of `secrets.master_key_file`.',
  DATABASE_URL:
    '`postgres://…` keeps everything in PostgreSQL. Unset: SQLite in `.openclawssy/pincer.db`.',
  REDIS_URL: '`redis://…` shares caches and wake-ups between nodes. Unset: the same in process.',
  OPENAI_API_KEY: 'Key for OpenAI; wins over `providers.openai.api_key`.',
  ANTHROPIC_API_KEY: 'Key for Anthropic; wins over `providers.anthropic.api_key`.',
  OPENROUTER_API_KEY: 'Key for OpenRouter; wins over `providers.openrouter.api_key`.',
  GOOGLE_API_KEY: 'Key for Google; wins over `providers.google.api_key`.',
  OPENAI_COMPAT_API_KEY:
    'Key for the OpenAI-compatible server; wins over `providers.openai_compatible.api_key`.',
  RESEND_API_KEY: 'Key for Resend, where the secret `intsec_resend_1` is not stored.',
  ELEVENLABS_API_KEY: 'Key for ElevenLabs; wins over the secret `provider/elevenlabs/api_key`.',
  STT_PROVIDER:
    'Wins over `voice.stt_provider` and is read at every request: `local` or `openai`. Anything else is 503.',
  TTS_PROVIDER:
    'Wins over `voice.tts_provider` and is read at every request: `local`, `openai` or `elevenlabs`. Anything else is 503.',
  OPENCLAW_GATEWAY_TOKEN:
    'Token of the OpenClaw gateway; wins over the secret of `openclaw.token_secret`.',
  OPENCLAW_GATEWAY_PASSWORD: 'Its password; wins over the secret of `openclaw.password_secret`.',
  TOOL_RELIABILITY_ENABLED:
    'Wins over `tool_reliability.mode` and is read at every tool call. `false`, `0`, `no`: off. `true`, `1`, `yes`: the configured mode, or `all` where that is `off`. The name of a mode: that mode. Anything else changes nothing.',
  CLAW_OUTPUT_FORMAT: 'Output of commands: `text` or `json`; the flag is `--output-format`.',
  NO_COLOR: 'Any value: no colours in text for people.',
  OTEL_EXPORTER_OTLP_ENDPOINT:
    'Exports traces as OTLP over HTTP (JSON) to this collector. Unset: no tracing, at no cost.',
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'The same, as the full URL for traces.',
  OTEL_EXPORTER_OTLP_PROTOCOL:
    'Only `http/json` is spoken: another value is warned about once, and traces go out as `http/json`.',
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'The same, for traces alone; it wins.',
  OTEL_TRACES_EXPORTER: '`none` turns tracing off.',
  OTEL_SDK_DISABLED: '`true` turns tracing off.',
  OTEL_SERVICE_NAME: 'Service name in traces. Unset: `pincer`.',
  CLAW_ALLOW_SCRIPTED_MODEL: '`1` allows the scripted model, which plays back a file. For tests.',
  CLAW_FAULT_POINT:
    '`name:count` kills the server with SIGKILL there, beside `CLAW_ALLOW_SCRIPTED_MODEL=1` only. For crash tests.',
};

const INTRODUCTION = `# Configuration

<!-- Made from src/config/schema/schema.ts; UPDATE_DOCS=1 npx vitest run src/config/render-configuration.test.ts writes it. -->

Settings come from four places; a later one wins: the default, \`.openclawssy/config.json\` under the state root, the
environment, a flag. Nothing needs to be set: without a file every default below holds. The file is checked as a whole when
the server starts; an unknown field, a wrong type or a value out of range refuses the start with the file, the field and the fix.
An empty environment variable counts as unset.

A change made through the admin API (\`/api/admin/config\`) takes effect as the last column says: \`at once\` for the next
request, run, model turn or tool call, without touching what is under way, or after a \`restart\`. The answer names the fields
of each kind, and those that the environment or a flag holds. A change made in the file by hand takes effect at the next start,
or together with the next change through the program.`;

const FILES = `## Files under the state root

| path | mode | content |
|---|---|---|
| \`.openclawssy/\` | 0700 | everything below; never reachable through tools |
| \`.openclawssy/config.json\` | 0600 | this configuration; written on first start |
| \`.openclawssy/config.json.bak\` | 0600 | the version before the last change made through the program |
| \`.openclawssy/config.schema.json\` | 0600 | JSON schema, for completion and explanations in editors |
| \`.openclawssy/token\` | 0600 | the generated bearer token |
| \`.openclawssy/runtime-signature.secret\` | 0600 | the generated signature secret |
| \`.openclawssy/storage.json\` | 0600 | which database the server works on; commands work on no other |
| \`.openclawssy/secrets.enc\` | 0600 | the encrypted secrets, unless they are in a shared database; its place is \`secrets.store_file\` |
| \`.openclawssy/master.key\` | 0600 | the key they are encrypted with; its place is \`secrets.master_key_file\` |
| \`.openclawssy/server.json\` | 0600 | process id and URL of the running server |
| \`.openclawssy/pincer.db\` | | the embedded database |
| \`.openclawssy/voice/local/\` | 0700 | what \`claw voice install\` has brought |
| \`.openclawssy/voice/output/\` | 0700 | spoken answers of the last day, unless \`voice.output_dir\` says otherwise |
| \`workspace/\` | | what tools may touch |`;

function groupBySection(): Map<string, SchemaField[]> {
  const sections = new Map<string, SchemaField[]>();
  for (const field of listFields()) {
    const section = sectionOf(field);
    sections.set(section, [...(sections.get(section) ?? []), field]);
  }
  return sections;
}

/** Fields of the top level stand together in front; a map is a section of its own. */
function sectionOf(field: SchemaField): string {
  const [section = '', member] = field.path.split('.');
  return member === undefined && toValues(field.schema).type !== 'object' ? 'top level' : section;
}

function renderSection(section: string, fields: readonly SchemaField[]): string {
  const rows = fields.map((field) => {
    const override = OVERRIDES.find((one) => one.field === field.path);
    return [
      code(field.path),
      renderDefault(field),
      describeValues(toValues(field.schema)),
      field.description,
      override?.variable === undefined ? '' : code(override.variable),
      override?.flag === undefined ? '' : code(override.flag.name),
      findFieldEffect(field.path) === 'live' ? 'at once' : 'restart',
    ];
  });
  const header = ['field', 'default', 'values', 'meaning', 'environment', 'flag', 'change'];
  return `## ${section}\n\n${renderTable(header, rows)}`;
}

function renderVariables(): string {
  const rows = Object.entries(OTHER_VARIABLES).map(([name, meaning]) => [code(name), meaning]);
  return `## Further environment variables\n\n${renderTable(['variable', 'meaning'], rows)}`;
}

function renderTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, header.map(() => '---'), ...rows];
  return lines
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}

function renderDefault(field: SchemaField): string {
  if (field.defaultValue !== undefined) return code(JSON.stringify(field.defaultValue));
  return field.schema.safeParse(undefined).success ? 'unset' : 'required';
}

interface Values {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Values[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly items?: Values;
}

function toValues(schema: z.ZodType): Values {
  return z.toJSONSchema(schema, { io: 'input' }) as Values;
}

function describeValues(values: Values): string {
  if (values.anyOf !== undefined) return values.anyOf.map(describeValues).join(' or ');
  if (values.const !== undefined) return code(JSON.stringify(values.const));
  if (values.enum !== undefined) return values.enum.map((one) => code(String(one))).join(', ');
  if (values.type === 'array') {
    const item = values.items ?? {};
    return `list of ${item.type === 'object' ? 'objects' : describeValues(item)}`;
  }
  if (values.type === 'integer') return `${values.minimum} to ${values.maximum}`;
  if (values.type === 'number') {
    const above = values.exclusiveMinimum;
    return above === undefined
      ? `number, ${values.minimum} to ${values.maximum}`
      : `number above ${above}, to ${values.maximum}`;
  }
  return (
    { string: 'text', boolean: 'true, false', object: 'object' }[values.type ?? ''] ??
    values.type ??
    ''
  );
}

function code(text: string): string {
  return `\`${text}\``;
}
