import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createScriptedModel } from '../../src/providers/scripted/scripted-model.ts';
import { openTestRuntime } from '../support/open-test-runtime.ts';

async function open(env: object = { OPENCLAW_WS_URL: 'ws://127.0.0.1:1' }) {
  const config = { openclaw: { max_reconnects: 0, default_agent: 'home' } };
  const runtime = await openTestRuntime(createScriptedModel({ steps: [] }), { env, config });
  onTestFinished(() => runtime.dispose());
  return runtime;
}

test('where an agent lives is part of its definition, and its model goes with it', async () => {
  const { agents, root } = await open();

  const made = await agents.create({ id: 'scout', runtime: 'openclaw' });
  const named = await agents.update('scout', { runtime: 'openclaw', model: 'openclaw/ops' });
  const kept = await agents.update('scout', { runtime: 'openclaw' });
  const back = await agents.update('scout', { runtime: 'pincer' });
  const own = await agents.update('scout', { runtime: 'pincer', model: 'offline/rules' });
  const still = await agents.update('scout', { runtime: 'pincer' });

  expect([made, named, kept, back, own, still].map(({ model }) => model)).toEqual([
    'openclaw/home',
    'openclaw/ops',
    'openclaw/ops',
    undefined,
    'offline/rules',
    'offline/rules',
  ]);
  await agents.update('scout', { runtime: 'openclaw', model: 'openclaw/ops' });
  const file = await readFile(join(root, 'agents/scout.config.json'), 'utf8');
  expect(JSON.parse(file)).toMatchObject({ runtime: 'openclaw', model: 'openclaw/ops' });
});

test('a runtime and a model that contradict each other are refused', async () => {
  const { agents } = await open();

  const wrong = [
    { runtime: 'openclaw', model: 'offline/rules' },
    { runtime: 'pincer', model: 'openclaw/main' },
    { model: 'openclaw/not a name' },
  ] as const;

  for (const given of wrong) {
    await expect(agents.create({ id: 'scout', ...given })).rejects.toMatchObject({
      code: 'invalid_input',
    });
  }
});

test('without a gateway nobody lives there, and the refusal says what to set', async () => {
  const runtime = await open({});

  await expect(runtime.agents.create({ id: 'scout', runtime: 'openclaw' })).rejects.toMatchObject({
    code: 'invalid_input',
    message:
      'no OpenClaw gateway is configured: set OPENCLAW_WS_URL, or openclaw.url, and start again',
  });

  expect(runtime.openclaw.status().state).toBe('off');
});
