import { afterEach, describe, expect, test } from 'vitest';
import { DEFAULT_AGENT_ID, type RunId, type SessionId } from '../../src/core/ids.ts';
import type { Message, Model } from '../../src/core/loop/model.ts';
import { DEFAULT_CONTEXT_LIMITS } from '../../src/core/sessions/context-limits.ts';
import { createSessions, type Sessions } from '../../src/core/sessions/sessions.ts';
import { openTestRuntime, type TestRuntime } from '../support/open-test-runtime.ts';
import { TEST_ENGINES, type TestEngine } from '../support/test-engines.ts';

const PLACE = { agentId: DEFAULT_AGENT_ID, channel: 'http', userId: 'ada', roomId: 'dev' };
const USAGE = { inputTokens: 0, outputTokens: 0 };

interface Rig {
  readonly sessions: Sessions;
  readonly sessionId: SessionId;
  /** What the model was asked, newest last. */
  readonly requests: readonly (readonly Message[])[];
  say(message: string): Promise<RunId>;
  awaitEnd(runId: RunId): Promise<unknown>;
}

const open: TestRuntime[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((runtime) => runtime.dispose()));
});

/** `hold` is waited for before an answer to the message it is given. */
async function openRig(
  engine: TestEngine,
  hold: (message: string) => Promise<void> = async () => {},
): Promise<Rig> {
  const requests: (readonly Message[])[] = [];
  const model: Model = {
    provider: 'recording',
    name: 'test',
    toolCalls: 'native',
    async *stream({ messages }) {
      requests.push(messages);
      const said = messages.at(-1)?.text ?? '';
      await hold(said);
      yield { type: 'text', delta: `re: ${said}` };
      yield { type: 'finish', reason: 'stop', usage: USAGE };
    },
  };
  const runtime = await openTestRuntime(model, { env: await engine.openEnv() });
  open.push(runtime);
  const { storage, ids, redactor, runs } = runtime;
  const context = () => DEFAULT_CONTEXT_LIMITS;
  const sessions = createSessions({
    store: storage.sessions,
    agents: storage.agents,
    ids,
    redactor,
    context,
  });
  const { id: sessionId } = await sessions.start(PLACE);
  return {
    sessions,
    sessionId,
    requests,
    async say(message) {
      const { agentId } = PLACE;
      const { run } = await runs.submit({ agentId, message, source: 'test', sessionId });
      return run.id;
    },
    awaitEnd: (runId) => runtime.awaitEnd(runId),
  };
}

async function ask(rig: Rig, message: string): Promise<void> {
  await rig.awaitEnd(await rig.say(message));
}

for (const engine of TEST_ENGINES) {
  describe.skipIf(!engine.available)(`Compacting on ${engine.name}`, () => describeCompact(engine));
}

function describeCompact(engine: TestEngine): void {
  test('the model hears the summary, then only what was said since', async () => {
    const rig = await openRig(engine);
    const { sessions, sessionId, requests } = rig;

    await ask(rig, 'one');
    const compacted = await sessions.compact(sessionId);
    await ask(rig, 'two');
    await ask(rig, 'three');
    const again = await sessions.compact(sessionId);
    const { messages } = await sessions.messages(sessionId, { limit: 100 });

    const text =
      'Earlier in this conversation (2 messages, shortened):\n' +
      '#1 user: one\n#2 assistant: re: one';
    const lead = { role: 'user', text };
    expect([compacted.messages, compacted.summary]).toEqual([2, text]);
    expect(requests).toEqual([
      [{ role: 'user', text: 'one' }],
      [lead, { role: 'user', text: 'two' }],
      [
        lead,
        { role: 'user', text: 'two' },
        { role: 'assistant', text: 're: two', toolCalls: [] },
        { role: 'user', text: 'three' },
      ],
    ]);
    expect(again.messages).toBe(4);
    expect(messages.map(({ content }) => content)).toEqual([
      ...['one', 're: one', 'two', 're: two', 'three', 're: three'],
    ]);
  });

  test('a run that goes on meanwhile is left out, and the next one hears what it said', async () => {
    const heard = deferred();
    const gate = deferred();
    const rig = await openRig(engine, async (message) => {
      if (message !== 'two') return;
      heard.resolve();
      await gate.promise;
    });
    const { sessions, sessionId, requests } = rig;
    await ask(rig, 'one');
    const second = await rig.say('two');
    await heard.promise;

    const compacted = await sessions.compact(sessionId);
    gate.resolve();
    await rig.awaitEnd(second);
    await ask(rig, 'three');

    expect(compacted.messages).toBe(2);
    expect(requests.at(-1)).toEqual([
      { role: 'user', text: compacted.summary },
      { role: 'user', text: 'two' },
      { role: 'assistant', text: 're: two', toolCalls: [] },
      { role: 'user', text: 'three' },
    ]);
  });
}

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}
