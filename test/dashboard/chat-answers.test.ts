import { expect, test } from 'vitest';
import {
  groupExchanges,
  keepUnchanged,
  recallAnswer,
} from '../../dashboard/src/pages/chat/transcript/exchange.ts';
import { readAnswer } from '../../dashboard/src/pages/chat/transcript/read-answer.ts';
import type { RunEvent } from '../../src/operations/runs/run-shapes.ts';
import type { SessionMessageShape } from '../../src/operations/sessions/session-shapes.ts';

type Told = readonly [type: RunEvent['event_type'], payload?: RunEvent['payload']];

function log(...told: readonly Told[]): RunEvent[] {
  return told.map(([type, payload = {}], at) => ({
    event_id: `evt_${at}`,
    event_type: type,
    ts: '2026-01-01T00:00:00.000Z',
    run_id: 'run_1',
    agent_id: 'agent_default',
    seq: at + 1,
    actor: 'system',
    payload,
  }));
}

const delta = (text: string, turn = 1): Told => ['model.delta', { turn, attempt: 1, text }];
const asked = (turn = 1): Told => ['model.requested', { turn, attempt: 1 }];
const BEGUN: readonly Told[] = [['run.created'], ['run.started'], asked()];
const texts = (events: readonly RunEvent[]) =>
  readAnswer(events).parts.map((part) => (part.kind === 'tool' ? part.call.tool : part.text));

test('words grow as they are said', () => {
  const events = log(...BEGUN, delta('Half of'), delta(' it.'));

  expect(readAnswer(events)).toEqual({
    parts: [{ kind: 'text', key: 'turn-1', text: 'Half of it.' }],
    state: 'working',
  });
});

test('what was on the page before a crash stays there while the model says the same again', () => {
  const before = [...BEGUN, delta('The first half, and')];
  const again = [...before, ['run.recovered'] as const, asked()];

  expect(texts(log(...again))).toEqual(['The first half, and']);
  expect(texts(log(...again, delta('The first')))).toEqual(['The first half, and']);
  const whole = log(...again, delta('The first half, and the second.'));
  expect(texts(whole)).toEqual(['The first half, and the second.']);
  expect(readAnswer(whole).isBegunAgain).toBeUndefined();
});

test('other words the second time replace the first ones, and that is said', () => {
  const events = log(...BEGUN, delta('It was'), ['run.recovered'], asked(), delta('No'));

  expect(texts(events)).toEqual(['No']);
  expect(readAnswer(events).isBegunAgain).toBe(true);
});

const CALL = { tool: 'fs.write', tool_call_id: 'c1', input: { path: 'a' } };
const QUESTION = { decision: 'ask', approval_id: 'appr_1', tool: 'fs.write', tool_call_id: 'c1' };

test('a call waits for a person, and is the same call when it was approved', () => {
  const waiting = [...BEGUN, ['tool.call', CALL] as const, ['policy.decision', QUESTION] as const];
  const allowed = { ...QUESTION, decision: 'allow', status: 'approved' };
  const result = { tool_call_id: 'c1', ok: true, output: {}, summary: 'wrote', duration_ms: 5 };

  expect(readAnswer(log(...waiting))).toMatchObject({
    state: 'waiting',
    parts: [{ kind: 'tool', key: 'c1', call: { state: 'waiting', approvalId: 'appr_1' } }],
  });
  const done = log(
    ...waiting,
    ['policy.decision', allowed],
    ['tool.call', CALL],
    ['tool.result', result],
  );
  expect(readAnswer(done).parts).toEqual([
    {
      kind: 'tool',
      key: 'c1',
      call: expect.objectContaining({ state: 'ok', durationMs: 5, answered: 'approved' }),
    },
  ]);
});

test('the end has the last word, the cost, and leaves no call under way', () => {
  const usage = { input_tokens: 3, output_tokens: 4, cost_usd: null };
  const done = log(...BEGUN, delta('Cut'), ['run.completed', { output: 'Cut. [Stopped]', usage }]);
  const stopped = log(...BEGUN, ['tool.call', CALL], ['run.cancelled', { status: 'cancelled' }]);

  expect(readAnswer(done)).toEqual({
    parts: [{ kind: 'text', key: 'turn-1', text: 'Cut. [Stopped]' }],
    state: 'done',
    usage: { inputTokens: 3, outputTokens: 4, costUsd: null },
  });
  expect(readAnswer(stopped)).toMatchObject({
    state: 'stopped',
    parts: [{ call: { state: 'failed' } }],
  });
});

function said(fields: Partial<SessionMessageShape>): SessionMessageShape {
  return { role: 'user', content: '', ts: '2026-01-01T00:00:00.000Z', exchange: 1, ...fields };
}

const TOLD = [1, 2, 3].flatMap((at) => [
  said({ content: `q${at}` }),
  said({ role: 'assistant', content: `a${at}` }),
]);

test('what was told before a session was opened is shown message by message, under keys that stay', () => {
  const whole = groupExchanges(TOLD);
  const end = groupExchanges(TOLD.slice(3));

  expect(whole.map(({ question, key }) => [question, key])).toEqual([
    ['q1', '1.-3'],
    ['q2', '1.-2'],
    ['q3', '1.-1'],
  ]);
  expect(end.map(({ question, key }) => [question, key])).toEqual([
    [undefined, '1.-2'],
    ['q3', '1.-1'],
  ]);
});

test('an exchange without an answer goes on; one that did not change stays the same object', () => {
  const messages = [
    said({ content: 'q1', run_id: 'run_1' }),
    said({ role: 'assistant', content: 'a1', run_id: 'run_1' }),
    said({ content: 'q2', run_id: 'run_2', exchange: 2 }),
  ];
  const before = groupExchanges(messages);
  const after = keepUnchanged(
    before,
    groupExchanges([
      ...messages,
      said({ role: 'assistant', content: 'no', run_id: 'run_2', exchange: 2, status: 'failed' }),
    ]),
  );

  expect(before.map(({ isOver }) => isOver)).toEqual([true, false]);
  expect(after[0]).toBe(before[0]);
  expect(after[1]?.isOver).toBe(true);
  expect(after.map((exchange) => recallAnswer(exchange))).toEqual([
    { parts: [{ kind: 'text', key: 'said-0', text: 'a1' }], state: 'done' },
    { parts: [], state: 'failed', problem: 'no' },
  ]);
});

test('what a run was told on its way stands where it was said, and says whether it was read', () => {
  const told = (text: string): Told => [
    'frame.accepted',
    { type: 'user_message', payload: { text } },
  ];
  const events = log(
    ...BEGUN,
    delta('One'),
    told('be brief'),
    ['model.completed', { turn: 1, text: 'One.' }],
    ['model.requested', { turn: 2, frames_through: 5 }],
    delta('Two', 2),
    told('too late'),
    ['run.failed', { error: { message: 'no' } }],
  );

  expect(readAnswer(events).parts).toEqual([
    { kind: 'text', key: 'turn-1', text: 'One.' },
    { kind: 'told', key: 'told-5', text: 'be brief', isRead: true },
    { kind: 'text', key: 'turn-2', text: 'Two' },
    { kind: 'told', key: 'told-9', text: 'too late', isRead: false },
  ]);
});

test('a message on the way of a run is no exchange of its own, but in a thread it is', () => {
  const messages = [
    said({ content: 'q1', run_id: 'run_1' }),
    said({ content: 'be brief', run_id: 'run_1' }),
    said({ role: 'assistant', content: 'a1', run_id: 'run_1' }),
  ];

  expect(groupExchanges(messages).map((exchange) => recallAnswer(exchange).parts)).toEqual([
    [
      { kind: 'told', key: 'told-0', text: 'be brief' },
      { kind: 'text', key: 'said-1', text: 'a1' },
    ],
  ]);
  expect(groupExchanges(messages, true).map(({ question }) => question)).toEqual([
    'q1',
    'be brief',
  ]);
});
