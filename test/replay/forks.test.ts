import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import type { RunId } from '../../src/core/ids.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { createRecording } from '../../src/core/replay/recording.ts';
import { replayRecording } from '../../src/core/replay/replay-recording.ts';
import { defineTool } from '../../src/core/tools/tool.ts';
import { createScriptedModel } from '../../src/providers/scripted/scripted-model.ts';
import { openTestRuntime, type TestRuntime } from '../support/open-test-runtime.ts';

const open: TestRuntime[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((runtime) => runtime.dispose()));
});

/** A run that looks, sends and tells: 3 turns, the second of which acts outward. */
async function recordSending() {
  let sent = 0;
  const look = defineTool({
    name: 'test.look',
    description: '',
    effect: 'read',
    input: z.object({}),
    execute: async () => ({ seen: 'a shell' }),
  });
  const send = defineTool({
    name: 'test.send',
    description: '',
    effect: 'write',
    traits: ['outward_effect'],
    input: z.object({ to: z.string() }),
    async execute() {
      sent += 1;
      return { sent };
    },
  });
  const model = createScriptedModel({
    steps: [
      { toolCalls: [{ tool: 'test.look', callId: 'look' }] },
      { toolCalls: [{ tool: 'test.send', callId: 'send', input: { to: 'ada' } }] },
      { text: 'told her' },
    ],
  });
  const config = { tools: { granted: ['test.look', 'test.send'] } };
  const runtime = await openTestRuntime(model, { tools: [look, send], config });
  open.push(runtime);
  const run = await runtime.ask('tell ada');
  const events = await runtime.events(run.id);
  const looked = events.find(({ type }) => type === 'tool.result')?.seq ?? 0;
  return { runtime, run, looked, model, sentTimes: () => sent };
}

async function awaitQuestion(runtime: TestRuntime, runId: RunId) {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const { approvals } = await runtime.approvals.list({ status: 'pending', runId, limit: 1 });
    if (approvals[0]) return approvals[0];
    if (Date.now() > deadline) throw new Error('nobody was asked');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

test('a fork goes on from its event, asks before it acts outward, and plays again like any run', async () => {
  const { runtime, run, looked, model, sentTimes } = await recordSending();
  const asked = model.requests.length;

  const { run: fork } = await runtime.forks.fork({ runId: run.id, atSeq: looked, source: 'test' });
  const question = await awaitQuestion(runtime, fork.id);
  const sentBefore = sentTimes();
  await runtime.approvals.decide(question.id, { status: 'approved', by: 'test', note: '' });
  const ended = await runtime.awaitEnd(fork.id);

  expect(sentBefore).toBe(1);
  expect(question).toMatchObject({
    tool: 'test.send',
    reason:
      'test.send acts outward, and this run is a fork: the run it goes on from may have done so already',
  });
  expect(ended).toMatchObject({
    status: 'completed',
    output: 'told her',
    forkedFrom: { runId: run.id, seq: looked },
  });
  expect(sentTimes()).toBe(2);
  expect(model.requests[asked]?.messages).toEqual(model.requests[1]?.messages);
  expect(await runtime.replays.replay(fork.id)).toMatchObject({ divergence: undefined });
  expect(await runtime.replays.replay(run.id)).toMatchObject({ divergence: undefined });
  expect(await runtime.replays.diff(run.id, fork.id)).toMatchObject({
    sharedThroughSeq: looked,
    divergence: { left: { type: 'tool.result' }, right: { type: 'policy.decision' } },
  });
});

test('a fork at the end needs a message, and hears all that was said before it', async () => {
  const { runtime, run, model } = await recordSending();
  const last = { runId: run.id, atSeq: run.lastSeq, source: 'test' };

  const refused = runtime.forks.fork(last);
  await expect(refused).rejects.toMatchObject({ code: 'invalid_input' });
  const { run: fork } = await runtime.forks.fork({ ...last, message: 'and grace?' });
  await runtime.awaitEnd(fork.id);

  const told = model.requests.at(-1)?.messages.map(({ role, text }) => `${role}: ${text}`);
  expect(told).toEqual([
    'user: tell ada',
    'assistant: ',
    'tool: {"seen":"a shell"}',
    'assistant: ',
    'tool: {"sent":1}',
    'assistant: told her',
    'user: and grace?',
  ]);
});

/** What a changed loop, or a changed log, would look like: each is found where it first matters. */
test.each<[string, (type: string, payload: JsonObject) => JsonObject | undefined, string]>([
  [
    'another answer of a tool',
    (type, payload) =>
      type === 'tool.result' && payload['tool'] === 'test.look'
        ? { ...payload, output: { seen: 'a pearl' } }
        : undefined,
    'model.requested',
  ],
  [
    'another answer of the model',
    (type, payload) =>
      type === 'model.completed' && payload['text'] === 'told her'
        ? { ...payload, text: 'did not' }
        : undefined,
    'run.completed',
  ],
  [
    'another call than the model wanted',
    (type, payload) =>
      type === 'tool.call' && payload['tool'] === 'test.send'
        ? { ...payload, input: { to: 'grace' } }
        : undefined,
    'tool.call',
  ],
  [
    'fewer turns than it took',
    (type, payload) =>
      type === 'model.requested' && payload['conditions'] !== undefined
        ? { ...payload, conditions: { ...(payload['conditions'] as JsonObject), max_turns: 2 } }
        : undefined,
    'model.requested',
  ],
])('%s shows as a difference', async (_, change, expected) => {
  const { runtime, run } = await recordSending();
  const log = (await runtime.events(run.id)).map((event) => ({
    ...event,
    payload: change(event.type, event.payload) ?? event.payload,
  }));

  const replay = await replayRecording(
    { sessions: runtime.storage.sessions },
    createRecording(run, log),
  );

  expect(replay.divergence?.recorded?.type).toBe(expected);
  expect(replay.divergence?.replayed).not.toEqual(replay.divergence?.recorded);
});
