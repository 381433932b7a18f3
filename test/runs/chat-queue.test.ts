import { afterEach, describe, expect, test } from 'vitest';
import { type Chat, createChat } from '../../src/core/chat/chat.ts';
import type { QueuedMessage } from '../../src/core/chat/chat-request.ts';
import { systemClock } from '../../src/core/clock.ts';
import { DEFAULT_AGENT_ID, type SessionId } from '../../src/core/ids.ts';
import type { Model } from '../../src/core/loop/model.ts';
import { DEFAULT_CONTEXT_LIMITS } from '../../src/core/sessions/context-limits.ts';
import { createSessions, type Sessions } from '../../src/core/sessions/sessions.ts';
import { createScriptedModel } from '../../src/providers/scripted/scripted-model.ts';
import { openTestRuntime, type TestRuntime } from '../support/open-test-runtime.ts';
import { TEST_ENGINES, type TestEngine } from '../support/test-engines.ts';

const PLACE = { channel: 'http', userId: 'ana', roomId: 'dev-room' };

const SETTINGS = {
  enabled: true,
  defaultAgentId: DEFAULT_AGENT_ID,
  allowUsers: [],
  allowRooms: [],
  rateLimitPerMin: 100,
  globalRateLimitPerMin: 100,
};

interface ChatRig {
  readonly runtime: TestRuntime;
  readonly sessions: Sessions;
  say(message: string): Promise<QueuedMessage>;
  /** What the session holds, as `role: content`. */
  history(id: SessionId): Promise<string[]>;
}

const open: TestRuntime[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((runtime) => runtime.dispose()));
});

async function openChat(model: Model, engine: TestEngine): Promise<ChatRig> {
  const runtime = await openTestRuntime(model, { env: await engine.openEnv() });
  open.push(runtime);
  const { storage, ids, redactor, runs } = runtime;
  const sessions = createSessions({
    store: storage.sessions,
    agents: storage.agents,
    ids,
    redactor,
    context: () => DEFAULT_CONTEXT_LIMITS,
  });
  const chat: Chat = createChat({
    runs,
    sessions,
    agents: storage.agents,
    clock: systemClock,
    settings: () => SETTINGS,
  });
  return {
    runtime,
    sessions,
    async say(message) {
      const reply = await chat.send({ place: PLACE, message });
      if (reply.kind !== 'queued') throw new Error(`not queued: ${reply.response}`);
      return reply;
    },
    async history(id) {
      const { messages } = await sessions.messages(id, { limit: 100 });
      return messages.map(({ role, content }) => `${role}: ${content}`);
    },
  };
}

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

for (const engine of TEST_ENGINES) {
  describe.skipIf(!engine.available)(`Chat on ${engine.name}`, () => describeChat(engine));
}

function describeChat(engine: TestEngine): void {
  test('a message sent while a run goes on waits for it, and then knows what it said', async () => {
    const gate = deferred();
    const model = createScriptedModel(
      { steps: [{ text: 'first answer' }, { text: 'second answer' }] },
      { gates: { 0: gate.promise } },
    );
    const { runtime, say, history } = await openChat(model, engine);
    const first = await say('one');
    const second = await say('two');
    const third = await say('/tool time.now {}');
    await expect.poll(() => model.requests.length).toBe(1);

    const waiting = await Promise.all([second, third].map(({ run }) => runtime.runs.get(run.id)));
    gate.resolve();
    const ends = [];
    for (const { run } of [first, second, third]) ends.push(await runtime.awaitEnd(run.id));

    expect(waiting.map((run) => run.status)).toEqual(['queued', 'queued']);
    expect(ends.map((run) => [run.status, run.exchange])).toEqual([
      ['completed', 1],
      ['completed', 2],
      ['completed', 3],
    ]);
    expect(new Set([first, second, third].map((reply) => reply.sessionId)).size).toBe(1);
    const said = model.requests.map(({ messages }) =>
      messages.flatMap((message) =>
        message.role === 'user' || message.role === 'assistant' ? [message.text] : [],
      ),
    );
    expect(said).toEqual([['one'], ['one', 'first answer', 'two']]);
    const lines = await history(first.sessionId);
    expect(lines.slice(0, 5)).toEqual([
      'user: one',
      'assistant: first answer',
      'user: two',
      'assistant: second answer',
      'user: /tool time.now {}',
    ]);
    expect(lines.slice(5).map((line) => line.split(':')[0])).toEqual(['tool', 'assistant']);
  });

  test('messages sent at once share one session and are answered one after the other', async () => {
    const steps = Array.from({ length: 8 }, (_, at) => ({ text: `answer ${at}` }));
    const { runtime, say, history } = await openChat(createScriptedModel({ steps }), engine);

    const sent = await Promise.all(steps.map((_, at) => say(`message ${at}`)));
    const runs = await Promise.all(sent.map(({ run }) => runtime.awaitEnd(run.id)));

    expect(new Set(sent.map((reply) => reply.sessionId)).size).toBe(1);
    expect(runs.map((run) => run.status)).toEqual(steps.map(() => 'completed'));
    const inOrder = runs.toSorted((a, b) => (a.exchange ?? 0) - (b.exchange ?? 0));
    for (const [at, run] of inOrder.entries()) {
      expect(run).toMatchObject({ exchange: at + 1, output: `answer ${at}` });
      const endedBefore = inOrder[at - 1]?.endedAtMs ?? 0;
      expect(run.startedAtMs).toBeGreaterThanOrEqual(endedBefore);
    }
    expect(await history(sent[0]?.sessionId as SessionId)).toEqual(
      inOrder.flatMap((run) => [`user: ${run.message}`, `assistant: ${run.output}`]),
    );
  });

  test('a run that fails leaves a failure message, and the next message goes on behind it', async () => {
    const model = createScriptedModel({
      steps: [{ error: { status: 400, message: 'no' } }, { text: 'better' }],
    });
    const { runtime, sessions, say } = await openChat(model, engine);
    const first = await say('one');
    const second = await say('two');

    const failed = await runtime.awaitEnd(first.run.id);
    const done = await runtime.awaitEnd(second.run.id);

    expect([failed.status, done.status]).toEqual(['failed', 'completed']);
    const { messages } = await sessions.messages(first.sessionId, { limit: 10 });
    expect(messages.map(({ role, status, runId }) => [role, status, runId])).toEqual([
      ['user', undefined, first.run.id],
      ['assistant', 'failed', first.run.id],
      ['user', undefined, second.run.id],
      ['assistant', undefined, second.run.id],
    ]);
  });
}
