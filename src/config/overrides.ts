import type { EnvironmentVariable } from './environment.ts';
import { toOllamaUrl } from './schema/ollama-url.ts';

/** What a command line may set. Flags have no defaults of their own. */
export interface ConfigFlags {
  readonly host?: string;
  readonly port?: string | number;
  readonly model?: string;
  readonly logLevel?: string;
}

/** A field that the environment or a flag may set over the file. Keys and URLs with passwords are credentials instead. */
export interface Override {
  readonly field: string;
  readonly variable?: EnvironmentVariable;
  readonly flag?: { readonly key: keyof ConfigFlags; readonly name: string };
  /** Text that is not of the right kind is passed on as it is, for the schema to refuse. */
  readonly toValue: (text: string) => unknown;
}

export const OVERRIDES: readonly Override[] = [
  {
    field: 'server.bind_address',
    variable: 'CLAW_HOST',
    flag: { key: 'host', name: '--host' },
    toValue: asText,
  },
  {
    field: 'server.port',
    variable: 'CLAW_PORT',
    flag: { key: 'port', name: '--port' },
    toValue: asNumber,
  },
  {
    field: 'model.default',
    variable: 'CLAW_MODEL',
    flag: { key: 'model', name: '--model' },
    toValue: asText,
  },
  {
    field: 'logging.level',
    variable: 'LOG_LEVEL',
    flag: { key: 'logLevel', name: '--log-level' },
    toValue: (text) => text.toLowerCase(),
  },
  { field: 'api.rate_limit_max', variable: 'API_RATE_LIMIT_MAX', toValue: asNumber },
  { field: 'api.rate_limit_window_ms', variable: 'API_RATE_LIMIT_WINDOW_MS', toValue: asNumber },
  {
    field: 'agents.require_global_memory_approval',
    variable: 'CLAWOS_REQUIRE_GLOBAL_MEMORY_APPROVAL',
    toValue: asFlag,
  },
  {
    field: 'remote_access.provider',
    variable: 'REMOTE_ACCESS_PROVIDER',
    toValue: (text) => text.toLowerCase(),
  },
  {
    field: 'remote_access.tailscale_funnel_url',
    variable: 'TAILSCALE_FUNNEL_URL',
    toValue: asText,
  },
  {
    field: 'remote_access.cloudflare_tunnel_url',
    variable: 'CLOUDFLARE_TUNNEL_URL',
    toValue: asText,
  },
  { field: 'providers.openai.base_url', variable: 'OPENAI_BASE_URL', toValue: asText },
  { field: 'providers.anthropic.base_url', variable: 'ANTHROPIC_BASE_URL', toValue: asText },
  { field: 'providers.openrouter.base_url', variable: 'OPENROUTER_BASE_URL', toValue: asText },
  { field: 'providers.google.base_url', variable: 'GOOGLE_BASE_URL', toValue: asText },
  { field: 'providers.ollama.base_url', variable: 'OLLAMA_HOST', toValue: toOllamaUrl },
  {
    field: 'providers.openai_compatible.base_url',
    variable: 'OPENAI_COMPAT_BASE_URL',
    toValue: asText,
  },
  {
    field: 'memory.embedding.provider',
    variable: 'CLAWOS_EMBEDDING_PROVIDER',
    toValue: (text) => text.toLowerCase().replace('-', '_'),
  },
  { field: 'integrations.github.base_url', variable: 'GITHUB_API_URL', toValue: asText },
  { field: 'integrations.resend.base_url', variable: 'RESEND_API_URL', toValue: asText },
  { field: 'voice.openai.stt_model', variable: 'OPENAI_STT_MODEL', toValue: asText },
  { field: 'voice.openai.tts_model', variable: 'OPENAI_TTS_MODEL', toValue: asText },
  { field: 'voice.openai.voice', variable: 'OPENAI_TTS_VOICE', toValue: asText },
  { field: 'voice.elevenlabs.base_url', variable: 'ELEVENLABS_BASE_URL', toValue: asText },
  { field: 'voice.elevenlabs.model', variable: 'ELEVENLABS_MODEL_ID', toValue: asText },
  { field: 'voice.elevenlabs.voice', variable: 'ELEVENLABS_DEFAULT_VOICE_ID', toValue: asText },
  { field: 'voice.output_dir', variable: 'CLAWOS_VOICE_OUTPUT_DIR', toValue: asText },
  { field: 'openclaw.url', variable: 'OPENCLAW_WS_URL', toValue: asText },
];

function asText(text: string): unknown {
  return text;
}

function asFlag(text: string): unknown {
  const word = text.trim().toLowerCase();
  if (word === 'true') return true;
  return word === 'false' ? false : text;
}

function asNumber(text: string): unknown {
  return /^-?\d+$/.test(text) ? Number(text) : text;
}
