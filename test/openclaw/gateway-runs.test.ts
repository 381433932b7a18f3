import { expect, onTestFinished, test } from 'vitest';
import { type GatewayScript, startGateway, type TestGateway } from '../support/openclaw-gateway.ts';
import { createGate } from '../support/pass-time.ts';
import {
  type BridgedRuntime,
  openBridgedRuntime,
  REMOTE,
  tell,
  until,
} from './open-bridged-runtime.ts';

async function untilSpent({ costs }: BridgedRuntime) {
  for (;;) {
    const summary = await costs.summarize('apollo');
    if (summary.agents.length > 0) return summary;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function open(script: GatewayScript = {}): Promise<TestGateway> {
  const gateway = await startGateway(script);
  onTestFinished(() => gateway.stop());
  return gateway;
}

test('a run of an agent that lives in a gateway is a run like any other', async () => {
  const gateway = await open({
    work(_ask, { emit }) {
      emit('assistant', { text: 'I will look.', itemId: 'a' });
      emit('tool', { phase: 'start', name: 'exec', toolCallId: 'c1', args: { command: 'ls' } });
      emit('tool', { phase: 'result', name: 'exec', toolCallId: 'c1', result: { text: 'x' } });
      emit('assistant', { text: 'Found it.', itemId: 'b' });
      return 'Found it.';
    },
  });
  const runtime = await openBridgedRuntime(gateway.url);

  const run = await runtime.askRemote('where is it?');

  const events = await runtime.events(run.id);
  const timeline = await runtime.projects.events({
    owner: 'operator',
    projectId: 'apollo',
    limit: 20,
  });
  // They are settled right after the end.
  const costs = await untilSpent(runtime);
  expect(run).toMatchObject({
    status: 'completed',
    output: 'Found it.',
    provider: 'openclaw',
    model: 'main',
    totals: { inputTokens: 150, outputTokens: 20, costUsd: 0.0025 },
  });
  expect(gateway.asked).toEqual([
    {
      key: `pincer-${run.id}-1`,
      message: 'where is it?',
      agentId: 'main',
      sessionKey: `agent:main:pincer:${run.id}`,
      system: expect.stringContaining('You are Lince (scout).'),
    },
  ]);
  expect(events.map(tell).filter((said) => !said.startsWith('model.delta'))).toEqual([
    'run.created',
    'run.started',
    'model.requested',
    'agent.noted thought',
    'tool.call exec',
    'tool.result exec',
    'model.completed',
    'run.completed',
  ]);
  expect(timeline.map(({ kind, content }) => `${kind}: ${content}`)).toEqual([
    'action: has finished',
    'thought: Found it.',
    'action: calls exec',
    'thought: I will look.',
    'action: was asked: where is it?',
  ]);
  expect(costs.agents).toMatchObject([{ agentId: 'lince', tokensIn: 150, tokensOut: 20 }]);
});

test('a conversation here is one conversation there, and only what is new is sent', async () => {
  const gateway = await open();
  const runtime = await openBridgedRuntime(gateway.url);
  const place = { agentId: REMOTE, channel: 'test', userId: 'u', roomId: 'r' };
  const { session } = await runtime.sessions.open(place);

  for (const message of ['one', 'two']) {
    const { run } = await runtime.runs.submit({
      ...{ agentId: 'lince', message, source: 'test', sessionId: session.id },
    });
    await runtime.awaitEnd(run.id);
  }

  expect(gateway.asked.map(({ message }) => message)).toEqual(['one', 'two']);
  expect(new Set(gateway.asked.map(({ sessionKey }) => sessionKey)).size).toBe(1);
});

test('a run that is cancelled here is stopped there', async () => {
  const gateway = await open({
    work: (_ask, { signal }) =>
      new Promise((_, no) => signal.addEventListener('abort', () => no(new Error('aborted')))),
  });
  const runtime = await openBridgedRuntime(gateway.url);
  const id = await runtime.submitRemote('work forever');
  await until(() => gateway.asked.length === 1);

  await runtime.runs.cancel({ runId: id, reason: 'enough', actor: 'operator' });
  const run = await runtime.awaitEnd(id);
  await until(() => gateway.aborted.length === 1);

  expect(run.status).toBe('cancelled');
  expect(gateway.aborted).toEqual([`pincer-${id}-1`]);
});

test('a connection that breaks in the middle of a run is taken up again, and nothing is asked twice', async () => {
  const gate = createGate<string>();
  const gateway = await open({
    async work(_ask, { emit }) {
      emit('assistant', { text: 'Half', itemId: 'a' });
      const text = await gate.promise;
      emit('assistant', { text, itemId: 'a' });
      return text;
    },
  });
  const runtime = await openBridgedRuntime(gateway.url);
  const id = await runtime.submitRemote('take your time');
  await until(() => gateway.asked.length === 1);

  gateway.drop();
  await until(() => gateway.greetings === 2);
  gate.open('Half and half.');
  const run = await runtime.awaitEnd(id);

  expect(run).toMatchObject({ status: 'completed', output: 'Half and half.' });
  expect(run.totals).toMatchObject({ inputTokens: 150, outputTokens: 20, costUsd: 0.0025 });
  expect(gateway.asked.length).toBe(1);
});

test('an agent that fails there fails the run here, and is not asked again', async () => {
  const gateway = await open({ work: () => Promise.reject(new Error('no model has a key')) });
  const runtime = await openBridgedRuntime(gateway.url);

  const run = await runtime.askRemote('hello');

  expect(run).toMatchObject({
    status: 'failed',
    error: {
      code: 'provider_failed',
      message: "the agent's run in OpenClaw ended with error: no model has a key",
    },
  });
  expect(gateway.asked.length).toBe(1);
});

test('principals of a product do not reach it unless the operator says so', async () => {
  const gateway = await open();
  const closed = await openBridgedRuntime(gateway.url);
  const opened = await openBridgedRuntime(gateway.url, { allow_principals: true });

  const denied = await closed.awaitEnd(await closed.submitRemote('hi', 'user:7'));
  const allowed = await opened.awaitEnd(await opened.submitRemote('hi', 'user:7'));

  expect(denied).toMatchObject({ status: 'failed', error: { code: 'policy_denied' } });
  expect(allowed.status).toBe('completed');
  expect(gateway.asked.length).toBe(1);
});
