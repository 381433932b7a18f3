import OpenAI, { APIError } from 'openai';
import { expect, test } from 'vitest';
import { TOKEN } from '../v1/http-client.ts';
import { openOpenAiServer } from './test-openai-server.ts';

/** The official client, as a program uses it that only changed its base URL. */
const MODEL = 'agent/Pincer';
const USER = { role: 'user' as const, content: 'Weather in Oslo?' };
const WEATHER = {
  steps: [
    { toolCalls: [{ tool: 'get_weather', input: { city: 'Oslo' } }] },
    { text: 'It snows.', usage: { inputTokens: 20, outputTokens: 4 } },
    { text: 'Still.' },
  ],
};
const PARAMETERS = { type: 'object', properties: { city: { type: 'string' } } };

test('chat, whole and streamed', async () => {
  const { client } = await openOpenAiServer({
    steps: [{ text: 'Hello there.', usage: { inputTokens: 5, outputTokens: 2 } }],
  });

  const completion = await client.chat.completions.create({ model: MODEL, messages: [USER] });
  const stream = client.chat.completions.stream({
    model: MODEL,
    messages: [USER],
    stream_options: { include_usage: true },
  });
  const streamed = await stream.finalChatCompletion();

  expect(completion.choices[0]?.message.content).toBe('Hello there.');
  expect(completion.usage?.total_tokens).toBe(7);
  expect(streamed.choices[0]?.message.content).toBe('Hello there.');
  expect((await stream.totalUsage()).total_tokens).toBe(7);
});

test('tools, by hand and by the runner of the client', async () => {
  const server = await openOpenAiServer(WEATHER);
  const cities: string[] = [];

  const runner = server.client.chat.completions.runTools({
    model: MODEL,
    messages: [USER],
    stream: true,
    tools: [
      {
        type: 'function',
        function: {
          name: 'get_weather',
          description: 'The weather',
          parameters: PARAMETERS,
          parse: (text: string) => JSON.parse(text) as { city: string },
          function: ({ city }: { city: string }) => {
            cities.push(city);
            return 'minus 3';
          },
        },
      },
    ],
  });
  const content = await runner.finalContent();

  const { runs } = await server.runtime.runs.list({ limit: 10 });
  expect(content).toBe('It snows.');
  expect(cities).toEqual(['Oslo']);
  expect(runs.map(({ status }) => status)).toEqual(['completed']);
});

test('responses, whole and streamed, with functions and the previous one', async () => {
  const { client } = await openOpenAiServer(WEATHER);
  const tools = [
    {
      type: 'function' as const,
      name: 'get_weather',
      parameters: PARAMETERS,
      strict: false,
    },
  ];

  const first = await client.responses.create({ model: MODEL, input: 'Weather?', tools });
  const [call] = first.output;
  if (call?.type !== 'function_call') throw new Error('no call');
  const second = await client.responses.create({
    model: MODEL,
    previous_response_id: first.id,
    input: [{ type: 'function_call_output', call_id: call.call_id, output: 'minus 3' }],
    tools,
  });
  const third = await client.responses
    .stream({ model: MODEL, previous_response_id: second.id, input: 'And now?' })
    .finalResponse();

  expect(call.arguments).toBe('{"city":"Oslo"}');
  expect(second.output_text).toBe('It snows.');
  expect(third.output_text).toBe('Still.');
});

test('models and embeddings', async () => {
  const { client } = await openOpenAiServer({ steps: [] });

  const models: string[] = [];
  for await (const { id } of client.models.list()) models.push(id);
  const { data } = await client.embeddings.create({ model: 'local/use-lite', input: 'a cat' });

  expect(models).toContain(MODEL);
  expect(data[0]?.embedding).toHaveLength(512);
  expect(Math.hypot(...(data[0]?.embedding ?? [])).toFixed(3)).toBe('1.000');
});

test('errors are those of the client', async () => {
  const { client, url } = await openOpenAiServer({ steps: [{ error: { status: 400 } }] });
  const stranger = new OpenAI({ apiKey: 'wrong', baseURL: `${url}/v1`, maxRetries: 0 });
  const ask = { model: MODEL, messages: [USER] };
  const faultOf = (asking: Promise<unknown>) =>
    asking.then(
      () => undefined,
      (error: unknown) =>
        error instanceof APIError
          ? [error.constructor.name, error.status, error.code, error.param]
          : error,
    );

  const faults = [
    await faultOf(stranger.models.list()),
    await faultOf(client.chat.completions.create({ ...ask, model: 'nothing' })),
    await faultOf(client.chat.completions.create({ ...ask, n: 2 })),
    await faultOf(client.chat.completions.create(ask)),
    await faultOf(client.chat.completions.stream(ask).finalContent()),
  ];

  expect(faults).toEqual([
    ['AuthenticationError', 401, 'invalid_api_key', null],
    ['NotFoundError', 404, 'model_not_found', 'model'],
    ['BadRequestError', 400, 'unsupported_parameter', 'n'],
    ['InternalServerError', 502, 'provider_failed', null],
    ['APIError', undefined, 'provider_failed', null],
  ]);
});

test('a key that the program gives makes its call repeatable', async () => {
  const server = await openOpenAiServer({ steps: [{ text: 'Once.' }] });
  const client = new OpenAI({ apiKey: TOKEN, baseURL: `${server.url}/v1`, maxRetries: 3 });
  const options = { headers: { 'Idempotency-Key': 'order-7' } };
  const ask = () =>
    client.chat.completions.create({ model: MODEL, messages: [USER] }, options).withResponse();

  const first = await ask();
  const second = await ask();

  expect(second.data).toEqual(first.data);
  expect(second.response.headers.get('x-run-id')).toBe(first.response.headers.get('x-run-id'));
  expect(server.requests).toHaveLength(1);
});
