import { expect, test } from 'vitest';
import { streams } from '../../test/support/provider-server.ts';
import {
  ASK,
  CHAT_TEXT,
  collectParts,
  MESSAGE_CALLS,
  openServedModel,
  SCHEMA,
} from '../../test/support/served-model.ts';
import type { ModelSettings } from '../core/loop/model.ts';

const SETTINGS: ModelSettings = {
  temperature: 0.5,
  topP: 0.9,
  presencePenalty: 1,
  frequencyPenalty: -1,
  seed: 7,
  stop: ['END'],
  json: { name: 'place', schema: SCHEMA },
  toolChoice: { tool: 'fs.read' },
};

test('settings reach a server of chat completions', async () => {
  const { model, server } = await openServedModel('openai-compatible', [streams(CHAT_TEXT)]);

  await collectParts(model, { ...ASK, settings: SETTINGS });

  expect(server.requests[0]?.body).toMatchObject({
    temperature: 0.5,
    top_p: 0.9,
    presence_penalty: 1,
    frequency_penalty: -1,
    seed: 7,
    stop: ['END'],
    response_format: { type: expect.stringMatching(/^json_/) },
    tool_choice: { type: 'function', function: { name: 'fs__read' } },
  });
});

test('what a provider has no word for is left out', async () => {
  const { model, server } = await openServedModel('anthropic', [streams(MESSAGE_CALLS)]);

  const { error } = await collectParts(model, { ...ASK, settings: { seed: 7, stop: ['END'] } });

  expect(error).toBeUndefined();
  expect(server.requests[0]?.body).toMatchObject({ stop_sequences: ['END'] });
  expect(server.requests[0]?.body).not.toHaveProperty('seed');
});

test('without settings nothing is said about them', async () => {
  const { model, server } = await openServedModel('openai', [streams(CHAT_TEXT)]);

  await collectParts(model, ASK);

  const names = Object.keys(server.requests[0]?.body as object);
  expect(names.filter((name) => /temp|top_p|seed|stop|format|choice/.test(name))).toEqual([]);
});
