import { inspect } from 'node:util';
import { expect, test, vi } from 'vitest';
import { createLiveConfig } from './live-config.ts';
import { type ConfigSources, type LoadedConfig, resolveConfig } from './load-config.ts';
import type { ConfigInput } from './schema/schema.ts';

const load = (file: ConfigInput, sources: ConfigSources = {}): Promise<LoadedConfig> =>
  resolveConfig(file, { root: '/nowhere', env: {}, ...sources });

test('a live field counts at once, and one that was opened at the start does not', async () => {
  const live = createLiveConfig(await load({}));

  const saved = live.apply(
    await load({
      server: { port: 4000 },
      network: { enabled: true, allowed_domains: ['example.com'] },
      engine: { max_turns: 7, lease_ms: 5000 },
      logging: { level: 'debug', format: 'json' },
    }),
  );

  expect(saved).toEqual({
    applied: ['engine.max_turns', 'logging.level', 'network.allowed_domains', 'network.enabled'],
    restartRequired: ['engine.lease_ms', 'logging.format', 'server.port'],
    overridden: [],
  });
  const { config } = live.current();
  expect(config.network).toMatchObject({ enabled: true, allowed_domains: ['example.com'] });
  expect(config.engine).toMatchObject({ max_turns: 7, lease_ms: 30_000 });
  expect(config.logging).toEqual({ level: 'debug', format: 'auto' });
  expect(config.server.port).toBe(3000);
  expect(live.listPending()).toEqual(['engine.lease_ms', 'logging.format', 'server.port']);
});

test('a field that goes back to what the process was started with waits for nothing', async () => {
  const live = createLiveConfig(await load({}));
  live.apply(await load({ server: { port: 4000 } }));

  const saved = live.apply(await load({}));

  expect(saved.restartRequired).toEqual(['server.port']);
  expect(live.listPending()).toEqual([]);
});

test('a field that the environment or a flag holds is named as such and keeps its value', async () => {
  const sources = {
    env: { CLAW_MODEL: 'openai/from-environment', OPENAI_API_KEY: 'key-of-environment' },
    flags: { port: 5000 },
  };
  const live = createLiveConfig(await load({}, sources));

  const saved = live.apply(
    await load(
      {
        model: { default: 'openai/from-file' },
        providers: { openai: { api_key: 'key-of-file' } },
        server: { port: 4000 },
      },
      sources,
    ),
  );

  expect(saved).toEqual({
    applied: [],
    restartRequired: [],
    overridden: ['model.default', 'providers.openai.api_key', 'server.port'],
  });
  expect(live.current().config.model.default).toBe('openai/from-environment');
  expect(live.current().credentials.apiKeys.openai).toBe('key-of-environment');
  expect(live.listPending()).toEqual([]);
});

test('the switch of the reliability layer in the environment counts as holding its mode', async () => {
  const live = createLiveConfig(await load({ tool_reliability: { mode: 'all' } }));
  vi.stubEnv('TOOL_RELIABILITY_ENABLED', 'false');

  const saved = live.apply(await load({ tool_reliability: { mode: 'shadow' } }));

  vi.unstubAllEnvs();
  expect(saved).toMatchObject({ applied: [], overridden: ['tool_reliability.mode'] });
});

test('a new key counts at once, and the old one stays known as a secret', async () => {
  const withKey = (api_key: string) => load({ providers: { anthropic: { api_key } } });
  const live = createLiveConfig(await withKey('first-key-value'));

  const saved = live.apply(await withKey('second-key-value'));

  expect(saved.applied).toEqual(['providers.anthropic.api_key']);
  expect(live.current().credentials.apiKeys.anthropic).toBe('second-key-value');
  expect(live.listSecrets()).toEqual(['first-key-value', 'second-key-value']);
  expect(inspect(live.current(), { depth: 9 })).not.toMatch(/first-key|second-key/);
  expect(JSON.stringify(live.current())).not.toMatch(/first-key|second-key/);
});

test('a server of tools is named as a whole, whatever changed in it', async () => {
  const live = createLiveConfig(await load({ mcpServers: { gone: { command: 'x' } } }));

  const saved = live.apply(
    await load({ mcpServers: { added: { command: 'y', env: { TOKEN: 'value-of-token' } } } }),
  );

  expect(saved.applied).toEqual(['mcpServers.added', 'mcpServers.gone']);
  expect(Object.keys(live.current().mcpServers)).toEqual(['added']);
  expect(live.listPending()).toEqual([]);
  expect(live.listSecrets()).toContain('value-of-token');
});
