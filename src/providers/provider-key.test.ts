import { expect, onTestFinished, test } from 'vitest';
import { answers, openProviderServer, streams } from '../../test/support/provider-server.ts';
import { CHAT_TEXT, collectParts } from '../../test/support/served-model.ts';
import type { ProviderKeys } from './models-config.ts';
import { createModels } from './open-models.ts';
import { createKeyFinder, findProviderKey } from './provider-key.ts';

interface Sources {
  environment?: ProviderKeys;
  config?: ProviderKeys;
  secrets?: Record<string, string>;
}

/** Looks into the object at every call, as a store and a live configuration do. */
function findIn(sources: Sources) {
  return createKeyFinder({
    given: () => ({ environment: sources.environment ?? {}, config: sources.config ?? {} }),
    secrets: { find: async (name) => sources.secrets?.[name] },
  });
}

const EVERYWHERE: Sources = {
  environment: { openaiCompatible: 'from-environment' },
  secrets: { 'provider/openai-compatible/api_key': 'from-store' },
  config: { openaiCompatible: 'from-config' },
};

test.each([
  ['the environment', EVERYWHERE, 'from-environment', 'OPENAI_COMPAT_API_KEY'],
  [
    'the store',
    { ...EVERYWHERE, environment: { openaiCompatible: '' } },
    'from-store',
    'secret provider/openai-compatible/api_key',
  ],
  [
    'the configuration',
    { config: EVERYWHERE.config ?? {} },
    'from-config',
    'providers.openai_compatible.api_key',
  ],
])('takes the key of %s before what comes after it', async (_, sources, value, place) => {
  expect(await findIn(sources)('openai-compatible')).toEqual({ value, place });
});

test('does not open the store for a key that the environment has', async () => {
  const keys = createKeyFinder({
    given: () => ({ environment: { openai: 'k' }, config: {} }),
    secrets: { find: () => Promise.reject(new Error('asked')) },
  });

  expect(await keys('openai')).toEqual({ value: 'k', place: 'OPENAI_API_KEY' });
});

test('refuses a key that no header can carry, without repeating it', async () => {
  const keys = findIn({ secrets: { 'provider/openai/api_key': 'two\nlines' } });

  await expect(findProviderKey('openai', { keys })).rejects.toMatchObject({
    code: 'provider_misconfigured',
    message: 'the key in secret provider/openai/api_key is not printable ASCII without spaces',
  });
});

test('a model that is ready uses the key that is stored now, and none that was removed', async () => {
  const server = await openProviderServer(streams(CHAT_TEXT), streams(CHAT_TEXT));
  onTestFinished(() => server.close());
  const secrets: Record<string, string> = { 'provider/openai/api_key': 'old-key' };
  const models = createModels({ keys: findIn({ secrets }), baseUrls: { openai: server.url } });
  const model = await models.get('openai/gpt');

  await collectParts(model);
  secrets['provider/openai/api_key'] = 'new-key';
  await collectParts(await models.get('openai/gpt'));
  delete secrets['provider/openai/api_key'];
  const { error } = await collectParts(model);

  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer old-key',
    'Bearer new-key',
  ]);
  expect(error).toMatchObject({
    code: 'provider_misconfigured',
    message:
      'openai needs a key: set OPENAI_API_KEY, or store it with claw secrets set provider/openai/api_key',
  });
});

test('names the secret whose key a provider refuses', async () => {
  const server = await openProviderServer(answers(401, { error: { message: 'bad key' } }));
  onTestFinished(() => server.close());
  const keys = findIn({ secrets: { 'provider/openai/api_key': 'stale' } });
  const models = createModels({ keys, baseUrls: { openai: server.url } });

  const { error } = await collectParts(await models.get('openai/gpt'));

  expect(error?.message).toBe(
    'openai refused the key in secret provider/openai/api_key (HTTP 401)',
  );
});

test('a key that is stored while the runtime is running changes the default model', async () => {
  const secrets: Record<string, string> = {};
  const models = createModels({ keys: findIn({ secrets }), detectOllama: false });

  const before = await models.describe();
  secrets['provider/anthropic/api_key'] = 'k';
  const between = await models.describe();
  secrets['provider/openai/api_key'] = 'k';
  const after = await models.describe();

  expect([before, between, after].map(({ provider }) => provider)).toEqual([
    'offline',
    'anthropic',
    'openai',
  ]);
});
