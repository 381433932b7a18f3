import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { RunId } from '../../src/core/ids.ts';
import type { Message } from '../../src/core/loop/model.ts';
import { defineTool, type Tool } from '../../src/core/tools/tool.ts';
import { openTestRuntime, type TestRuntime } from '../support/open-test-runtime.ts';
import { TEST_ENGINES, type TestEngine } from '../support/test-engines.ts';
import { createGate, type TalkingModel, talkingModel } from './thread-rig.ts';

const open: TestRuntime[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((runtime) => runtime.dispose()));
});

interface Rig {
  readonly runtime: TestRuntime;
  readonly model: TalkingModel;
  /** Resolves when the tool `test.slow` is at work, and what lets it go on. */
  readonly slow: { readonly begun: Promise<void>; finish(): void };
  types(id: RunId): Promise<string[]>;
}

async function openRig(engine: TestEngine, model = talkingModel()): Promise<Rig> {
  const { tool, ...slow } = createSlowTool();
  const runtime = await openTestRuntime(model, {
    env: await engine.openEnv(),
    tools: [tool],
    config: { tools: { granted: ['test.*'] }, policy: { mode: 'full' } },
  });
  open.push(runtime);
  const types = async (id: RunId) => {
    const events = await runtime.events(id);
    return events.map(({ type }) => type).filter((type) => type !== 'model.delta');
  };
  return { runtime, model, slow, types };
}

function createSlowTool() {
  const begun = createGate();
  const done = createGate();
  const tool: Tool = defineTool({
    name: 'test.slow',
    description: 'Takes its time.',
    effect: 'read',
    input: z.strictObject({}),
    async execute() {
      begun.open();
      await done.opened;
      return { looked: true };
    },
  });
  return { tool, begun: begun.opened, finish: done.open };
}

const said = (messages: readonly Message[] | undefined) =>
  messages?.map(({ role, text }) => `${role}: ${text}`);

for (const engine of TEST_ENGINES) {
  describe.skipIf(!engine.available)(`steering a run on ${engine.name}`, () => {
    test('what is said while a tool works is read by the next turn', async () => {
      const { runtime, model, slow, types } = await openRig(engine);
      const { id } = await runtime.submit('call test.slow {}');
      await slow.begun;

      const receipt = await runtime.runs.steer({ runId: id, message: 'be brief' });
      slow.finish();

      expect(await runtime.awaitEnd(id)).toMatchObject({
        status: 'completed',
        output: 're: be brief',
      });
      expect(receipt).toMatchObject({ replayed: false, seq: expect.any(Number) });
      expect(said(model.requests[1])?.slice(-2)).toEqual([
        'tool: {"looked":true}',
        'user: be brief',
      ]);
      expect(model.requests).toHaveLength(2);
      expect((await types(id)).filter((type) => type === 'frame.accepted')).toHaveLength(1);
      const asked = (await runtime.events(id)).filter(({ type }) => type === 'model.requested');
      expect(asked.map(({ payload }) => payload['frames_through'])).toEqual([
        undefined,
        receipt.seq,
      ]);
    });

    test('a run that was about to end goes on, and its session keeps both answers', async () => {
      const { runtime, model } = await openRig(engine);
      const place = { channel: 'http', userId: 'ana', roomId: 'steer', agentId: 'agent_default' };
      const { session } = await runtime.sessions.open(place as never);
      const request = { agentId: 'agent_default', message: 'wait', source: 'test' };
      const { run } = await runtime.runs.submit({ ...request, sessionId: session.id });
      await model.held;

      await runtime.runs.steer({ runId: run.id, message: 'and the other' });
      model.release();

      expect(await runtime.awaitEnd(run.id)).toMatchObject({ output: 're: and the other' });
      expect(said(model.requests[1])).toEqual([
        'user: wait',
        'assistant: re: wait',
        'user: and the other',
      ]);
      const messages = await runtime.storage.sessions.readMessages(session.id, { limit: 10 });
      expect(messages.map(({ role, content }) => `${role}: ${content}`)).toEqual([
        'user: wait',
        'user: and the other',
        'assistant: re: wait\n\nre: and the other',
      ]);
    });

    test('the same key is one message, and another message under it a conflict', async () => {
      const { runtime, model, types } = await openRig(engine);
      const { id: runId } = await runtime.submit('wait');
      await model.held;
      const request = { runId, message: 'once', idempotencyKey: 'k1' };
      await runtime.runs.steer(request);

      const again = await runtime.runs.steer(request);
      const other = runtime.runs.steer({ ...request, message: 'twice' });

      expect(again).toMatchObject({ replayed: true, seq: undefined });
      await expect(other).rejects.toMatchObject({ code: 'conflict' });
      model.release();
      await runtime.awaitEnd(runId);
      expect((await types(runId)).filter((type) => type === 'frame.accepted')).toHaveLength(1);
    });

    test('a run that has ended refuses it and stays as it was', async () => {
      const { runtime } = await openRig(engine);
      const run = await runtime.ask('hello');
      const before = await runtime.events(run.id);

      const steered = runtime.runs.steer({ runId: run.id, message: 'too late' });

      await expect(steered).rejects.toMatchObject({
        code: 'conflict',
        message: `run ${run.id} has ended (completed): send the message as the next one`,
      });
      expect(await runtime.events(run.id)).toEqual(before);
      expect(await runtime.runs.get(run.id)).toEqual(run);
    });

    test('what it is told is redacted before it is stored or said to the model', async () => {
      const { runtime, model } = await openRig(engine);
      const { id: runId } = await runtime.submit('wait');
      await model.held;
      const key = `sk-ant-api03-${'x'.repeat(40)}`;

      await runtime.runs.steer({ runId, message: `use ${key}` });
      model.release();

      await runtime.awaitEnd(runId);
      expect(JSON.stringify([await runtime.events(runId), model.requests])).not.toContain(key);
    });

    test('a run that was steered plays again as it went, and can be forked behind it', async () => {
      const { runtime, model, slow } = await openRig(engine);
      const { id } = await runtime.submit('call test.slow {}');
      await slow.begun;
      await runtime.runs.steer({ runId: id, message: 'wait a moment' });
      slow.finish();
      await model.held;
      const { seq } = await runtime.runs.steer({ runId: id, message: 'and one more' });
      model.release();
      await runtime.awaitEnd(id);

      const replay = await runtime.replays.replay(id);
      const { run: fork } = await runtime.forks.fork({
        ...{ runId: id, atSeq: (seq ?? 0) + 1, source: 'test' },
      });

      expect(replay.divergence).toBeUndefined();
      expect(await runtime.awaitEnd(fork.id)).toMatchObject({ output: 're: and one more' });
    });

    test('a run that makes one call of a tool has nobody to read it', async () => {
      const { runtime, slow } = await openRig(engine);
      const { id: runId } = await runtime.submit('/tool test.slow {}');
      await slow.begun;

      const steered = runtime.runs.steer({ runId, message: 'hello' });

      await expect(steered).rejects.toMatchObject({ code: 'conflict' });
      slow.finish();
      expect(await runtime.awaitEnd(runId)).toMatchObject({ status: 'completed' });
    });

    test('a call of a tool is no message for a run on its way', async () => {
      const { runtime, model } = await openRig(engine);
      const { id: runId } = await runtime.submit('wait');
      await model.held;

      const steered = runtime.runs.steer({ runId, message: '/tool test.slow {}' });

      await expect(steered).rejects.toMatchObject({ code: 'invalid_input' });
      model.release();
      await runtime.awaitEnd(runId);
    });

    test('one that is being cancelled refuses it', async () => {
      const { runtime, slow } = await openRig(engine);
      const { id: runId } = await runtime.submit('call test.slow {}');
      await slow.begun;
      await runtime.runs.cancel({ runId, reason: 'enough', actor: 'user' });

      const steered = runtime.runs.steer({ runId, message: 'hello' });

      await expect(steered).rejects.toMatchObject({ code: 'conflict' });
      slow.finish();
    });

    test('whoever takes the run over after a crash reads what it was told, once', async () => {
      const { runtime, model, slow } = await openRig(engine);
      const { id } = await runtime.submit('call test.slow {}');
      await slow.begun;
      await runtime.runs.steer({ runId: id, message: 'be brief' });

      await runtime.storage.runs.takeOver('server:');
      slow.finish();

      expect(await runtime.awaitEnd(id)).toMatchObject({ output: 're: be brief' });
      const last = model.requests.at(-1) ?? [];
      expect(last.filter(({ text }) => text === 'be brief')).toHaveLength(1);
      expect((await runtime.replays.replay(id)).divergence).toBeUndefined();
    });

    test('what an agent elsewhere was asked before a crash is asked again as it was', async () => {
      const model: TalkingModel = { ...talkingModel(), toolCalls: 'none' };
      const { runtime } = await openRig(engine, model);
      const { id } = await runtime.submit('wait');
      await model.held;
      await runtime.runs.steer({ runId: id, message: 'be brief' });

      await runtime.storage.runs.takeOver('server:');
      model.release();

      expect(await runtime.awaitEnd(id)).toMatchObject({ output: 're: be brief' });
      const asked = model.requests.map((messages) => said(messages)?.at(-1));
      expect(asked.at(-1)).toBe('user: be brief');
      expect(new Set(asked.slice(0, -1))).toEqual(new Set(['user: wait']));
      expect((await runtime.replays.replay(id)).divergence).toBeUndefined();
    });
  });
}

for (const engine of TEST_ENGINES.filter(({ name }) => name.startsWith('PostgreSQL'))) {
  test.skipIf(!engine.available)('what one node was told reaches a run on another', async () => {
    const env = await engine.openEnv();
    const model = talkingModel();
    const { tool, ...slow } = createSlowTool();
    const config = { tools: { granted: ['test.*'] }, policy: { mode: 'full' } };
    const working = await openTestRuntime(model, { env, config, tools: [tool] });
    const other = await openTestRuntime(model, { env, config, takesQueue: false });
    open.push(working, other);
    const looks = { count: 0 };
    const { id } = await working.submit('call test.slow {}');
    await slow.begun;
    const { listWrittenTo } = working.storage.runs;
    working.storage.runs.listWrittenTo = async (ids) => {
      const found = await listWrittenTo(ids);
      if (found.length > 0) looks.count += 1;
      return found;
    };

    await other.runs.steer({ runId: id, message: 'be brief' });
    await expect.poll(() => looks.count > 0).toBe(true);
    slow.finish();

    expect(await working.awaitEnd(id)).toMatchObject({ output: 're: be brief' });
    // By the turn that followed, and not by one of its own after an answer.
    expect(model.requests).toHaveLength(2);
  });
}
