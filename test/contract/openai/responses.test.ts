import { expect, test } from 'vitest';
import { ANY_TIME, nameOf, openOpenAiServer, parseStream } from './test-openai-server.ts';

const PATH = '/v1/responses';
const ASK = { model: 'agent/pincer', input: 'Hi' };
const USAGE = { inputTokens: 12, outputTokens: 3 };
const TIME = expect.toSatisfy((value: number) => ANY_TIME.test(String(value)));
const TOOL = { type: 'function', name: 'get_weather', parameters: { type: 'object' } };
const WEATHER = {
  steps: [
    { toolCalls: [{ tool: 'get_weather', input: { city: 'Oslo' } }] },
    { text: 'It snows.' },
    { text: 'Still.' },
  ],
};

function responseOf(runId: unknown, more: object = {}) {
  return {
    id: `resp_${nameOf(runId)}`,
    object: 'response',
    created_at: TIME,
    status: 'completed',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    model: 'agent/pincer',
    output: [],
    parallel_tool_calls: true,
    previous_response_id: null,
    store: true,
    temperature: null,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: null,
    truncation: 'disabled',
    usage: null,
    metadata: {},
    ...more,
  };
}

function messageOf(runId: unknown, text: string) {
  return {
    id: `msg_${nameOf(runId)}`,
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
  };
}

const TOOK = {
  input_tokens: 12,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 3,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 15,
  cost_usd: null,
};

test('answers with a response', async () => {
  const server = await openOpenAiServer({ steps: [{ text: 'Hello.', usage: USAGE }] });

  const { status, headers, body } = await server.post(PATH, ASK);

  const runId = headers['x-run-id'];
  expect(status).toBe(200);
  expect(body).toEqual(responseOf(runId, { output: [messageOf(runId, 'Hello.')], usage: TOOK }));
});

test('streams the events of a response', async () => {
  const server = await openOpenAiServer({ steps: [{ text: 'Hello.', usage: USAGE }] });

  const { headers, text } = await server.post(PATH, { ...ASK, stream: true });

  const runId = headers['x-run-id'];
  const message = messageOf(runId, 'Hello.');
  const place = { item_id: message.id, output_index: 0, content_index: 0 };
  const [part] = message.content;
  const begun = responseOf(runId, { status: 'in_progress' });
  const ended = responseOf(runId, { output: [message], usage: TOOK });
  const events = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { ...message, status: 'in_progress', content: [] },
    },
    { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
    { type: 'response.output_text.delta', ...place, delta: 'Hello.', logprobs: [] },
    { type: 'response.output_text.done', ...place, text: 'Hello.', logprobs: [] },
    { type: 'response.content_part.done', ...place, part },
    { type: 'response.output_item.done', output_index: 0, item: message },
    { type: 'response.completed', response: ended },
  ];
  expect(parseStream(text).map(({ event, data }) => ({ event, data }))).toEqual(
    events.map((event, index) => ({
      event: event.type,
      data: { ...event, sequence_number: index },
    })),
  );
  expect(parseStream(text).flatMap(({ id }) => id ?? [])).toEqual([1, 4, 6]);
});

test('a conversation goes on from the previous response, without its instructions', async () => {
  const server = await openOpenAiServer({ steps: [{ text: 'First.' }, { text: 'Second.' }] });
  const input = [
    { role: 'developer', content: 'Be short.' },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
  ];

  const first = await server.post(PATH, { ...ASK, input, instructions: 'Only now.' });
  const { id } = first.body as { id: string };
  const second = await server.post(PATH, { ...ASK, input: 'More', previous_response_id: id });

  const [one, other] = server.requests;
  expect(second.body).toMatchObject({
    previous_response_id: id,
    output: [{ content: [{ text: 'Second.' }] }],
  });
  expect(one?.system).toContain('Only now.\n\nBe short.');
  expect(other?.system).toContain('Be short.');
  expect(other?.system).not.toContain('Only now.');
  expect(other?.messages).toEqual([
    { role: 'user', text: 'Hi' },
    { role: 'assistant', text: 'First.', toolCalls: [] },
    { role: 'user', text: 'More' },
  ]);
});

test('a function of the caller is an item, and its output continues the same run', async () => {
  const server = await openOpenAiServer(WEATHER);

  const first = await server.post(PATH, { ...ASK, tools: [TOOL] });
  const runId = first.headers['x-run-id'];
  const call_id = `call_${nameOf(runId)}_5`;
  const second = await server.post(PATH, {
    ...ASK,
    tools: [TOOL],
    previous_response_id: `resp_${nameOf(runId)}`,
    input: [{ type: 'function_call_output', call_id, output: 'minus 3' }],
  });
  const third = await server.post(PATH, {
    ...ASK,
    previous_response_id: (second.body as { id: string }).id,
    input: 'And now?',
  });

  expect(first.body).toMatchObject({
    status: 'completed',
    output: [
      {
        id: `fc_${nameOf(runId)}_5`,
        type: 'function_call',
        status: 'completed',
        call_id,
        name: 'get_weather',
        arguments: '{"city":"Oslo"}',
      },
    ],
  });
  expect(second.headers['x-run-id']).toBe(runId);
  expect(second.body).toMatchObject({ output: [{ content: [{ text: 'It snows.' }] }] });
  expect(third.headers['x-run-id']).not.toBe(runId);
  expect(server.requests.at(-1)?.messages.map(({ role, text }) => [role, text])).toEqual([
    ['user', 'Hi'],
    ['assistant', ''],
    ['tool', 'minus 3'],
    ['assistant', 'It snows.'],
    ['user', 'And now?'],
  ]);
});

test('streams a function call, and takes references to items of ours', async () => {
  const server = await openOpenAiServer(WEATHER);

  const first = await server.post(PATH, { ...ASK, tools: [TOOL], stream: true });
  const name = nameOf(first.headers['x-run-id']);
  const input = [
    { role: 'user', content: 'Hi' },
    { type: 'item_reference', id: `fc_${name}_5` },
    { type: 'function_call_output', call_id: `call_${name}_5`, output: 'minus 3' },
  ];
  const second = await server.post(PATH, { ...ASK, tools: [TOOL], input });

  expect(parseStream(first.text).map(({ event }) => event)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.function_call_arguments.delta',
    'response.function_call_arguments.done',
    'response.output_item.done',
    'response.completed',
  ]);
  expect(second.headers['x-run-id']).toBe(first.headers['x-run-id']);
  expect(second.body).toMatchObject({ output: [{ content: [{ text: 'It snows.' }] }] });
});

test('an answer that was cut is incomplete, one that failed says why', async () => {
  const cut = await openOpenAiServer({ steps: [{ text: 'Half', finish: 'length' }] });
  const failing = await openOpenAiServer({ steps: [{ error: { status: 400, message: 'no' } }] });

  const half = await cut.post(PATH, ASK);
  const failed = await failing.post(PATH, { ...ASK, stream: true });

  expect(half.body).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    output: [{ status: 'incomplete', content: [{ text: 'Half' }] }],
  });
  expect(parseStream(failed.text).at(-1)).toMatchObject({
    event: 'response.failed',
    data: { response: { status: 'failed', error: { code: 'provider_failed', message: 'no' } } },
  });
});

test.each([
  ['no id of ours', 'resp_nonsense'],
  ['an answer that never was', `resp_${'0'.repeat(26)}`],
  ['a place beyond its run', 'later'],
])('a previous response that is %s is not found', async (_, given) => {
  const server = await openOpenAiServer({ steps: [{ text: 'First.' }] });
  const { body: first } = await server.post(PATH, ASK);
  const id = given === 'later' ? `${(first as { id: string }).id}_99` : given;

  const { status, body } = await server.post(PATH, { ...ASK, previous_response_id: id });

  expect(status).toBe(404);
  expect(body).toEqual({
    error: {
      message: 'there is no such previous response',
      type: 'invalid_request_error',
      param: 'previous_response_id',
      code: 'previous_response_not_found',
    },
  });
});

test('a run of another surface is no previous response', async () => {
  const server = await openOpenAiServer({ steps: [{ text: 'Secret plan.' }, { text: 'x' }] });
  const created = await server.post('/v1/runs', { agent_id: 'agent_default', message: 'x' });
  const { id } = created.body as { id: string };

  const { status } = await server.post(PATH, {
    ...ASK,
    previous_response_id: `resp_${nameOf(id)}`,
  });

  expect(status).toBe(404);
});
