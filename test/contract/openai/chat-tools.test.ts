import { expect, test } from 'vitest';
import type { ScriptInput } from '../../../src/providers/scripted/script.ts';
import { nameOf, type OpenAiServer, openOpenAiServer, parseStream } from './test-openai-server.ts';

const PATH = '/v1/chat/completions';
const PARAMETERS = { type: 'object', properties: { city: { type: 'string' } } };
const TOOL = {
  type: 'function',
  function: { name: 'get_weather', description: 'The weather', parameters: PARAMETERS },
};
const ASK = {
  model: 'agent/pincer',
  messages: [{ role: 'user', content: 'Weather in Oslo?' }],
  tools: [TOOL],
};
const CALL = { tool: 'get_weather', input: { city: 'Oslo' } };
const SCRIPT: ScriptInput = {
  steps: [
    { text: 'I look.', toolCalls: [CALL], usage: { inputTokens: 10, outputTokens: 2 } },
    { text: 'It snows.', usage: { inputTokens: 20, outputTokens: 4 } },
  ],
};

interface ToolCall {
  readonly id: string;
}

interface Answered {
  readonly id: string;
  readonly choices: readonly [{ readonly message: { readonly tool_calls: readonly ToolCall[] } }];
}

/** The conversation with what the model asked for, and these results. */
function answerCalls(body: unknown, ...results: string[]) {
  const [{ message }] = (body as Answered).choices;
  const told = message.tool_calls.map(({ id }, index) => ({
    role: 'tool',
    tool_call_id: id,
    content: results[index] ?? '',
  }));
  return { ...ASK, messages: [...ASK.messages, message, ...told] };
}

async function countRuns(server: OpenAiServer): Promise<number> {
  return (await server.runtime.runs.list({ limit: 50 })).runs.length;
}

test('a tool of the caller comes back as a call, and its result continues the same run', async () => {
  const server = await openOpenAiServer(SCRIPT);

  const first = await server.post(PATH, ASK);
  const second = await server.post(PATH, answerCalls(first.body, 'minus 3'));

  const runId = first.headers['x-run-id'];
  const id = `call_${nameOf(runId)}_6`;
  expect(first.body).toMatchObject({
    choices: [
      {
        message: {
          role: 'assistant',
          content: 'I look.',
          refusal: null,
          tool_calls: [
            {
              id,
              type: 'function',
              function: { name: 'get_weather', arguments: '{"city":"Oslo"}' },
            },
          ],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 2 },
  });
  expect(second.headers['x-run-id']).toBe(runId);
  expect(second.body).toMatchObject({
    id: `chatcmpl-${nameOf(runId)}_7`,
    choices: [{ message: { content: 'It snows.' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 20, completion_tokens: 4 },
  });
  expect(server.requests.at(-1)?.messages.at(-1)).toMatchObject({ role: 'tool', text: 'minus 3' });
  expect(await countRuns(server)).toBe(1);
  expect((await server.call(`/v1/runs/${runId}`)).body).toMatchObject({ status: 'completed' });
});

test('streams a call as one chunk and the answer after it from where the run waited', async () => {
  const server = await openOpenAiServer(SCRIPT);

  const first = await server.post(PATH, { ...ASK, stream: true });
  const id = `call_${nameOf(first.headers['x-run-id'])}_6`;
  const call = { id, type: 'function', function: { name: 'get_weather', arguments: '{}' } };
  const messages = [
    ...ASK.messages,
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content: [{ type: 'text', text: 'minus 3' }] },
  ];
  const second = await server.post(PATH, { ...ASK, messages, stream: true });

  const deltas = (text: string) =>
    parseStream(text).flatMap(({ data }) =>
      typeof data === 'string' ? [] : (data as { choices: { delta: object }[] }).choices[0]?.delta,
    );
  expect(deltas(first.text)).toEqual([
    { role: 'assistant', content: '', refusal: null },
    { content: 'I look.' },
    {
      tool_calls: [
        {
          index: 0,
          id,
          type: 'function',
          function: { name: 'get_weather', arguments: '{"city":"Oslo"}' },
        },
      ],
    },
    {},
  ]);
  expect(deltas(second.text)).toEqual([
    { role: 'assistant', content: '', refusal: null },
    { content: 'It snows.' },
    {},
  ]);
});

test('calls of both sides in one turn: ours are made, and the caller is asked for the rest', async () => {
  const calls = [
    { tool: 'fs.list', input: { path: '.' } },
    CALL,
    { ...CALL, input: { city: 'Rom' } },
  ];
  const server = await openOpenAiServer({ steps: [{ toolCalls: calls }, { text: 'Both.' }] });

  const first = await server.post(PATH, ASK);
  const second = await server.post(PATH, answerCalls(first.body, 'cold', 'warm'));

  const [{ message }] = (first.body as Answered).choices;
  expect(message).toMatchObject({ content: null });
  expect(message.tool_calls).toHaveLength(2);
  expect(second.body).toMatchObject({ choices: [{ message: { content: 'Both.' } }] });
  const results = server.requests.at(-1)?.messages.filter(({ role }) => role === 'tool');
  expect(results?.map(({ text }) => text).slice(1)).toEqual(['cold', 'warm']);
});

test('a run that nobody waits in any more: the conversation is a new run', async () => {
  const server = await openOpenAiServer(SCRIPT);

  const first = await server.post(PATH, ASK);
  const second = await server.post(PATH, answerCalls(first.body, 'minus 3'));
  const again = await server.post(PATH, answerCalls(first.body, 'plus 30'));

  expect(again.body).toMatchObject({ choices: [{ message: { content: 'It snows.' } }] });
  expect(again.headers['x-run-id']).not.toBe(second.headers['x-run-id']);
  expect(server.requests.at(-1)?.messages.at(-1)).toMatchObject({ role: 'tool', text: 'plus 30' });
});

test('the same results again under their key give the same answer, other ones a conflict', async () => {
  const server = await openOpenAiServer(SCRIPT);
  const headers = { 'idempotency-key': 'k1' };

  const first = await server.post(PATH, ASK);
  const second = await server.post(PATH, answerCalls(first.body, 'minus 3'), { headers });
  const same = await server.post(PATH, answerCalls(first.body, 'minus 3'), { headers });
  const other = await server.post(PATH, answerCalls(first.body, 'plus 3'), { headers });

  expect(same.body).toEqual(second.body);
  expect(same.headers['idempotent-replay']).toBe('true');
  expect(other.status).toBe(409);
  expect(server.requests).toHaveLength(2);
});

test.each([
  ['none', 'none', false],
  ['required', 'required', true],
  ['a function', { type: 'function', function: { name: 'get_weather' } }, true],
])('tool_choice %s reaches the model for one turn', async (_, tool_choice, isForced) => {
  const server = await openOpenAiServer(isForced ? SCRIPT : { steps: [{ text: 'No.' }] });

  const first = await server.post(PATH, { ...ASK, tool_choice });
  if (isForced) await server.post(PATH, answerCalls(first.body, 'x'));

  const [asked, after] = server.requests;
  const names = (request: typeof asked) => request?.tools.map(({ name }) => name) ?? [];
  expect(names(asked).includes('get_weather')).toBe(isForced);
  if (isForced) expect(names(asked)).toEqual(['get_weather']);
  expect(asked?.settings?.toolChoice !== undefined).toBe(isForced);
  expect(after?.settings?.toolChoice).toBeUndefined();
});

test('parallel_tool_calls false leaves one call in an answer', async () => {
  const server = await openOpenAiServer({ steps: [{ toolCalls: [CALL, CALL] }] });

  const { body } = await server.post(PATH, { ...ASK, parallel_tool_calls: false });

  expect((body as Answered).choices[0].message.tool_calls).toHaveLength(1);
});

const CALLED = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'a', type: 'function', function: { name: 'get_weather', arguments: '{}' } }],
};
const RESULT = { role: 'tool', tool_call_id: 'a', content: 'x' };

test.each([
  ['a result without its call', [RESULT], 'messages[1]'],
  ['a result of another call', [CALLED, { ...RESULT, tool_call_id: 'b' }], 'messages[2]'],
  ['a result twice', [CALLED, RESULT, RESULT], 'messages[3]'],
  ['a call without its result', [CALLED], 'messages[1]'],
  ['a user before the result', [CALLED, { role: 'user', content: 'x' }], 'messages[2]'],
  [
    'a result behind the user',
    [CALLED, RESULT, { role: 'user', content: 'x' }, RESULT],
    'messages[4]',
  ],
])('refuses %s and makes no run', async (_, more, param) => {
  const server = await openOpenAiServer(SCRIPT);

  const { status, body } = await server.post(PATH, {
    ...ASK,
    messages: [...ASK.messages, ...more],
  });

  expect(status).toBe(400);
  expect(body).toMatchObject({ error: { type: 'invalid_request_error', param } });
  expect(await countRuns(server)).toBe(0);
});

test('a conversation with calls of somebody else is a new run', async () => {
  const server = await openOpenAiServer(SCRIPT);

  const { body } = await server.post(PATH, { ...ASK, messages: [...ASK.messages, CALLED, RESULT] });

  expect(body).toMatchObject({ choices: [{ message: { content: 'It snows.' } }] });
});

test('a run of somebody else is not continued by whoever names a call of it', async () => {
  const server = await openOpenAiServer(SCRIPT);
  const { run } = await server.runtime.threads.create({
    threadId: 't',
    principal: { kind: 'user', id: 7 },
    autoFinish: false,
    clientTools: [],
  });
  const id = `call_${nameOf(run.id)}_1`;
  const called = { ...CALLED, tool_calls: [{ ...CALLED.tool_calls[0], id }] };

  const { headers } = await server.post(PATH, {
    ...ASK,
    messages: [...ASK.messages, called, { ...RESULT, tool_call_id: id }],
  });

  const { lastSeq } = await server.runtime.runs.get(run.id);
  expect(headers['x-run-id']).not.toBe(run.id);
  expect(lastSeq).toBe(1);
});
