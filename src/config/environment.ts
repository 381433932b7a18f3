/** Variables that stand for themselves in our code; everything else in the environment is not ours to read. */
export const ENVIRONMENT_VARIABLES = [
  'CLAW_ROOT',
  'CLAW_HOST',
  'CLAW_PORT',
  'CLAW_MODEL',
  'CLAW_OUTPUT_FORMAT',
  'CLAW_ALLOW_SCRIPTED_MODEL',
  'CLAW_FAULT_POINT',
  'API_BEARER_TOKEN',
  'API_RATE_LIMIT_MAX',
  'API_RATE_LIMIT_WINDOW_MS',
  'CLAWOS_REQUIRE_GLOBAL_MEMORY_APPROVAL',
  'REMOTE_ACCESS_PROVIDER',
  'TAILSCALE_FUNNEL_URL',
  'CLOUDFLARE_TUNNEL_URL',
  'OPENCLAW_WS_URL',
  'RUNTIME_SIGNATURE_SECRET',
  'RUNTIME_SIGNATURE_SECRETS',
  'OPENCLAWSSY_MASTER_KEY',
  'DATABASE_URL',
  'REDIS_URL',
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_BASE_URL',
  'OPENROUTER_API_KEY',
  'OPENROUTER_BASE_URL',
  'GOOGLE_API_KEY',
  'GOOGLE_BASE_URL',
  'OLLAMA_HOST',
  'OPENAI_COMPAT_API_KEY',
  'OPENAI_COMPAT_BASE_URL',
  'CLAWOS_EMBEDDING_PROVIDER',
  'GITHUB_API_URL',
  'RESEND_API_URL',
  'RESEND_API_KEY',
  'OPENAI_STT_MODEL',
  'OPENAI_TTS_MODEL',
  'OPENAI_TTS_VOICE',
  'ELEVENLABS_API_KEY',
  'ELEVENLABS_BASE_URL',
  'ELEVENLABS_MODEL_ID',
  'ELEVENLABS_DEFAULT_VOICE_ID',
  'CLAWOS_VOICE_OUTPUT_DIR',
  'OPENCLAW_GATEWAY_TOKEN',
  'OPENCLAW_GATEWAY_PASSWORD',
  'LOG_LEVEL',
  'NO_COLOR',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_PROTOCOL',
  'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
  'OTEL_SDK_DISABLED',
  'OTEL_SERVICE_NAME',
  'OTEL_TRACES_EXPORTER',
] as const;

export type EnvironmentVariable = (typeof ENVIRONMENT_VARIABLES)[number];

/** The variables that are set. An empty one counts as unset, as in the OpenTelemetry and NO_COLOR conventions. */
export type Environment = { readonly [Name in EnvironmentVariable]?: string };

/** Nothing outside this file reads `process.env`. */
export function readEnvironment(
  variables: Readonly<Record<string, string | undefined>> = process.env,
): Environment {
  const environment: { [Name in EnvironmentVariable]?: string } = {};
  for (const name of ENVIRONMENT_VARIABLES) {
    const value = variables[name]?.trim();
    if (value) environment[name] = value;
  }
  return Object.freeze(environment);
}

/** Read when it is needed, not at the start. */
export type LiveVariable = 'TOOL_RELIABILITY_ENABLED' | 'STT_PROVIDER' | 'TTS_PROVIDER';

/** Asked at every tool call: the switch has to work on a process that is in trouble already. */
export function readReliabilityFlag(): string | undefined {
  return process.env.TOOL_RELIABILITY_ENABLED?.trim() || undefined;
}

/** Who hears and who speaks, asked at every request; undefined where the configuration decides. */
export function readVoiceProviders(): { readonly stt?: string; readonly tts?: string } {
  const stt = process.env.STT_PROVIDER?.trim().toLowerCase();
  const tts = process.env.TTS_PROVIDER?.trim().toLowerCase();
  return { ...(stt ? { stt } : {}), ...(tts ? { tts } : {}) };
}

/** A terminal that can only print. Nothing else of `TERM` matters to us. */
export function isDumbTerminal(): boolean {
  return process.env['TERM'] === 'dumb';
}

/** Traces are exported only when somebody said where to; the exporter reads the other `OTEL_*` variables itself. */
export function wantsTraces(environment: Environment): boolean {
  const endpoint =
    environment.OTEL_EXPORTER_OTLP_ENDPOINT ?? environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT;
  return (
    endpoint !== undefined &&
    environment.OTEL_SDK_DISABLED?.toLowerCase() !== 'true' &&
    environment.OTEL_TRACES_EXPORTER?.toLowerCase() !== 'none'
  );
}

/** Everything, for child processes that get an allow-list of it. Nothing else should need this. */
export function readProcessEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
