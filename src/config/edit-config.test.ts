import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../core/clock.ts';
import type { ConfigEditor } from '../core/config-editor.ts';
import type { JsonObject } from '../core/json.ts';
import { silentLogger } from '../core/log.ts';
import { createConfigEditor } from './edit-config.ts';
import { createLiveConfig, type LiveConfig } from './live-config.ts';
import { loadConfig } from './load-config.ts';
import { type StatePaths, toStatePaths } from './state-root/state-paths.ts';

let root: string;
let paths: StatePaths;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pincer-edit-config-'));
  paths = toStatePaths(root);
  await mkdir(paths.stateDir, { mode: 0o700 });
});
afterEach(() => rm(root, { recursive: true, force: true }));

interface Editing {
  readonly editor: ConfigEditor;
  readonly live: LiveConfig;
}

async function openEditor(file?: object, env = {}): Promise<Editing> {
  if (file) await writeFile(paths.configFile, `${JSON.stringify(file, null, 2)}\n`);
  const sources = { root, env };
  const live = createLiveConfig(await loadConfig(sources));
  let isHeld = false;
  const tryLock = () => {
    if (isHeld) return undefined;
    isHeld = true;
    return {
      close() {
        isHeld = false;
      },
    };
  };
  const deps = { sources, live, tryLock, clock: systemClock, logger: silentLogger };
  return { editor: createConfigEditor(deps), live };
}

const readText = () => readFile(paths.configFile, 'utf8');
const readFileConfig = async (): Promise<JsonObject> => JSON.parse(await readText());
const NOTHING = { applied: [], restartRequired: [], overridden: [] };

const FULL = {
  $schema: './config.schema.json',
  version: 1,
  server: { port: 4000 },
  network: { enabled: true, allowed_domains: ['example.com'] },
  providers: { openai: { api_key: 'sk-stored-in-file', base_url: 'http://127.0.0.1:9/v1' } },
  prices: { 'openai/gpt': { input_per_million: 1, output_per_million: 2 } },
  mcpServers: {
    search: {
      command: 'search-server',
      args: ['--verbose', '--api-key', 'argument-secret', '--token=second-secret'],
      env: { SEARCH_API_KEY: 'variable-secret', REGION: 'eu' },
    },
    remote: {
      url: 'https://user:url-password@example.com/mcp',
      headers: { Authorization: 'Bearer header-secret' },
    },
  },
};

test('what is read holds every field, and no secret', async () => {
  const { editor } = await openEditor(FULL);

  const document = await editor.read();

  expect(document).toMatchObject({
    $schema: './config.schema.json',
    version: 1,
    server: { port: 4000, bind_address: '127.0.0.1' },
    chat: { enabled: true, rate_limit_per_min: 20 },
    providers: {
      openai: { api_key: '', base_url: 'http://127.0.0.1:9/v1' },
      anthropic: {},
    },
    mcpServers: {
      search: {
        command: 'search-server',
        args: ['--verbose', '--api-key', '[REDACTED]', '--token=[REDACTED]'],
        env: { SEARCH_API_KEY: '[REDACTED]', REGION: '[REDACTED]' },
      },
      remote: { headers: { Authorization: '[REDACTED]' } },
    },
  });
  expect(JSON.stringify(document)).not.toMatch(/-secret|stored-in-file|url-password/);
});

test('what the environment sets is not read as if it were in the file', async () => {
  const { editor } = await openEditor({}, { CLAW_PORT: '5555', OPENAI_API_KEY: 'from-env' });

  const document = await editor.read();

  expect(document).toMatchObject({ server: { port: 3000 } });
  expect(JSON.stringify(document)).not.toContain('from-env');
});

test.each([
  ['a full file', FULL],
  ['the file of a first start', { version: 1, model: { default: null } }],
  ['an empty file', {}],
])('reading and writing back changes nothing: %s', async (_, file) => {
  const { editor } = await openEditor(file);
  const before = await readText();

  const saved = await editor.replace(await editor.read());

  expect(saved).toEqual(NOTHING);
  expect(await readText()).toBe(before);
  expect(await readdir(paths.stateDir)).toEqual(['config.json']);
});

test('a field that is left out of its section stays as it was', async () => {
  const { editor, live } = await openEditor(FULL);

  const saved = await editor.replace({ network: { allowed_domains: ['example.org'] } });

  expect(saved).toEqual({ ...NOTHING, applied: ['network.allowed_domains'] });
  expect(await readFileConfig()).toEqual({
    ...FULL,
    network: { enabled: true, allowed_domains: ['example.org'] },
  });
  expect(live.current().config.network.enabled).toBe(true);
});

test('one change keeps the rest of the file, its secrets and the version before', async () => {
  const { editor } = await openEditor(FULL);
  const before = await readText();
  const document = await editor.read();

  const saved = await editor.replace({
    ...document,
    server: { ...(document['server'] as JsonObject), port: 4001 },
    chat: { ...(document['chat'] as JsonObject), enabled: false },
  });

  expect(saved).toEqual({
    ...NOTHING,
    applied: ['chat.enabled'],
    restartRequired: ['server.port'],
  });
  expect(await readFileConfig()).toEqual({
    ...FULL,
    server: { port: 4001 },
    chat: { enabled: false },
  });
  expect(await readFile(paths.configBackupFile, 'utf8')).toBe(before);
});

const toPrice = (kind: string) => `prices.openai/gpt.${kind}_per_million`;

test('maps and lists are replaced as they are given', async () => {
  const { editor } = await openEditor(FULL);
  const { mcpServers } = (await editor.read()) as { mcpServers: JsonObject };

  const saved = await editor.replace({
    prices: {},
    mcpServers: { remote: mcpServers['remote'] ?? {} },
  });

  expect(saved).toEqual({
    applied: ['mcpServers.search', ...['input', 'output'].map(toPrice)],
    restartRequired: [],
    overridden: [],
  });
  const { search: _, ...others } = FULL.mcpServers;
  expect(await readFileConfig()).toEqual({ ...FULL, prices: {}, mcpServers: others });
});

test('secrets follow their arguments when others are added, removed or changed', async () => {
  const { editor } = await openEditor(FULL);

  await editor.patch({
    mcpServers: {
      search: {
        args: ['--token=[REDACTED]', '--fast', '--api-key', '[REDACTED]'],
        env: { SEARCH_API_KEY: '', REGION: 'us' },
      },
      remote: { url: 'https://example.org/mcp' },
    },
  });

  expect((await readFileConfig())['mcpServers']).toEqual({
    search: {
      command: 'search-server',
      args: ['--token=second-secret', '--fast', '--api-key', 'argument-secret'],
      env: { SEARCH_API_KEY: 'variable-secret', REGION: 'us' },
    },
    remote: { url: 'https://example.org/mcp', headers: FULL.mcpServers.remote.headers },
  });
});

test('a struck out value that could be either of two secrets is refused, and so is one of a new name', async () => {
  const args = ['--a-token', 'secret-of-a', '--b-token', 'secret-of-b'];
  const { editor } = await openEditor({ mcpServers: { one: { command: 'x', args } } });
  const before = await readText();

  const attempts = await Promise.allSettled([
    editor.patch({ mcpServers: { one: { args: ['--c-token', '[REDACTED]'] } } }),
    editor.patch({ mcpServers: { two: { args: ['--a-token', '[REDACTED]'] } } }),
    editor.patch({ mcpServers: { one: { args: ['--b-token', '[REDACTED]'] } } }),
  ]);

  const message =
    'holds [REDACTED] where no value is stored for it; to fix: write the value itself';
  expect(attempts).toMatchObject([
    { reason: { details: { field_errors: [{ path: 'mcpServers.one', message }] } } },
    { reason: { details: { field_errors: [{ path: 'mcpServers.two', message }] } } },
    { status: 'fulfilled' },
  ]);
  expect(await readFile(paths.configBackupFile, 'utf8')).toBe(before);
  expect(await readFileConfig()).toEqual({
    mcpServers: { one: { command: 'x', args: ['--b-token', 'secret-of-b'] } },
  });
});

test('an entry that leaves its secrets out keeps them, and a patch with null removes them', async () => {
  const { editor } = await openEditor(FULL);

  await editor.replace({
    providers: { openai: { base_url: 'http://127.0.0.1:10/v1' } },
    mcpServers: {
      search: { command: 'search-server' },
      remote: { url: 'https://example.com/mcp' },
    },
  });
  const replaced = await readFileConfig();
  await editor.patch({
    providers: { openai: { api_key: null } },
    mcpServers: { search: { env: { SEARCH_API_KEY: null } }, remote: null },
  });

  expect(replaced).toMatchObject({
    providers: { openai: { base_url: 'http://127.0.0.1:10/v1', api_key: 'sk-stored-in-file' } },
    mcpServers: {
      search: { command: 'search-server', env: { SEARCH_API_KEY: 'variable-secret' } },
      remote: {
        url: 'https://example.com/mcp',
        headers: { Authorization: 'Bearer header-secret' },
      },
    },
  });
  expect(await readFileConfig()).toMatchObject({
    providers: { openai: { base_url: 'http://127.0.0.1:10/v1' } },
    mcpServers: { search: { command: 'search-server', env: {} } },
  });
  expect(await readText()).not.toMatch(/sk-stored|variable-secret|header-secret/);
});

test('null brings a default back', async () => {
  const { editor, live } = await openEditor(FULL);

  const saved = await editor.patch({ network: null, server: { port: null } });

  expect(saved).toEqual({
    applied: ['network.allowed_domains', 'network.enabled'],
    restartRequired: ['server.port'],
    overridden: [],
  });
  expect(live.current().config.network.enabled).toBe(false);
  const { network: _, ...others } = FULL;
  expect(await readFileConfig()).toEqual({ ...others, server: {} });
});

test.each([
  [{ server: { prt: 1 } }, 'server.prt', 'is not a known field; to fix: did you mean server.port?'],
  [
    { server: { port: 70_000 } },
    'server.port',
    'must be at most 65535 (it is 70000); to fix: correct it, or remove it to use the default 3000',
  ],
  [
    { shell: { enable_exec: true } },
    'shell.enable_exec',
    'needs sandbox.active to be true; to fix: set sandbox.active to true and sandbox.provider to bwrap or docker, or shell.enable_exec to false',
  ],
  [
    { tool_reliability: { overrides: { 'fs.*': { retry: { max_retrys: 3 } } } } },
    'tool_reliability.overrides.fs.*.retry.max_retrys',
    'is not a known field; to fix: did you mean max_retries?',
  ],
  [
    { secrets: { master_key_file: 'workspace/key' } },
    'secrets.master_key_file',
    'is inside the workspace, where tools may read; to fix: choose a path outside the workspace',
  ],
  [
    { secrets: { store_file: '.openclawssy/token' } },
    'secrets.store_file',
    'is taken by another file; to fix: choose another path',
  ],
  [
    { providers: { openai: { api_key: 'not a key' } } },
    'providers.openai.api_key',
    'must be printable ASCII without spaces; to fix: correct or remove it',
  ],
  [{ network: true }, 'network', 'must be an object (it is true); to fix: correct or remove it'],
])('refuses %j with the field and the fix, and writes nothing', async (change, path, message) => {
  const { editor, live } = await openEditor(FULL);
  const before = await readText();
  const inForce = live.current();

  const attempts = await Promise.allSettled([editor.replace(change), editor.patch(change)]);

  const refusal = { code: 'config_invalid', details: { field_errors: [{ path, message }] } };
  expect(attempts).toMatchObject([{ reason: refusal }, { reason: refusal }]);
  expect(await editor.validate(change)).toEqual([{ path, message }]);
  expect(await readText()).toBe(before);
  expect(await readdir(paths.stateDir)).toEqual(['config.json']);
  expect(live.current()).toBe(inForce);
});

test('all fields at fault are named together', async () => {
  const { editor } = await openEditor({});

  const problems = await editor.validate({ server: { port: -1 }, chat: { enabled: 'yes' } });

  expect(problems.map(({ path }) => path)).toEqual(['server.port', 'chat.enabled']);
  expect(await editor.validate({ server: { port: 1 } })).toEqual([]);
});

test('refuses what is nested too deeply or too large', async () => {
  const { editor } = await openEditor({});
  const deep = JSON.parse(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`);
  const large = { one: { note: 'x'.repeat(1024 * 1024) } };

  const attempts = await Promise.allSettled([
    editor.replace({ mcpServers: deep }),
    editor.replace({ mcpServers: large }),
  ]);

  const tooDeep = 'is nested deeper than 32 levels; to fix: flatten it';
  const tooLarge = expect.stringMatching(/^has \d+ bytes, more than 1048576; /);
  expect(attempts).toMatchObject([
    { reason: { details: { field_errors: [{ path: '', message: tooDeep }] } } },
    { reason: { details: { field_errors: [{ path: '', message: tooLarge }] } } },
  ]);
  expect(await readFileConfig()).toEqual({});
});

test('a file that somebody broke by hand is reported and left alone', async () => {
  const { editor } = await openEditor({});
  const broken = '{ "server": { "port": 4000, } }';
  await writeFile(paths.configFile, broken);

  const attempts = await Promise.allSettled([
    editor.read(),
    editor.validate({}),
    editor.patch({ server: { port: 1 } }),
    editor.replace({}),
  ]);

  const message = `the file on disk is not valid: config file ${paths.configFile}, line 1, column 29: `;
  const reason = { code: 'conflict', message: expect.stringContaining(message) };
  expect(attempts).toMatchObject([{ reason }, { reason }, { reason }, { reason }]);
  expect(await readText()).toBe(broken);
});

test('what was changed by hand before is taken in with the next change, and named', async () => {
  const { editor, live } = await openEditor({});
  await writeFile(paths.configFile, JSON.stringify({ engine: { max_turns: 3 } }));

  const saved = await editor.patch({ network: { enabled: true } });

  expect(saved.applied).toEqual(['engine.max_turns', 'network.enabled']);
  expect(live.current().config.engine.max_turns).toBe(3);
});

test('changes at the same time all land', async () => {
  const { editor } = await openEditor({});

  await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      editor.patch({ prices: { [`test/m${n}`]: { input_per_million: n, output_per_million: n } } }),
    ),
  );

  const { prices } = (await readFileConfig()) as { prices: JsonObject };
  expect(Object.keys(prices).toSorted()).toEqual(
    Array.from({ length: 10 }, (_, n) => `test/m${n}`),
  );
});

test('a name that stands for the prototype of objects is refused like any unknown one', async () => {
  const { editor } = await openEditor({});

  const attempt = editor.patch(JSON.parse('{"__proto__":{"server":{"port":1}}}'));

  await expect(attempt).rejects.toMatchObject({
    details: { field_errors: [{ path: '__proto__' }] },
  });
  expect(await readFileConfig()).toEqual({});
});
