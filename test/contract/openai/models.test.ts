import { expect, test } from 'vitest';
import type { AgentId } from '../../../src/core/ids.ts';
import { ANY_TIME, openOpenAiServer } from './test-openai-server.ts';

const TIME = expect.toSatisfy((value: number) => ANY_TIME.test(String(value)));
const MESSAGES = [{ role: 'user', content: 'Hi' }];
const ADA = {
  slug: 'ada-lovelace',
  name: 'Ada Lovelace',
  role: 'mathematician',
  model: undefined,
  instructions: '',
};
const CONFIG = {
  prices: { 'openai/gpt-5-mini': { input_per_million: 1, output_per_million: 2 } },
};

test('lists agents, the models that are configured, and the embedder', async () => {
  const server = await openOpenAiServer({ steps: [] }, { config: CONFIG });

  const { agents } = server.runtime.storage;
  await agents.ensure({ ...ADA, id: 'agent_ada' as AgentId });

  const { status, body } = await server.call('/v1/models');

  const model = (id: string, owned_by: string) => ({
    id,
    object: 'model',
    created: TIME,
    owned_by,
  });
  expect(status).toBe(200);
  expect(body).toEqual({
    object: 'list',
    data: [
      model('agent/Pincer', 'pincer'),
      model('agent/ada-lovelace', 'pincer'),
      model('scripted/test', 'scripted'),
      model('offline/rules', 'offline'),
      model('openai/gpt-5-mini', 'openai'),
      model('local/use-lite', 'local'),
    ],
  });
});

test.each([
  ['agent/pincer', undefined],
  ['agent/Pincer', undefined],
  ['agent/agent_default', undefined],
  ['anthropic/claude-x', 'anthropic/claude-x'],
  ['gpt-5-mini', 'openai/gpt-5-mini'],
])('%s is answered by the default agent with %s', async (model, reference) => {
  const server = await openOpenAiServer({ steps: [{ text: 'Yes.' }] }, { config: CONFIG });

  const { status, headers, body } = await server.post('/v1/chat/completions', {
    model,
    messages: MESSAGES,
  });

  const runId = String(headers['x-run-id']);
  const [created] = await server.runtime.storage.events.read(runId as never, {
    after: 0,
    limit: 1,
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({ model });
  expect(created?.payload['model']).toBe(reference);
});

test.each([
  ['agent/nobody', 'agent nobody does not exist'],
  ['gpt-nothing', 'no model of that name is configured'],
  ['nowhere/x', 'model "nowhere/x" names no known provider'],
])('there is no model %s', async (model, reason) => {
  const server = await openOpenAiServer({ steps: [] });

  const { status, body } = await server.post('/v1/chat/completions', { model, messages: MESSAGES });

  const { error } = body as { error: { message: string } };
  expect(status).toBe(404);
  expect(error).toMatchObject({
    type: 'invalid_request_error',
    param: 'model',
    code: 'model_not_found',
  });
  expect(error.message).toContain(`the model ${JSON.stringify(model)} does not exist: ${reason}`);
});
