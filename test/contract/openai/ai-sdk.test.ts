import { createOpenAI } from '@ai-sdk/openai';
import { embed, generateText, stepCountIs, streamText, tool } from 'ai';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { TOKEN } from '../v1/http-client.ts';
import { type OpenAiServer, openOpenAiServer } from './test-openai-server.ts';

/** The Vercel AI SDK with its own provider for OpenAI. */
const MODEL = 'agent/pincer';
const USAGE = { inputTokens: 5, outputTokens: 2 };
const WEATHER = {
  steps: [
    { text: 'I look.', toolCalls: [{ tool: 'get_weather', input: { city: 'Oslo' } }] },
    { text: 'It snows.', usage: USAGE },
  ],
};

const WAYS = ['chat', 'responses'] as const;

function modelOf({ url }: OpenAiServer, way: (typeof WAYS)[number]) {
  return createOpenAI({ apiKey: TOKEN, baseURL: `${url}/v1` })[way](MODEL);
}

test.each(WAYS)('generates and streams text by %s', async (way) => {
  const server = await openOpenAiServer({ steps: [{ text: 'Hello there.', usage: USAGE }] });
  const ask = { model: modelOf(server, way), system: 'Be kind.', prompt: 'Hi', maxRetries: 0 };

  const whole = await generateText(ask);
  const streaming = streamText(ask);
  let streamed = '';
  for await (const delta of streaming.textStream) streamed += delta;

  expect(whole.text).toBe('Hello there.');
  expect(whole.finishReason).toBe('stop');
  expect(whole.usage.totalTokens).toBe(7);
  expect(streamed).toBe('Hello there.');
  expect((await streaming.usage).totalTokens).toBe(7);
  expect(server.requests[0]?.system).toContain('Be kind.');
});

test.each(WAYS)('carries its tools out and goes on with the same run by %s', async (way) => {
  const server = await openOpenAiServer(WEATHER);
  const cities: string[] = [];

  const { text, steps } = await generateText({
    model: modelOf(server, way),
    prompt: 'Weather in Oslo?',
    maxRetries: 0,
    stopWhen: stepCountIs(3),
    tools: {
      get_weather: tool({
        description: 'The weather',
        inputSchema: z.object({ city: z.string() }),
        execute: async ({ city }) => {
          cities.push(city);
          return 'minus 3';
        },
      }),
    },
  });

  const { runs } = await server.runtime.runs.list({ limit: 10 });
  expect(text).toBe('It snows.');
  expect(steps).toHaveLength(2);
  expect(cities).toEqual(['Oslo']);
  expect(runs.map(({ status }) => status)).toEqual(['completed']);
});

test.each(WAYS)('hears of errors by %s', async (way) => {
  const server = await openOpenAiServer({ steps: [{ error: { status: 400, message: 'no' } }] });
  const ask = { model: modelOf(server, way), prompt: 'Hi', maxRetries: 0 };

  const whole = generateText(ask);
  const errors: unknown[] = [];
  const streaming = streamText({ ...ask, onError: ({ error }) => void errors.push(error) });
  await streaming.consumeStream();

  await expect(whole).rejects.toMatchObject({ statusCode: 502, message: 'no' });
  expect(JSON.stringify(errors)).toContain('no');
  expect(errors).not.toEqual([]);
});

test('embeds', async () => {
  const { url } = await openOpenAiServer({ steps: [] });
  const provider = createOpenAI({ apiKey: TOKEN, baseURL: `${url}/v1` });

  const { embedding } = await embed({
    model: provider.textEmbeddingModel('local/use-lite'),
    value: 'a cat',
  });

  expect(embedding).toHaveLength(512);
});
