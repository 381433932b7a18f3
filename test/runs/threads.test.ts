import { afterEach, describe, expect, test } from 'vitest';
import type { RunId } from '../../src/core/ids.ts';
import type { Model } from '../../src/core/loop/model.ts';
import { openTestRuntime, type TestRuntime } from '../support/open-test-runtime.ts';
import { TEST_ENGINES, type TestEngine } from '../support/test-engines.ts';
import { ADA, driveThread, GRACE, THREAD, talkingModel } from './thread-rig.ts';

const open: TestRuntime[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((runtime) => runtime.dispose()));
});

for (const engine of TEST_ENGINES) {
  describe.skipIf(!engine.available)(`Threads on ${engine.name}`, () => describeThreads(engine));
}

function describeThreads(engine: TestEngine): void {
  async function setUp(model: Model) {
    const runtime = await openTestRuntime(model, { env: await engine.openEnv() });
    open.push(runtime);
    return { runtime, thread: driveThread(runtime) };
  }

  test('a run waits for its first message, answers each one, and rests in between', async () => {
    const model = talkingModel();
    const { runtime, thread } = await setUp(model);
    const { id, status } = await thread.create();

    await thread.say(id, 'one');
    await thread.awaitStatus(id, 'waiting');
    await thread.say(id, 'two');
    await thread.awaitStatus(id, 'waiting');

    expect(status).toBe('waiting');
    expect(model.requests.at(-1)).toEqual([
      { role: 'user', text: 'one' },
      { role: 'assistant', text: 're: one', toolCalls: [] },
      { role: 'user', text: 'two' },
    ]);
    expect(await thread.types(id)).toEqual([
      'run.created',
      'frame.accepted',
      'run.started',
      'model.requested',
      'model.completed',
      'frame.accepted',
      'model.requested',
      'model.completed',
    ]);
    expect((await runtime.runs.get(id)).endedAtMs).toBeUndefined();
  });

  test('ends with a finish frame, after the messages before it were answered', async () => {
    const model = talkingModel();
    const { runtime, thread } = await setUp(model);
    const { id } = await thread.create();
    for (let no = 1; no <= 30; no += 1) await thread.say(id, `message ${no}`);
    await thread.send(id, 'complete');

    const run = await runtime.awaitEnd(id);

    expect(run).toMatchObject({ status: 'completed', output: 're: message 30' });
    const asked = model.requests.at(-1)?.filter(({ role }) => role === 'user');
    expect(asked).toHaveLength(30);
    expect((await thread.types(id)).filter((type) => type === 'frame.accepted')).toHaveLength(31);
  });

  test('takes a message that comes in the middle of a turn into the next one', async () => {
    const model = talkingModel();
    const { thread } = await setUp(model);
    const { id } = await thread.create();
    await thread.say(id, 'wait for it');
    await model.held;

    await thread.say(id, 'two');
    model.release();
    await thread.awaitStatus(id, 'waiting');

    expect(model.requests.at(-1)).toEqual([
      { role: 'user', text: 'wait for it' },
      { role: 'assistant', text: 're: wait for it', toolCalls: [] },
      { role: 'user', text: 'two' },
    ]);
  });

  test('an answer ends a run that was made to finish by itself', async () => {
    const { runtime, thread } = await setUp(talkingModel());
    const { id } = await thread.create({ autoFinish: true });

    await thread.say(id, 'one');

    expect(await runtime.awaitEnd(id)).toMatchObject({ status: 'completed', output: 're: one' });
  });

  test('a fail frame fails the run in the words of the client', async () => {
    const { runtime, thread } = await setUp(talkingModel());
    const { id } = await thread.create();
    await thread.send(id, 'error', { reason_class: 'client_gone', reason: 'the tab was closed' });

    expect(await runtime.awaitEnd(id)).toMatchObject({
      status: 'failed',
      error: { code: 'client_gone', message: 'the tab was closed' },
    });
  });

  test('a cancel frame stops the turn under way', async () => {
    const model = talkingModel();
    const { runtime, thread } = await setUp(model);
    const { id } = await thread.create();
    await thread.say(id, 'wait');
    await model.held;

    await thread.send(id, 'cancel', { reason: 'enough' });

    expect(await runtime.awaitEnd(id)).toMatchObject({ status: 'cancelled' });
    expect((await thread.types(id)).slice(-3)).toEqual([
      'run.cancel_requested',
      'model.failed',
      'run.cancelled',
    ]);
  });

  test('a frame after the end is kept and nothing comes of it', async () => {
    const { runtime, thread } = await setUp(talkingModel());
    const { id } = await thread.create();
    await thread.send(id, 'finish', { reason: 'done' });
    const { lastSeq } = await runtime.awaitEnd(id);

    const frame = {
      ...{ runId: id, threadId: THREAD, principal: ADA, frameId: 'frm_late' },
      ...{ type: 'user_message', payload: { text: 'late' } },
    };
    const late = await runtime.threads.accept(frame);
    const again = await runtime.threads.accept(frame);

    expect([late.replayed, again.replayed]).toEqual([false, true]);
    expect((await runtime.runs.get(id)).lastSeq).toBe(lastSeq);
  });

  test('a tool of the client is announced, and its result comes with a frame', async () => {
    const model = talkingModel();
    const { runtime, thread } = await setUp(model);
    const clientTools = [{ name: 'map.show', description: 'shows a place', inputSchema: {} }];
    const { id } = await thread.create({ clientTools });
    await thread.say(id, 'call map.show {"at":"Rome"}');
    await thread.awaitStatus(id, 'waiting');
    const call = (await runtime.events(id)).find(({ type }) => type === 'tool.call');

    await thread.send(id, 'tool_result', { tool_call_id: 'nobody', output: {} });
    await thread.send(id, 'tool_result', { tool_call_id: 'call_1', output: { shown: true } });
    await thread.say(id, 'thanks');
    await thread.send(id, 'finish');
    await runtime.awaitEnd(id);

    expect(call?.payload).toMatchObject({ tool: 'map.show', executed_by: 'client' });
    expect(model.offered[0]?.map(({ name }) => name)).toContain('map.show');
    expect(model.requests.at(-1)?.slice(0, 3)).toEqual([
      { role: 'user', text: 'call map.show {"at":"Rome"}' },
      {
        role: 'assistant',
        text: '',
        toolCalls: [{ callId: 'call_1', tool: 'map.show', input: { at: 'Rome' } }],
      },
      { role: 'tool', callId: 'call_1', tool: 'map.show', ok: true, text: '{"shown":true}' },
    ]);
    const ignored = (await runtime.events(id)).find(({ type }) => type === 'frame.ignored');
    expect(ignored?.payload['reason']).toContain('nobody');
  });

  test('the next run of a thread knows what was said, also while the one before is open', async () => {
    const model = talkingModel();
    const { runtime, thread } = await setUp(model);
    const first = await thread.create();
    await thread.say(first.id, 'one');
    await thread.awaitStatus(first.id, 'waiting');

    const second = await thread.create({ autoFinish: true });
    await thread.say(second.id, 'two');
    await runtime.awaitEnd(second.id);

    expect(model.requests.at(-1)).toEqual([
      { role: 'user', text: 'one' },
      { role: 'assistant', text: 're: one', toolCalls: [] },
      { role: 'user', text: 'two' },
    ]);
  });

  test('cancelling a run at rest ends it at once, and again changes nothing', async () => {
    const { runtime, thread } = await setUp(talkingModel());
    const { id } = await thread.create();
    const ref = { runId: id, threadId: THREAD, principal: ADA, reason: 'enough' };

    const first = await runtime.threads.cancel(ref);
    const again = await runtime.threads.cancel(ref);

    expect([first.recorded, again.recorded]).toEqual([true, false]);
    expect(first.run.status).toBe('cancelled');
  });

  test('is only for its owner, and only under its own thread', async () => {
    const { runtime, thread } = await setUp(talkingModel());
    const { id } = await thread.create();
    const get = (changes: object) =>
      runtime.threads.get({ runId: id, threadId: THREAD, principal: ADA, ...changes });

    await expect(get({ principal: GRACE })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(get({ threadId: 'other' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(get({ runId: 'run_x' })).rejects.toMatchObject({ code: 'not_found' });
    expect((await get({})).id).toBe(id);
  });

  test('made twice under one id it is one run, and with other fields a conflict', async () => {
    const { runtime } = await setUp(talkingModel());
    const request = {
      runId: 'run_mine' as RunId,
      threadId: THREAD,
      principal: ADA,
      autoFinish: false,
      clientTools: [],
    };

    const first = await runtime.threads.create(request);
    const again = await runtime.threads.create(request);

    expect([first.replayed, again.replayed]).toEqual([false, true]);
    expect(again.run.id).toBe(first.run.id);
    await expect(runtime.threads.create({ ...request, principal: GRACE })).rejects.toMatchObject({
      code: 'conflict',
    });
  });
}
