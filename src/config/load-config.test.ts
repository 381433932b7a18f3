import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listSecretValues } from './credentials.ts';
import { readEnvironment } from './environment.ts';
import { type ConfigSources, loadConfig } from './load-config.ts';
import { toStatePaths } from './state-paths.ts';

let root: string;
let configFile: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pincer-config-'));
  configFile = toStatePaths(root).configFile;
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function writeConfig(content: unknown): Promise<void> {
  await mkdir(dirname(configFile), { recursive: true });
  await writeFile(configFile, typeof content === 'string' ? content : JSON.stringify(content));
}

function load(variables: Record<string, string> = {}, flags: ConfigSources['flags'] = {}) {
  return loadConfig({ root, env: readEnvironment(variables), flags });
}

test('without a file every default holds', async () => {
  const { config, credentials, workspaceDir, traces, allowScriptedModel } = await load();

  expect(config).toEqual({
    version: 1,
    server: {
      bind_address: '127.0.0.1',
      port: 3000,
      allowed_hosts: [],
      allowed_origins: [],
      max_body_bytes: 1_048_576,
      request_timeout_ms: 30_000,
      max_connections: 1024,
      max_streams: 512,
      shutdown_notice_ms: 250,
      metrics_public: false,
      trust_proxy: false,
    },
    api: { rate_limit_max: 600, rate_limit_window_ms: 60_000, auth_failures_per_minute: 20 },
    remote_access: { provider: 'none' },
    model: {
      default: null,
      max_output_tokens: 8192,
      request_timeout_ms: 90_000,
      max_retries: 3,
      text_tool_call_models: [],
    },
    providers: {
      openai: {},
      anthropic: {},
      openrouter: {},
      google: {},
      ollama: {},
      openai_compatible: {},
    },
    prices: { 'offline/rules': { input_per_million: 0, output_per_million: 0 } },
    costs: { default_project_budget_usd: null },
    engine: {
      max_concurrent_runs: 64,
      max_queued_runs: 1000,
      lease_ms: 30_000,
      default_run_timeout_ms: 1_200_000,
      max_turns: 30,
      max_run_tokens: 1_000_000,
      max_run_cost_usd: null,
      max_recoveries: 20,
      shutdown_grace_ms: 5_000,
      delta_batch_ms: 50,
    },
    agents: { require_global_memory_approval: false },
    chat: {
      enabled: true,
      default_agent_id: 'agent_default',
      allow_users: [],
      allow_rooms: [],
      rate_limit_per_min: 20,
      global_rate_limit_per_min: 120,
    },
    sessions: {
      max_message_chars: 1400,
      max_summary_chars: 220,
      max_error_chars: 320,
      max_output_chars: 1000,
      max_context_chars: 12_000,
      max_waiting_messages: 20,
    },
    scheduler: {
      enabled: true,
      max_concurrent_jobs: 4,
      max_jobs: 1000,
      max_jobs_per_principal: 50,
      misfire_grace_ms: 60_000,
      history_per_job: 200,
    },
    secrets: {
      store_file: '.openclawssy/secrets.enc',
      master_key_file: '.openclawssy/master.key',
    },
    tools: {
      granted: [
        'fs.*',
        'code.search',
        'artifact.read',
        'time.now',
        'run.list',
        'run.get',
        'agent.list',
        'metrics.get',
        'decision.log',
        'session.list',
        'session.close',
        'agent.message.send',
        'agent.message.inbox',
        'scheduler.*',
        'secrets.list',
        'skill.read',
        'memory.search',
        'memory.write',
        'http.request',
        'shell.exec',
        'mcp__*',
      ],
      granted_to_principals: [],
      default_timeout_ms: 30_000,
      max_timeout_ms: 900_000,
      max_output_bytes: 65_536,
    },
    policy: { mode: 'full', rules: [], approval_ttl_ms: 3_600_000, rule_of_two: true },
    network: {
      enabled: false,
      allowed_domains: [],
      allow_localhosts: false,
      principal_secrets: [],
      idempotency_key_domains: [],
    },
    shell: { enable_exec: false, allowed_commands: [], ask_commands: [], denied_commands: [] },
    sandbox: { active: false, provider: 'none', docker_image: 'debian:stable-slim' },
    tool_reliability: { mode: 'off', keep_breakers: true, overrides: {} },
    mcpServers: {},
    integrations: {
      github: { base_url: 'https://api.github.com', secret_names: [] },
      resend: { base_url: 'https://api.resend.com', secret_names: [] },
      whatsapp_gateway: { test_path: '/health' },
      make: { base_url: 'https://eu1.make.com/api/v2' },
      chefos: { test_path: '/health' },
      timeout_ms: 10_000,
    },
    skills: { enabled: true, max_in_prompt: 20, trusted_keys: [] },
    memory: {
      ...{ recall: true, context_chars: 4_000, max_recalled: 8, run_notes: false },
      embedding: { provider: 'local', model: null, timeout_ms: 30_000, idle_ms: 60_000 },
      recall_timeout_ms: 2_000,
    },
    workers: {
      process: { enabled: false, commands: {}, max_processes: 64 },
      max_workers: 16,
      max_queued_requests: 128,
      request_timeout_ms: 15_000,
      heartbeat_stale_after_ms: 120_000,
      stop_grace_ms: 2000,
      max_events_per_worker: 100_000,
      retention_days: 30,
      forget_after_days: 365,
    },
    projection: {
      sink: 'none',
      directory: '.openclawssy/projection',
      deploy_key_secret: 'projection/deploy_key',
      run_mutation: 'runtime:upsertRunSummary',
      worker_mutation: 'runtime:upsertCodexWorkerSummary',
      timeout_ms: 2500,
      interval_ms: 250,
      scan_ms: 60_000,
    },
    events: {
      retention_days: 0,
      retention_max_per_run: 0,
      retention_grace_ms: 3_600_000,
      janitor_interval_ms: 600_000,
    },
    workspace: { root: './workspace', per_principal: true },
    records: { audit_fsync_ms: 1000 },
    logging: { level: 'info', format: 'auto' },
  });
  expect(credentials.bearerToken).toBeUndefined();
  expect(workspaceDir).toBe(join(root, 'workspace'));
  expect(traces).toEqual({ enabled: false, serviceName: 'pincer' });
  expect(allowScriptedModel).toBe(false);
});

test('the environment wins over the file and a flag over both', async () => {
  await writeConfig({
    server: { port: 4001, bind_address: '0.0.0.0', max_streams: 7 },
    model: { default: 'openai/from-file' },
  });
  const environment = { CLAW_PORT: '4002', CLAW_MODEL: 'anthropic/from-env', LOG_LEVEL: 'WARN' };

  const fromFile = (await load()).config;
  const fromEnvironment = (await load(environment)).config;
  const fromFlags = (await load(environment, { port: 4003, logLevel: 'debug' })).config;

  expect(fromFile.server).toMatchObject({ port: 4001, bind_address: '0.0.0.0', max_streams: 7 });
  expect(fromFile.model.default).toBe('openai/from-file');
  expect(fromEnvironment.server).toMatchObject({
    port: 4002,
    bind_address: '0.0.0.0',
    max_streams: 7,
  });
  expect(fromEnvironment.model.default).toBe('anthropic/from-env');
  expect(fromEnvironment.logging.level).toBe('warn');
  expect(fromFlags.server.port).toBe(4003);
  expect(fromFlags.logging.level).toBe('debug');
});

test('every override reaches its field', async () => {
  const { config } = await load({
    CLAW_HOST: '::1',
    API_RATE_LIMIT_MAX: '5',
    API_RATE_LIMIT_WINDOW_MS: '2000',
    OPENAI_BASE_URL: 'http://127.0.0.1:1/v1',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:2',
    OPENROUTER_BASE_URL: 'http://127.0.0.1:3',
    GOOGLE_BASE_URL: 'http://127.0.0.1:4',
    CLAWOS_EMBEDDING_PROVIDER: 'OpenAI-Compatible',
    OLLAMA_HOST: 'localhost',
    OPENAI_COMPAT_BASE_URL: 'http://127.0.0.1:5',
  });

  expect(config.server.bind_address).toBe('::1');
  expect(config.api).toMatchObject({ rate_limit_max: 5, rate_limit_window_ms: 2000 });
  expect(config.providers).toEqual({
    openai: { base_url: 'http://127.0.0.1:1/v1' },
    anthropic: { base_url: 'http://127.0.0.1:2' },
    openrouter: { base_url: 'http://127.0.0.1:3' },
    google: { base_url: 'http://127.0.0.1:4' },
    ollama: { base_url: 'http://localhost:11434' },
    openai_compatible: { base_url: 'http://127.0.0.1:5' },
  });
  expect(config.memory.embedding.provider).toBe('openai_compatible');
});

test('an empty variable counts as unset', async () => {
  const { config, credentials } = await load({ CLAW_PORT: '', API_BEARER_TOKEN: ' ' });

  expect(config.server.port).toBe(3000);
  expect(credentials.bearerToken).toBeUndefined();
});

test('CLAW_ROOT names the state root unless a flag does', async () => {
  const env = readEnvironment({ CLAW_ROOT: root });

  expect((await loadConfig({ env })).paths.root).toBe(root);
  expect((await loadConfig({ env, root: join(root, 'other') })).paths.root).toBe(
    join(root, 'other'),
  );
});

test('the value is frozen all the way down', async () => {
  await writeConfig({ prices: { 'openai/x': { input_per_million: 1, output_per_million: 2 } } });
  const loaded = await load();

  const frozen = (value: unknown): boolean =>
    typeof value !== 'object' ||
    value === null ||
    (Object.isFrozen(value) && Object.values(value).every(frozen));

  expect(frozen(loaded.config)).toBe(true);
  expect(Object.isFrozen(loaded)).toBe(true);
  expect(() => Object.assign(loaded.config.server, { port: 1 })).toThrow(TypeError);
  expect(loaded.config.prices['openai/x']).toEqual({ input_per_million: 1, output_per_million: 2 });
});

test('secrets are in the credentials and nowhere else', async () => {
  await writeConfig({
    providers: { openai: { api_key: 'sk-file-openai' }, anthropic: { api_key: 'sk-file-a' } },
  });

  const loaded = await load({
    ANTHROPIC_API_KEY: 'sk-env-anthropic',
    API_BEARER_TOKEN: 'bearer-secret',
    DATABASE_URL: 'postgres://user:pg%2Fsecret@db.example/pincer',
    REDIS_URL: 'redis://:redis-secret@cache.example',
    RUNTIME_SIGNATURE_SECRET: 'sign-secret',
    RUNTIME_SIGNATURE_SECRETS: 'k1:first-secret, k2:second:secret',
  });

  const { credentials } = loaded;
  expect(credentials.apiKeys).toEqual({ openai: 'sk-file-openai', anthropic: 'sk-env-anthropic' });
  expect(credentials.bearerTokenFrom).toBe('environment');
  expect([...credentials.signatureSecrets]).toEqual([
    ['k1', 'first-secret'],
    ['k2', 'second:secret'],
  ]);
  expect(listSecretValues(credentials)).toEqual([
    'bearer-secret',
    'sign-secret',
    'first-secret',
    'second:secret',
    'sk-file-openai',
    'sk-env-anthropic',
    'pg%2Fsecret',
    'pg/secret',
    'redis-secret',
  ]);
  expect(`${JSON.stringify(loaded)} ${inspect(loaded, { depth: 9 })}`).not.toMatch(/-secret|sk-/);
});

test('what MCP servers are told is known as secret and never printed', async () => {
  const mcpServers = {
    issues: {
      url: 'https://me:url-secret@mcp.example/mcp?access_token=query-secret&team=9',
      headers: { Authorization: 'Bearer header-secret', 'X-Auth': 'auth-secret', Accept: 'text/x' },
      call_timeout_ms: 5000,
    },
    weather: {
      command: 'npx',
      args: ['-y', 'weather-mcp', '--api-key', 'arg-secret', '--token=flag-secret', '--verbose'],
      env: { WEATHER_API_KEY: 'env-secret', PIN_TOKEN: 'short', UNITS: 'metric units' },
    },
    broken: { command: 'x', env: 'whole-secret', headers: ['list-secret'], args: 7, url: 'no url' },
  };
  await writeConfig({ mcpServers });

  const loaded = await load();

  expect(loaded.mcpServers).toEqual(mcpServers);
  expect(listSecretValues(loaded.credentials)).toEqual([
    'Bearer header-secret',
    'header-secret',
    'auth-secret',
    'url-secret',
    'query-secret',
    'env-secret',
    'arg-secret',
    'flag-secret',
  ]);
  expect(loaded.config.mcpServers).toEqual({
    issues: {
      url: 'https://me:[REDACTED]@mcp.example/mcp?access_token=[REDACTED]&team=9',
      headers: { Authorization: '[REDACTED]', 'X-Auth': '[REDACTED]', Accept: '[REDACTED]' },
      call_timeout_ms: 5000,
    },
    weather: {
      command: 'npx',
      args: ['-y', 'weather-mcp', '--api-key', '[REDACTED]', '--token=[REDACTED]', '--verbose'],
      env: { WEATHER_API_KEY: '[REDACTED]', PIN_TOKEN: '[REDACTED]', UNITS: '[REDACTED]' },
    },
    broken: {
      command: 'x',
      env: '[REDACTED]',
      headers: '[REDACTED]',
      args: 7,
      url: 'no url',
    },
  });
  expect(`${JSON.stringify(loaded)} ${inspect(loaded, { depth: 9 })}`).not.toMatch(/-secret/);
});

test('traces are wanted only with an endpoint and no switch against them', async () => {
  const endpoint = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
    OTEL_SERVICE_NAME: 'claws',
  };

  expect((await load(endpoint)).traces).toEqual({ enabled: true, serviceName: 'claws' });
  expect((await load({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).traces.protocol).toBe('grpc');
  expect((await load({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).traces.enabled).toBe(false);
  expect((await load({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' })).traces.enabled).toBe(false);
});

test('a file with a byte order mark is read', async () => {
  await writeConfig('\uFEFF{"server":{"port":4000}}');

  expect((await load()).config.server.port).toBe(4000);
});

test('a huge file is refused unread', async () => {
  await writeConfig(`"${'x'.repeat(1024 * 1024)}"`);

  await expect(load()).rejects.toThrow('has 1048578 bytes, more than 1048576');
});
