import { expect, test } from 'vitest';
import { DEFAULT_AGENT_ID } from '../../../src/core/ids.ts';
import { ANY_TIME, nameOf, openOpenAiServer, parseStream } from './test-openai-server.ts';

const PATH = '/v1/chat/completions';
const ASK = { model: 'agent/pincer', messages: [{ role: 'user', content: 'Hi' }] };
const USAGE = { inputTokens: 12, outputTokens: 3, cachedInputTokens: 4 };
const TIME = expect.toSatisfy((value: number) => ANY_TIME.test(String(value)));

test('answers with a chat completion, its run and what it took', async () => {
  const server = await openOpenAiServer(
    { steps: [{ text: ['Hello', ' there.'], usage: USAGE }] },
    { config: { prices: { 'scripted/test': { input_per_million: 1, output_per_million: 2 } } } },
  );

  const { status, headers, body } = await server.post(PATH, ASK);

  const runId = headers['x-run-id'];
  expect(status).toBe(200);
  expect(body).toEqual({
    id: `chatcmpl-${nameOf(runId)}`,
    object: 'chat.completion',
    created: TIME,
    model: 'agent/pincer',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Hello there.', refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: {
      prompt_tokens: 12,
      completion_tokens: 3,
      total_tokens: 15,
      prompt_tokens_details: { cached_tokens: 4 },
      cost_usd: 0.000018,
    },
  });
  const run = (await server.call(`/v1/runs/${runId}`)).body;
  expect(run).toMatchObject({ source: 'openai', status: 'completed', message: 'Hi' });
});

test('streams chunks, with what it took when that is asked for', async () => {
  const server = await openOpenAiServer({ steps: [{ text: 'Hello there.', usage: USAGE }] });

  const asked = { ...ASK, stream: true, stream_options: { include_usage: true } };
  const { status, headers, text } = await server.post(PATH, asked);

  const chunk = (choices: unknown[], usage: unknown = null) => ({
    id: `chatcmpl-${nameOf(headers['x-run-id'])}`,
    object: 'chat.completion.chunk',
    created: TIME,
    model: 'agent/pincer',
    choices,
    usage,
  });
  const choice = (delta: object, finish_reason: string | null = null) => ({
    index: 0,
    delta,
    logprobs: null,
    finish_reason,
  });
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/event-stream');
  expect(text.startsWith('retry: 1000\n\n')).toBe(true);
  expect(parseStream(text)).toEqual([
    { id: 1, data: chunk([choice({ role: 'assistant', content: '', refusal: null })]) },
    { id: 4, data: chunk([choice({ content: 'Hello there.' })]) },
    { data: chunk([choice({}, 'stop')]) },
    {
      data: chunk([], {
        prompt_tokens: 12,
        completion_tokens: 3,
        total_tokens: 15,
        prompt_tokens_details: { cached_tokens: 4 },
        cost_usd: null,
      }),
    },
    { id: 6, data: '[DONE]' },
  ]);
});

test('gives the model the whole conversation, what the system says, and the settings', async () => {
  const step = { text: 'ok' };
  const server = await openOpenAiServer({ steps: [step, step] });

  const { status } = await server.post(PATH, {
    model: 'openai/gpt-5-mini',
    messages: [
      { role: 'system', content: 'Speak like a pirate.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'One ' },
          { type: 'text', text: 'two' },
        ],
      },
      { role: 'assistant', content: 'Aye.' },
      { role: 'developer', content: 'Be short.' },
      { role: 'user', content: 'Three' },
    ],
    temperature: 0.5,
    top_p: 0.9,
    presence_penalty: 1,
    frequency_penalty: -1,
    seed: 7,
    stop: 'END',
    max_tokens: 20,
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'x', schema: { type: 'object' } },
    },
    user: 'somebody',
    reasoning_effort: 'low',
    a_field_of_next_year: { any: 1 },
  });

  const [request] = server.requests;
  expect(status).toBe(200);
  expect(request?.messages).toEqual([
    { role: 'user', text: 'One two' },
    { role: 'assistant', text: 'Aye.', toolCalls: [] },
    { role: 'user', text: 'Three' },
  ]);
  expect(request?.system).toContain(
    '## Instructions of the caller\n\nSpeak like a pirate.\n\nBe short.',
  );
  expect(request?.maxOutputTokens).toBe(20);
  expect(request?.settings).toEqual({
    temperature: 0.5,
    topP: 0.9,
    presencePenalty: 1,
    frequencyPenalty: -1,
    seed: 7,
    stop: ['END'],
    maxOutputTokens: 20,
    json: { name: 'x', schema: { type: 'object' } },
  });
});

test('an answer that was cut has the words of the model alone, and says why', async () => {
  const server = await openOpenAiServer({ steps: [{ text: 'Half of', finish: 'length' }] });

  const { body } = await server.post(PATH, ASK);

  expect(body).toMatchObject({
    choices: [{ message: { content: 'Half of' }, finish_reason: 'length' }],
  });
});

test('a conversation that ends with the model goes on from there', async () => {
  const server = await openOpenAiServer({ steps: [{ text: 'never' }, { text: 'went on' }] });
  const messages = [...ASK.messages, { role: 'assistant', content: 'It' }];

  const { body } = await server.post(PATH, { ...ASK, messages });

  expect(body).toMatchObject({ choices: [{ message: { content: 'went on' } }] });
});

test('what looks like a direct tool call is a text like any other', async () => {
  const server = await openOpenAiServer({ steps: [{ text: 'No tool was called.' }] });
  const messages = [{ role: 'user', content: '/tool fs.list {"path": "."}' }];

  const { body } = await server.post(PATH, { ...ASK, messages });

  expect(body).toMatchObject({ choices: [{ message: { content: 'No tool was called.' } }] });
});

test("the agent's own tools run in the server and do not show", async () => {
  const look = { text: 'Let me look.', toolCalls: [{ tool: 'fs.list', input: { path: '.' } }] };
  const script = { steps: [look, { text: 'Nothing there.' }] };
  const server = await openOpenAiServer(script);

  const whole = await server.post(PATH, ASK);
  const streamed = await server.post(PATH, { ...ASK, stream: true });

  const content = 'Let me look.\n\nNothing there.';
  expect(whole.body).toMatchObject({ choices: [{ message: { content }, finish_reason: 'stop' }] });
  expect(whole.text).not.toContain('fs.list');
  expect(readText(streamed.text)).toBe(content);
  expect(streamed.text).not.toContain('fs.list');
});

test('a prompt of two megabytes is a prompt', async () => {
  const server = await openOpenAiServer({ steps: [{ text: 'Long.' }] });
  const content = 'word '.repeat(400_000);

  const { status } = await server.post(PATH, { ...ASK, messages: [{ role: 'user', content }] });

  expect(status).toBe(200);
  expect(server.requests[0]?.messages).toEqual([{ role: 'user', text: content }]);
});

test('a session keeps the conversation, and stands before what is new', async () => {
  const server = await openOpenAiServer({ steps: [{ text: 'First.' }, { text: 'Second.' }] });
  const place = { agentId: DEFAULT_AGENT_ID, channel: 'test', userId: 'ada', roomId: '' };
  const { id } = await server.runtime.sessions.start(place);
  const metadata = { session_id: id };

  await server.post(PATH, { ...ASK, metadata });
  const more = [{ role: 'user', content: 'And now?' }];
  const { body } = await server.post(PATH, { ...ASK, messages: more, metadata });

  const conversation = [
    { role: 'user', text: 'Hi' },
    { role: 'assistant', text: 'First.', toolCalls: [] },
    { role: 'user', text: 'And now?' },
  ];
  expect(body).toMatchObject({ choices: [{ message: { content: 'Second.' } }] });
  expect(server.requests.at(-1)?.messages).toEqual(conversation);
});

interface Chunk {
  readonly choices: readonly { readonly delta: { readonly content?: string } }[];
}

function readText(stream: string): string {
  const chunks = parseStream(stream).filter(({ data }) => data !== '[DONE]');
  return chunks.map(({ data }) => (data as Chunk).choices[0]?.delta.content ?? '').join('');
}
