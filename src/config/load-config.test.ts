import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listSecretValues } from './credentials.ts';
import { readEnvironment } from './environment.ts';
import { type ConfigSources, loadConfig } from './load-config.ts';
import { toStatePaths } from './state-root/state-paths.ts';

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
