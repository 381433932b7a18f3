import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import {
  answers,
  openProviderServer,
  type ProviderServer,
} from '../../test/support/provider-server.ts';
import { createModels } from './open-models.ts';

const CLOSED_PORT = 'http://127.0.0.1:1';
const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function openOllama(...names: string[]): Promise<ProviderServer> {
  const data = names.map((id) => ({ id, object: 'model' }));
  const server = await openProviderServer(answers(200, { object: 'list', data }));
  cleanups.push(server.close);
  return server;
}

describe('without a configured model', () => {
  test.each([
    [{ keys: { openai: 'k', anthropic: 'k' } }, { provider: 'openai', name: 'gpt-5-mini' }],
    [
      { keys: { anthropic: 'k', openrouter: 'k' } },
      { provider: 'anthropic', name: 'claude-sonnet-4-6' },
    ],
    [{ keys: { openrouter: 'k' } }, { provider: 'openrouter', name: 'openai/gpt-5-mini' }],
    [
      { keys: { openai: '' }, detectOllama: false },
      { provider: 'offline', name: 'rules' },
    ],
  ])('takes the first provider with a key: %j', async (config, expected) => {
    const models = createModels(config);

    expect(await models.describe()).toEqual(expected);
    const { provider, name } = await models.get(undefined);
    expect({ provider, name }).toEqual(expected);
  });

  test('takes the first model of an openai-compatible server', async () => {
    const server = await openOllama('text-embedding-x', 'local-7b');
    const models = createModels({
      baseUrls: { openaiCompatible: `${server.url}/v1` },
      keys: { openaiCompatible: 'k' },
    });

    expect(await models.describe()).toEqual({ provider: 'openai-compatible', name: 'local-7b' });
    expect(server.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/v1/models', 'Bearer k'],
    ]);
  });

  test('says what to set when an openai-compatible server lists nothing', async () => {
    const server = await openOllama();
    const models = createModels({ baseUrls: { openaiCompatible: server.url } });

    await expect(models.get(undefined)).rejects.toMatchObject({
      code: 'provider_misconfigured',
      message:
        'the server at OPENAI_COMPAT_BASE_URL lists no model: set CLAW_MODEL to openai-compatible/<name>',
    });
  });

  test('takes a local Ollama, asks it once for many runs, and not before the first', async () => {
    const server = await openOllama('nomic-embed-text:latest', 'llama3.2:3b', 'other');
    const models = createModels({ baseUrls: { ollama: server.url } });
    expect(server.requests).toEqual([]);

    const found = await Promise.all([models.get(undefined), models.get(undefined), models.get('')]);
    await models.describe();

    expect(found.map(({ provider, name }) => `${provider}/${name}`)).toEqual(
      Array(3).fill('ollama/llama3.2:3b'),
    );
    expect(server.requests.map((request) => request.path)).toEqual(['/v1/models']);
  });

  test('falls back to the offline model, and finds an Ollama that starts later', async () => {
    const clock = new ManualClock();
    const server = await openOllama();
    const models = createModels({ baseUrls: { ollama: server.url } }, clock);

    expect(await models.describe()).toEqual({ provider: 'offline', name: 'rules' });
    expect(await models.describe()).toEqual({ provider: 'offline', name: 'rules' });
    expect(server.requests).toHaveLength(1);

    await clock.advance(30_000);
    await models.describe();
    expect(server.requests).toHaveLength(2);
  });

  test('does not wait for a server that accepts and says nothing', async () => {
    const server = await openProviderServer(() => {});
    cleanups.push(server.close);
    const startedAt = performance.now();

    const { provider } = await createModels({ baseUrls: { ollama: server.url } }).get(undefined);

    expect(provider).toBe('offline');
    expect(performance.now() - startedAt).toBeLessThan(3000);
  });

  test('does not mind that nobody listens', async () => {
    const models = createModels({ baseUrls: { ollama: CLOSED_PORT } });

    expect(await models.describe()).toEqual({ provider: 'offline', name: 'rules' });
  });
});

test('keeps the slashes in a name', async () => {
  const models = createModels({
    default: 'openrouter/openai/gpt-4o-mini',
    keys: { openrouter: 'k', openai: 'k' },
  });

  expect(await models.describe()).toEqual({ provider: 'openrouter', name: 'openai/gpt-4o-mini' });
  expect((await models.get(undefined)).name).toBe('openai/gpt-4o-mini');
  expect(await models.describe('ollama/hf.co/a/b:q4')).toEqual({
    provider: 'ollama',
    name: 'hf.co/a/b:q4',
  });
});

test('gives the same model for the same reference', async () => {
  const models = createModels({ keys: { openai: 'k' } });

  expect(await models.get('openai/a')).toBe(await models.get('openai/a'));
});

test.each([
  [
    'openai/gpt',
    'openai needs a key: set OPENAI_API_KEY, or store it with claw secrets set provider/openai/api_key',
  ],
  [
    'anthropic/claude',
    'anthropic needs a key: set ANTHROPIC_API_KEY, or store it with claw secrets set provider/anthropic/api_key',
  ],
  [
    'openrouter/a/b',
    'openrouter needs a key: set OPENROUTER_API_KEY, or store it with claw secrets set provider/openrouter/api_key',
  ],
  [
    'openai-compatible/x',
    'openai-compatible needs an address: set OPENAI_COMPAT_BASE_URL, as in http://127.0.0.1:8000/v1',
  ],
  [
    'gpt-4o',
    'model "gpt-4o" names no known provider: write <provider>/<name> with one of openai, anthropic, openrouter, ollama, openai-compatible, offline',
  ],
  ['openai/', 'model "openai/" has no usable name: write openai/<name>'],
  ['openai', 'model "openai" has no usable name: write openai/<name>'],
  ['offline/brains', 'there is no offline model "brains": set CLAW_MODEL to offline/rules'],
  ['scripted/x.json', 'scripted models are for tests: set CLAW_MODEL to a real one'],
])('refuses %s and says what to set', async (reference, message) => {
  await expect(createModels({}).get(reference)).rejects.toMatchObject({
    code: 'provider_misconfigured',
    message,
  });
});

test('refuses an address that is none, and does not repeat it', async () => {
  const models = createModels({ keys: { openai: 'k' }, baseUrls: { openai: 'file:///secret' } });

  await expect(models.get('openai/x')).rejects.toMatchObject({
    code: 'provider_misconfigured',
    message:
      'OPENAI_BASE_URL is not an http(s) address: set it to one, as in http://127.0.0.1:8000/v1',
  });
});

test('plays a script from a file when that is allowed', async () => {
  const rootDir = await mkdtemp(join(tmpdir(), 'pincer-script-'));
  cleanups.push(() => rm(rootDir, { recursive: true }));
  await writeFile(join(rootDir, 'ok.json'), '{"steps":[{"text":"hi"}]}');
  await writeFile(join(rootDir, 'bad.json'), '{"steps":[{"txt":"hi"}]}');
  const models = createModels({ allowScripted: true, rootDir });

  expect((await models.get('scripted/ok.json')).provider).toBe('scripted');
  expect((await models.get(`scripted/${join(rootDir, 'ok.json')}`)).provider).toBe('scripted');
  await expect(models.get('scripted/bad.json')).rejects.toMatchObject({
    code: 'provider_misconfigured',
    message: `${join(rootDir, 'bad.json')}: steps.0: Unrecognized key: "txt"`,
  });
  await expect(models.get('scripted/none.json')).rejects.toMatchObject({
    message: `cannot read the script ${join(rootDir, 'none.json')}`,
  });
});
