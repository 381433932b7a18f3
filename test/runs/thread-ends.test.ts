import { afterEach, describe, expect, test } from 'vitest';
import type { RunId } from '../../src/core/ids.ts';
import type { Model, ModelPart, ModelRequest } from '../../src/core/loop/model.ts';
import { openTestRuntime, type TestRuntime } from '../support/open-test-runtime.ts';
import { TEST_ENGINES, type TestEngine } from '../support/test-engines.ts';
import { ADA, driveThread, THREAD, talkingModel } from './thread-rig.ts';

const open: TestRuntime[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((runtime) => runtime.dispose()));
});

for (const engine of TEST_ENGINES) {
  describe.skipIf(!engine.available)(`Ends of threads on ${engine.name}`, () => {
    describeCancels(engine);
    describeEnds(engine);
  });
}

const CLIENT_TOOLS = [{ name: 'map.show', description: '', inputSchema: {} }];
const SPENT = { turns: 1, toolCalls: 1, inputTokens: 1, outputTokens: 1, costUsd: null };

interface SetUp {
  readonly config?: object;
  readonly model?: Model;
}

async function setUp(engine: TestEngine, { config = {}, ...given }: SetUp = {}) {
  const talking = talkingModel();
  const model = given.model ?? talking;
  const runtime = await openTestRuntime(model, { env: await engine.openEnv(), config });
  open.push(runtime);
  const thread = driveThread(runtime);
  return {
    model: talking,
    runtime,
    thread,
    cancel: (runId: RunId) =>
      runtime.threads.cancel({ runId, threadId: THREAD, principal: ADA, reason: 'enough' }),

    async messages(runId: RunId): Promise<string[]> {
      const { sessionId } = await runtime.runs.get(runId);
      if (sessionId === undefined) throw new Error('no session');
      const messages = await runtime.storage.sessions.readMessages(sessionId, { limit: 50 });
      return messages.map(({ role, status = '-' }) => `${role} ${status}`);
    },
  };
}

function describeCancels(engine: TestEngine): void {
  test('a run that waits for its client is cancelled with a result for the call and its totals', async () => {
    const { runtime, thread, cancel, messages } = await setUp(engine);
    const { id } = await thread.create({ clientTools: CLIENT_TOOLS });
    await thread.say(id, 'call map.show {}');
    await thread.awaitStatus(id, 'waiting');

    const { run, recorded } = await cancel(id);

    expect(recorded).toBe(true);
    expect(run).toMatchObject({ status: 'cancelled', totals: SPENT });
    expect((await thread.types(id)).slice(-3)).toEqual([
      'run.cancel_requested',
      'tool.result',
      'run.cancelled',
    ]);
    const [result, end] = (await runtime.events(id)).slice(-2);
    expect(result?.payload).toMatchObject({
      tool_call_id: 'call_1',
      ok: false,
      error: { code: 'cancelled' },
    });
    expect(end?.payload).toMatchObject({ reason: 'enough', usage: { turns: 1, tool_calls: 1 } });
    expect(await messages(id)).toEqual(['user -', 'tool -', 'assistant cancelled']);
  });

  test('a run that waits for an approval is cancelled with a result for the call', async () => {
    const config = { policy: { rules: [{ tool: 'fs.write', decision: 'ask' }] } };
    const { runtime, thread, cancel } = await setUp(engine, { config });
    const { id } = await thread.create();
    await thread.say(id, 'call fs.write {"path":"a.txt","content":"a"}');
    await thread.awaitStatus(id, 'waiting');

    const { run } = await cancel(id);

    expect(run).toMatchObject({ status: 'cancelled', totals: SPENT });
    expect((await thread.types(id)).slice(-3)).toEqual([
      'run.cancel_requested',
      'tool.result',
      'run.cancelled',
    ]);
    const { effects } = await runtime.effects.list({ runId: id, limit: 5 });
    expect(effects.map(({ status }) => status)).toEqual(['failed']);
  });

  test('an idle run is cancelled with its last answer, and nothing is said about it', async () => {
    const { thread, cancel, messages } = await setUp(engine);
    const { id } = await thread.create();
    await thread.say(id, 'one');
    await thread.awaitStatus(id, 'waiting');

    const { run } = await cancel(id);

    expect(run).toMatchObject({ status: 'cancelled', output: 're: one', totals: { turns: 1 } });
    expect(await messages(id)).toEqual(['user -', 'assistant -']);
  });

  test('one wish among many is recorded, also while the run wakes and rests', async () => {
    const { thread, cancel, runtime } = await setUp(engine);
    const { id } = await thread.create();
    await thread.say(id, 'one');
    await thread.awaitStatus(id, 'waiting');

    const [, ...results] = await Promise.all([
      thread.say(id, 'two'),
      ...Array.from({ length: 8 }, () => cancel(id)),
    ]);
    await runtime.awaitEnd(id);

    const types = await thread.types(id);
    expect(results.filter(({ recorded }) => recorded)).toHaveLength(1);
    expect(types.filter((type) => type === 'run.cancel_requested')).toHaveLength(1);
    expect(types.at(-1)).toBe('run.cancelled');
  });

  test('a cancel frame that is sent again is acted upon again', async () => {
    const { thread, runtime } = await setUp(engine);
    const { id } = await thread.create();
    const frame = {
      ...{ runId: id, threadId: THREAD, principal: ADA, frameId: 'frm_stop' },
      ...{ type: 'cancel', payload: { reason: 'r'.repeat(1_000_000) } },
    };

    await runtime.threads.accept(frame);
    await runtime.awaitEnd(id);
    await runtime.threads.accept(frame);

    const events = await runtime.events(id);
    const wishes = events.filter(({ type }) => type === 'run.cancel_requested');
    expect(wishes.map(({ payload }) => String(payload['reason']).length)).toEqual([2_000]);
    expect(events.at(-1)?.type).toBe('run.cancelled');
  });
}

function describeEnds(engine: TestEngine): void {
  test('frames that ask nothing leave a run at rest', async () => {
    const { thread, model } = await setUp(engine);
    const { id } = await thread.create();

    for (let no = 0; no < 20; no += 1) await thread.send(id, 'presence', { no });

    expect(await thread.types(id)).toEqual(['run.created', ...Array(20).fill('frame.accepted')]);
    await thread.say(id, 'hi');
    await thread.awaitStatus(id, 'waiting');
    expect(model.requests.at(-1)).toEqual([{ role: 'user', text: 'hi' }]);
  });

  test('a client that gives up on an idle run leaves nothing in the conversation', async () => {
    const { thread, runtime, messages } = await setUp(engine);
    const { id } = await thread.create();
    await thread.say(id, 'one');
    await thread.awaitStatus(id, 'waiting');

    await thread.send(id, 'fail', { reason: 'closed' });
    await runtime.awaitEnd(id);

    expect(await messages(id)).toEqual(['user -', 'assistant -']);
  });

  test('each answer has the time of a run, however long the run is kept busy', async () => {
    const limitMs = 1_500;
    const model = slowModel(limitMs / 3);
    const { thread, runtime } = await setUp(engine, {
      config: { engine: { default_run_timeout_ms: limitMs } },
      model,
    });
    const { id } = await thread.create();
    for (const text of ['one', 'two', 'three', 'four']) {
      await thread.say(id, text);
      await model.begun(text);
    }
    await thread.send(id, 'finish');

    const { status, startedAtMs = 0, endedAtMs = 0 } = await runtime.awaitEnd(id);

    expect(status).toBe('completed');
    expect(endedAtMs - startedAtMs).toBeGreaterThan(limitMs);
    expect((await thread.types(id)).filter((type) => type === 'model.completed')).toHaveLength(4);
  });

  test('a full queue is said to be full', async () => {
    const config = { engine: { max_concurrent_runs: 1, max_queued_runs: 1 } };
    const { thread, model, runtime } = await setUp(engine, { config });
    const { id } = await thread.create();
    await thread.say(id, 'wait');
    await model.held;
    await runtime.submit('queued');

    await expect(thread.create()).rejects.toMatchObject({ code: 'queue_full' });
    model.release();
  });
}

/** Takes its time for every answer, and tells when it has begun with one. */
function slowModel(answerMs: number) {
  const waiting = new Map<string, () => void>();
  const begun = new Set<string>();
  return {
    provider: 'slow',
    name: 'test',
    toolCalls: 'native' as const,
    begun: (text: string) =>
      new Promise<void>((resolve) => {
        if (begun.has(text)) resolve();
        else waiting.set(text, resolve);
      }),
    async *stream({ messages }: ModelRequest): AsyncGenerator<ModelPart> {
      const text = messages.at(-1)?.text ?? '';
      begun.add(text);
      waiting.get(text)?.();
      await new Promise((resolve) => setTimeout(resolve, answerMs));
      yield { type: 'text', delta: text };
      yield { type: 'finish', reason: 'stop', usage: { inputTokens: 1, outputTokens: 1 } };
    },
  };
}
