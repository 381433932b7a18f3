import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RuntimeError } from '../core/errors.ts';
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

async function failure(loading: Promise<unknown>): Promise<RuntimeError> {
  const error = await loading.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof RuntimeError)) throw new Error(`expected a RuntimeError, got ${error}`);
  return error;
}

test('a syntax error is given with file, line, column and fix', async () => {
  await writeConfig('{\n  "server": { "port": 1, }\n}');

  const error = await failure(load());

  const fix = `correct the JSON there, or put ${configFile}.bak back if there is one`;
  expect(error.code).toBe('config_invalid');
  expect(error.message).toBe(
    `config file ${configFile}, line 2, column 26: comma before the end; to fix: ${fix}`,
  );
  expect(error.details).toEqual({ file: configFile, line: 2, column: 26, fix });
});

test('a syntax error never quotes the file, which may hold a key', async () => {
  await writeConfig('{"providers":{"openai":{"api_key":"sk-very-secret"}} "x"}');

  const error = await failure(load());

  expect(inspect(error)).not.toContain('sk-very-secret');
});

const DEFAULT_FIX = 'correct it, or remove it to use the default';
test.each([
  [{ sever: {} }, 'sever is not a known field; to fix: did you mean server?'],
  [
    { server: { bindAddress: '::1' } },
    'server.bindAddress is not a known field; to fix: did you mean server.bind_address?',
  ],
  [
    { telephone: { enabled: true } },
    'telephone is not a known field; to fix: remove it (docs/configuration.md lists every field)',
  ],
  [
    { policy: { rules: [{ tool: 'fs.*', decision: 'ask', were: {} }] } },
    'policy.rules.0.were is not a known field; to fix: did you mean policy.rules.0.where?',
  ],
  [{ policy: { rules: [{ tool: 'fs.*' }] } }, 'policy.rules.0.decision is missing; to fix: add it'],
  [
    { tools: { granted: ['*.read'] } },
    'tools.granted.0 must be a tool name such as fs.read, or a prefix such as fs.* (it is "*.read"); to fix: correct or remove it',
  ],
  [
    { network: { allowed_domains: ['a b'] } },
    'network.allowed_domains.0 must not contain spaces (it is "a b"); to fix: correct or remove it',
  ],
  [
    { sandbox: { active: true } },
    'sandbox.provider must be bwrap or docker when sandbox.active is true; to fix: set sandbox.provider to bwrap or docker, or sandbox.active to false',
  ],
  [
    { shell: { enable_exec: true } },
    'shell.enable_exec needs sandbox.active to be true; to fix: set sandbox.active to true and sandbox.provider to bwrap or docker, or shell.enable_exec to false',
  ],
  [
    { shell: { enable_exec: true }, sandbox: { active: false, provider: 'bwrap' } },
    'shell.enable_exec needs sandbox.active to be true; to fix: set sandbox.active to true and sandbox.provider to bwrap or docker, or shell.enable_exec to false',
  ],
  [
    { tool_reliability: { overrides: { 'fs.*': { retry: { max_retries: true } } } } },
    'tool_reliability.overrides.fs.*.retry.max_retries must be a number or a word (it is true); to fix: correct or remove it',
  ],
  [
    { tool_reliability: { overrides: { 'fs.*': { retry: { max_retries: 101 } } } } },
    'tool_reliability.overrides.fs.*.retry.max_retries is refused: Too big: expected number to be <=100 (it is 101); to fix: correct or remove it',
  ],
  [
    { mcpServers: { issues: 'sk-pasted-in-the-wrong-place' } },
    'mcpServers.issues must be an object; to fix: correct or remove it',
  ],
  [
    JSON.parse('{"__proto__":{}}'),
    '__proto__ is not a known field; to fix: remove it (docs/configuration.md lists every field)',
  ],
  [
    { server: { port: '80' } },
    `server.port must be a number (it is "80"); to fix: ${DEFAULT_FIX} 3000`,
  ],
  [
    { server: { port: 80.5 } },
    `server.port must be a whole number (it is 80.5); to fix: ${DEFAULT_FIX} 3000`,
  ],
  [
    { server: { port: 65_536 } },
    `server.port must be at most 65535 (it is 65536); to fix: ${DEFAULT_FIX} 3000`,
  ],
  [
    { server: { port: -1 } },
    `server.port must be at least 0 (it is -1); to fix: ${DEFAULT_FIX} 3000`,
  ],
  [
    { server: { port: null } },
    `server.port must be a number (it is null); to fix: ${DEFAULT_FIX} 3000`,
  ],
  [
    { server: { bind_address: 'example.com' } },
    `server.bind_address must be an IP address or localhost (it is "example.com"); to fix: ${DEFAULT_FIX} "127.0.0.1"`,
  ],
  [
    { server: { allowed_origins: ['https://a.example/path'] } },
    'server.allowed_origins.0 must be an origin such as https://example.com, without a path (it is "https://a.example/path"); to fix: correct or remove it',
  ],
  [
    { server: { allowed_hosts: ['http://a'] } },
    'server.allowed_hosts.0 must be a host name or host:port, without scheme or path (it is "http://a"); to fix: correct or remove it',
  ],
  [{ server: [] }, 'server must be an object (it is a list); to fix: correct or remove it'],
  [[], 'must be an object (it is a list); to fix: correct or remove it'],
  [{ version: 2 }, `version must be 1 (it is 2); to fix: ${DEFAULT_FIX} 1`],
  [
    { logging: { level: 'loud' } },
    `logging.level must be "debug" or "info" or "warn" or "error" or "silent" (it is "loud"); to fix: ${DEFAULT_FIX} "info"`,
  ],
  [
    { model: { default: 'gpt' } },
    `model.default must be provider/name, as in openai/gpt-4o-mini (it is "gpt"); to fix: ${DEFAULT_FIX} null`,
  ],
  [
    { providers: { openai: { base_url: 'https://me:hidden@a.example' } } },
    'providers.openai.base_url must be an http or https URL without user name, password, query or fragment; to fix: correct or remove it',
  ],
  [
    { providers: { openai: { api_key: 'two words' } } },
    'providers.openai.api_key must be printable ASCII without spaces; to fix: correct or remove it',
  ],
  [
    { prices: { 'openai/x': { input_per_million: 1 } } },
    'prices.openai/x.output_per_million is missing; to fix: add it',
  ],
  [
    { prices: { x: { input_per_million: 1, output_per_million: 1 } } },
    'prices.x has a name that must be provider/name, as in openai/gpt-4o-mini; to fix: rename or remove it',
  ],
  [
    { tools: { default_timeout_ms: 900_001 } },
    `tools.default_timeout_ms must not be above tools.max_timeout_ms (it is 900001); to fix: ${DEFAULT_FIX} 30000`,
  ],
  [
    { workspace: { root: '' } },
    `workspace.root must not be empty; to fix: ${DEFAULT_FIX} "./workspace"`,
  ],
  [
    { engine: { max_run_cost_usd: 0 } },
    `engine.max_run_cost_usd must be above 0 (it is 0); to fix: ${DEFAULT_FIX} null`,
  ],
])('refuses %j with the field and the fix', async (content, expected) => {
  await writeConfig(content);

  const error = await failure(load());

  const separator = expected.startsWith('must') ? ' ' : ': ';
  expect(error.code).toBe('config_invalid');
  expect(error.message).toBe(`config file ${configFile}${separator}${expected}`);
  expect(error.details).toMatchObject({ file: configFile, fix: expected.split('to fix: ')[1] });
});

test('further problems are listed by field', async () => {
  await writeConfig({ server: { port: 'x' }, engine: { max_turns: 0 } });

  const error = await failure(load());

  expect(error.message).toMatch(/^config file \S+: server\.port .* \(1 more: engine\.max_turns\)$/);
  expect(error.details).toMatchObject({
    field: 'server.port',
    problems: [
      { field: 'server.port' },
      { field: 'engine.max_turns', problem: 'must be at least 1 (it is 0)' },
    ],
  });
});

test.each([
  [{ CLAW_PORT: 'http' }, 'CLAW_PORT: server.port must be a number (it is "http")'],
  [{ CLAW_PORT: '99999' }, 'CLAW_PORT: server.port must be at most 65535 (it is 99999)'],
  [
    { CLAW_HOST: 'nowhere!' },
    'CLAW_HOST: server.bind_address must be an IP address or localhost (it is "nowhere!")',
  ],
  [
    { CLAW_MODEL: 'gpt' },
    'CLAW_MODEL: model.default must be provider/name, as in openai/gpt-4o-mini (it is "gpt")',
  ],
  [
    { OLLAMA_HOST: 'not a host' },
    'OLLAMA_HOST: providers.ollama.base_url must be an http or https URL without user name, password, query or fragment',
  ],
  [
    { DATABASE_URL: 'mysql://u:hidden@h/d' },
    'DATABASE_URL must be a URL that starts with postgres://',
  ],
  [{ REDIS_URL: 'nonsense' }, 'REDIS_URL must be a URL that starts with redis://'],
  [
    { API_BEARER_TOKEN: 'two words' },
    'API_BEARER_TOKEN must be printable ASCII without spaces, at most 4096 characters',
  ],
  [
    { RUNTIME_SIGNATURE_SECRETS: 'k1:a,k1:b' },
    'RUNTIME_SIGNATURE_SECRETS must be keyid:secret pairs with distinct ids, joined by commas',
  ],
])('a bad variable %j is named', async (variables, expected) => {
  const error = await failure(load(variables));

  const [name] = Object.keys(variables);
  expect(error.code).toBe('config_invalid');
  expect(error.message).toBe(`environment variable ${expected}; to fix: correct or unset ${name}`);
  expect(error.details).toMatchObject({ variable: name });
});

test('a bad flag is named', async () => {
  const error = await failure(load({}, { port: '70000' }));

  expect(error.message).toBe(
    'option --port: server.port must be at most 65535 (it is 70000); to fix: correct or unset --port',
  );
});

test.each(['.openclawssy', './.openclawssy/agents', '.claw/sessions'])(
  'refuses %s as workspace, which is the runtime’s own',
  async (workspace) => {
    await writeConfig({ workspace: { root: workspace } });

    const error = await failure(load());

    expect(error.code).toBe('config_invalid');
    expect(error.details).toMatchObject({ file: configFile, field: 'workspace.root' });
  },
);

test('a folder in place of the file is a clear error', async () => {
  await mkdir(configFile, { recursive: true });

  const error = await failure(load());

  expect(error.code).toBe('storage_unavailable');
  expect(error.message).toMatch(`cannot read ${configFile}: a folder is in its place (EISDIR)`);
});
