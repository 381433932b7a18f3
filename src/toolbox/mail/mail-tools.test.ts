import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestRuntime, type TestRuntime } from '../../../test/support/open-test-runtime.ts';
import { createIds } from '../../core/create-ids.ts';
import { type AgentId, DEFAULT_AGENT_ID, type RunId } from '../../core/ids.ts';
import type { JsonObject } from '../../core/json.ts';
import { createMailbox, MAX_UNDELIVERED, type Mailbox } from '../../core/mail/mailbox.ts';
import { createRedactor } from '../../core/redact/create-redactor.ts';
import type { Tool, ToolContext } from '../../core/tools/tool.ts';
import { createScriptedModel } from '../../providers/scripted/scripted-model.ts';
import { failureOf, inputErrors } from '../test-workspace.ts';
import { createMailTools } from './mail-tools.ts';

const SECRET = 'correct-horse-battery-staple';
const WRITER = 'writer' as AgentId;

let runtime: TestRuntime;
let mailbox: Mailbox;
let tools: ReadonlyMap<string, Tool>;

beforeEach(async () => {
  runtime = await openTestRuntime(createScriptedModel({ steps: [{ text: 'unused' }] }));
  const { agents, mail } = runtime.storage;
  await agents.ensure({ id: WRITER, name: 'Writer', role: '', model: undefined, instructions: '' });
  mailbox = createMailbox({
    mail,
    agents,
    ids: createIds(() => Date.now()),
    redactor: createRedactor({ secrets: () => [SECRET] }),
  });
  tools = new Map(createMailTools({ mailbox }).map((tool) => [tool.name, tool]));
});

afterEach(() => runtime.dispose());

const toolNamed = (name: string) => tools.get(name)!;

/** As the pipeline calls it for an agent; the key stays the same when a call is repeated. */
function callAs(agentId: AgentId, key: string, extra: Partial<ToolContext> = {}) {
  return (name: string, input: JsonObject) => {
    const tool = toolNamed(name);
    return tool.execute(tool.input.parse(tool.repair(input)), {
      runId: 'run_test' as RunId,
      agentId,
      principal: 'operator',
      callId: 'call-1',
      idempotencyKey: key,
      signal: new AbortController().signal,
      ...extra,
    });
  };
}

const send = (key: string, input: JsonObject) =>
  callAs(DEFAULT_AGENT_ID, key)('agent.message.send', { to_agent_id: WRITER, ...input });
const take = (key: string, input: JsonObject = {}) =>
  callAs(WRITER, key)('agent.message.inbox', input);

test('a message waits in the inbox and is handed out once', async () => {
  const sent = await send('req_1', { message: 'draft it', task_id: 't1', subject: 'Draft' });

  const inboxes = [await take('req_2'), await take('req_3')];

  expect(sent).toEqual({
    sent: true,
    mail_id: expect.stringMatching(/^mail_/),
    to_agent_id: 'writer',
    task_id: 't1',
    summary: 'sent a message to agent writer',
  });
  expect(inboxes).toEqual([
    {
      messages: [
        {
          mail_id: sent['mail_id'],
          from_agent_id: 'agent_default',
          subject: 'Draft',
          task_id: 't1',
          message: 'draft it',
          sent_at: expect.stringMatching(/Z$/),
        },
      ],
    },
    { messages: [] },
  ]);
});

test('a call that is repeated after a crash sends nothing twice and loses nothing', async () => {
  const sent = [await send('req_1', { message: 'a' }), await send('req_1', { message: 'a' })];
  const taken = [await take('req_2'), await take('req_2')];

  expect(sent[1]).toEqual(sent[0]);
  expect(taken[1]).toEqual(taken[0]);
  expect(taken[0]).toMatchObject({ messages: [{ message: 'a' }] });
  expect(await mailbox.list({ agentId: WRITER, limit: 10 })).toHaveLength(1);
});

test("a caller's key names one message, and only that caller's", async () => {
  const sendFor = (principal: string, message: string) =>
    callAs(DEFAULT_AGENT_ID, 'K', { principal, isCallersKey: true })('agent.message.send', {
      to_agent_id: WRITER,
      message,
    });
  const first = await sendFor('operator', 'a');

  const again = await sendFor('operator', 'a');
  const other = await failureOf(sendFor('operator', 'b'));
  const stranger = await sendFor('user:7', 'b');

  expect(again).toEqual(first);
  expect(other).toMatchObject({ code: 'conflict' });
  expect(stranger['mail_id']).not.toBe(first['mail_id']);
});

test("a caller's key does not hand out again what another call took", async () => {
  const takeIn = (runId: string) =>
    callAs(WRITER, 'K', { runId: runId as RunId, isCallersKey: true })('agent.message.inbox', {});
  await send('req_1', { message: 'a' });
  const first = await takeIn('run_1');
  await send('req_2', { message: 'b' });

  const repeated = await takeIn('run_1');
  const second = await takeIn('run_2');

  expect(repeated).toEqual(first);
  expect(second).toMatchObject({ messages: [{ message: 'b' }] });
});

test('an inbox can be read by task and in pieces, oldest first', async () => {
  for (const [index, task] of ['a', 'b', 'a', 'a'].entries()) {
    await send(`req_${index}`, { message: `${index}`, task });
  }

  const outputs = [
    await take('one', { task_id: 'a', limit: 2 }),
    await take('two', { limit: 1 }),
    await take('three'),
  ];

  const texts = outputs.map(({ messages }) =>
    (messages as { message: string }[]).map(({ message }) => message),
  );
  expect(texts).toEqual([['0', '2'], ['1'], ['3']]);
});

test('refuses an unknown agent and a full inbox', async () => {
  const unknown = await failureOf(send('req_0', { to_agent_id: 'nobody', message: 'a' }));
  for (let count = 0; count < MAX_UNDELIVERED; count += 1) {
    await send(`fill_${count}`, { message: 'a' });
  }
  const full = await failureOf(send('req_1', { message: 'one too many' }));

  expect(unknown).toMatchObject({ code: 'not_found', message: 'agent nobody does not exist' });
  expect(full).toMatchObject({
    code: 'limit_reached',
    message: 'the inbox of agent writer is full (1000 undelivered)',
  });
});

test('keeps no secret', async () => {
  await send('req_1', { message: `use ${SECRET}`, subject: SECRET });

  const output = await take('req_2');

  expect(output).toMatchObject({
    messages: [{ message: 'use [REDACTED]', subject: '[REDACTED]' }],
  });
});

test.each([
  ['agent.message.send', {}, ['to_agent_id is required', 'message is required']],
  ['agent.message.send', { to: 'a', text: ' ' }, ['message must not be empty']],
  [
    'agent.message.send',
    { to: 'a/b', message: 'x'.repeat(8_001) },
    [
      'to_agent_id must be 1 to 128 characters, without control characters, /, \\ or ..',
      'message must have at most 8000 characters',
    ],
  ],
  [
    'agent.message.send',
    { to: 'a', body: 'x', task: 't'.repeat(129), subject: 's'.repeat(201) },
    ['task_id must have at most 128 characters', 'subject must have at most 200 characters'],
  ],
  ['agent.message.inbox', { limit: 51 }, ['limit must be a whole number from 1 to 50']],
])('%s refuses %j', (name, input, messages) => {
  expect(inputErrors(toolNamed(name), input)).toEqual(messages);
});

test('in a run, the key is the request of the call', async () => {
  const letter = JSON.stringify({ to_agent_id: DEFAULT_AGENT_ID, message: 'note to self' });

  const sending = await runtime.ask(`/tool agent.message.send ${letter}`);
  const taking = await runtime.ask('/tool agent.message.inbox {}');
  const events = await runtime.events(taking.id);

  const key = events.find(({ type }) => type === 'tool.call')?.payload['request_id'];
  const repeated = await callAs(DEFAULT_AGENT_ID, String(key))('agent.message.inbox', {});
  expect(sending.output).toContain('"sent":true');
  expect(repeated).toMatchObject({ messages: [{ message: 'note to self' }] });
  expect(await callAs(DEFAULT_AGENT_ID, 'other')('agent.message.inbox', {})).toEqual({
    messages: [],
  });
});
