import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { RuntimeError } from '../../src/core/errors.ts';
import { DEFAULT_AGENT_ID } from '../../src/core/ids.ts';
import type { Model } from '../../src/core/loop/model.ts';
import { createGate } from '../../src/core/runs/gate.ts';
import { DEFAULT_TOOL_LIMITS, defineTool } from '../../src/core/tools/tool.ts';
import { createScriptedModel } from '../../src/providers/scripted/scripted-model.ts';
import { openTestRuntime, type TestRuntime } from '../support/open-test-runtime.ts';
import { openTempRoot } from '../support/temp-root.ts';
import { TEST_ENGINES } from '../support/test-engines.ts';

const SECOND_MS = 1_000;
const STOP = { isOn: true, reason: 'mail to everybody', actor: 'operator' };
const GO_ON = { isOn: false, reason: '', actor: 'operator' };
const STOPPED = {
  code: 'shutting_down',
  message: 'all work is stopped by operator: mail to everybody; claw resume-all lets it go on',
};

const open: TestRuntime[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((runtime) => runtime.dispose()));
});

async function openNode(...given: Parameters<typeof openTestRuntime>): Promise<TestRuntime> {
  const runtime = await openTestRuntime(...given);
  open.push(runtime);
  return runtime;
}

/** Calls a tool again and again, and tells when it was asked. */
function createBusyModel(): Model & { readonly askedAtMs: readonly number[] } {
  const askedAtMs: number[] = [];
  const busy = createScriptedModel({
    steps: Array.from({ length: 1_000 }, (_, index) => ({
      toolCalls: [{ tool: 'test.count', input: { index } }],
    })),
  });
  return {
    ...busy,
    askedAtMs,
    stream(request, signal) {
      askedAtMs.push(Date.now());
      return busy.stream(request, signal);
    },
  };
}

function createCounter() {
  const calledAtMs: number[] = [];
  const tool = defineTool({
    name: 'test.count',
    description: 'Counts.',
    input: z.object({ index: z.int() }),
    effect: 'write',
    idempotent: true,
    limits: DEFAULT_TOOL_LIMITS,
    execute: async () => {
      calledAtMs.push(Date.now());
      return {};
    },
  });
  return { tool, calledAtMs };
}

const config = {
  tools: { granted: ['test.*', 'fs.*', 'time.*'] },
  engine: { max_turns: 1_000, max_concurrent_runs: 8 },
};

for (const engine of TEST_ENGINES) {
  describe.skipIf(!engine.available)(`the kill switch on ${engine.name}`, () => {
    test('interrupts a model, keeps the run, and lets it go on where it was', async () => {
      const model = createScriptedModel({ steps: [{ text: 'half', hang: true }] });
      const finished = createScriptedModel({ steps: [{ text: 'whole' }] });
      let current: Model = model;
      const runtime = await openNode(
        { ...model, stream: (request, signal) => current.stream(request, signal) },
        { env: await engine.openEnv(), config },
      );
      const { id } = await runtime.submit('go');
      await expect.poll(() => model.requests.length).toBe(1);

      await runtime.killSwitch.turn(STOP);
      await expect.poll(() => runtime.runner.activeCount).toBe(0);
      const left = await runtime.runs.get(id);
      current = finished;
      await runtime.killSwitch.turn(GO_ON);

      expect(left.endedAtMs).toBeUndefined();
      expect(await runtime.awaitEnd(id)).toMatchObject({ status: 'completed', output: 'whole' });
      const events = await runtime.storage.events.read(id, { after: 0, limit: 100 });
      // It had begun to answer: that has cost something, and nobody knows how much.
      expect(events.find(({ type }) => type === 'model.failed')?.payload).toMatchObject({
        usage: { input_tokens: null, output_tokens: null },
      });
    });

    test('lets no call begin later than a second, on another node either', async () => {
      const env = await engine.openEnv();
      const root = (await openTempRoot()).path;
      const [model, counter] = [createBusyModel(), createCounter()];
      const options = { env, config, tools: [counter.tool] };
      const node = await openNode(model, { ...options, root });
      // SQLite: a command beside the server, on the same state root.
      const other =
        engine.name === 'SQLite'
          ? await openNode(model, { ...options, root, role: 'local' })
          : await openNode(model, options);
      const runs = await Promise.all([node.submit('a'), node.submit('b'), other.submit('c')]);
      await expect.poll(() => model.askedAtMs.length, { timeout: 10_000 }).toBeGreaterThan(6);

      const { atMs } = await other.killSwitch.turn(STOP);
      await expect
        .poll(() => node.runner.activeCount + other.runner.activeCount, { timeout: 5_000 })
        .toBe(0);

      const calls = [...model.askedAtMs, ...counter.calledAtMs];
      expect(Math.max(...calls) - atMs).toBeLessThan(SECOND_MS);
      const stopped = calls.length;
      for (const runtime of [node, other]) {
        await expect(runtime.submit('more')).rejects.toMatchObject(STOPPED);
      }
      expect(model.askedAtMs.length + counter.calledAtMs.length).toBe(stopped);
      for (const { id } of runs) {
        expect((await node.runs.get(id)).endedAtMs).toBeUndefined();
      }
    });

    test('holds after a restart, and what waited goes on when it is lifted', async () => {
      const env = await engine.openEnv();
      const root = await openTempRoot();
      const hanging = createScriptedModel({ steps: [{ hang: true }] });
      const first = await openTestRuntime(hanging, { env, config, root: root.path });
      const { id } = await first.submit('go');
      await expect.poll(() => hanging.requests.length).toBe(1);
      await first.killSwitch.turn(STOP);
      await first.close({ graceMs: 0 });
      const answering = createScriptedModel({ steps: [{ text: 'done' }] });

      const second = await openNode(answering, { env, config, root: root.path });
      await expect(second.submit('new')).rejects.toMatchObject(STOPPED);
      const asked = answering.requests.length;
      await second.killSwitch.turn(GO_ON);

      expect(asked).toBe(0);
      expect(await second.awaitEnd(id)).toMatchObject({ status: 'completed', output: 'done' });
      await root.remove();
    });

    test('lets a write that was sent come to its end and puts its result on record', async () => {
      const started = createGate();
      const release = createGate();
      const calls: number[] = [];
      const tool = defineTool({
        name: 'test.send',
        description: 'Sends.',
        input: z.object({}),
        effect: 'write',
        idempotent: false,
        limits: DEFAULT_TOOL_LIMITS,
        async execute() {
          calls.push(Date.now());
          started.open();
          await release.wait();
          return { sent: true };
        },
      });
      const model = createScriptedModel({
        steps: [{ toolCalls: [{ tool: 'test.send', input: {} }] }, { text: 'sent' }],
      });
      const runtime = await openNode(model, { env: await engine.openEnv(), config, tools: [tool] });
      const { id } = await runtime.submit('go');
      await started.wait();

      await runtime.killSwitch.turn(STOP);
      release.open();
      await expect.poll(() => runtime.runner.activeCount).toBe(0);
      const results = (await runtime.events(id)).filter(({ type }) => type === 'tool.result');
      await runtime.killSwitch.turn(GO_ON);

      expect(results).toMatchObject([{ payload: { output: { sent: true } } }]);
      expect(await runtime.awaitEnd(id)).toMatchObject({ status: 'completed', output: 'sent' });
      expect([calls.length, model.requests.length]).toEqual([1, 2]);
    });
  });
}

test('refuses a direct call of a tool, and a run of a thread', async () => {
  const runtime = await openNode(createScriptedModel({ steps: [] }), { config });
  await runtime.killSwitch.turn({ ...STOP, reason: '' });

  const refused = {
    code: 'shutting_down',
    message: 'all work is stopped by operator; claw resume-all lets it go on',
  };
  await expect(runtime.submit('/tool time.now {}')).rejects.toMatchObject(refused);
  const principal = { kind: 'user', id: 1 } as const;
  const thread = { threadId: 't', principal, autoFinish: false, clientTools: [] };
  await expect(runtime.threads.create(thread)).rejects.toMatchObject(refused);
  await expect(
    runtime.runs.submit({ agentId: DEFAULT_AGENT_ID, message: 'x', source: 'test' }),
  ).rejects.toBeInstanceOf(RuntimeError);
});

test('lets no worker be started or asked, and tells what one answered before', async () => {
  const runtime = await openNode(createScriptedModel({ steps: [] }), { config });
  const { workers, killSwitch } = runtime;
  const principal = { kind: 'user', id: 1 } as const;
  const attach = () =>
    workers.attach({
      ...{ principal, id: undefined, adapter: 'in_memory', command: undefined },
      ...{ workspaceRef: undefined, codexHomeRef: undefined, metadata: undefined },
    });
  const { worker } = await attach();
  const ask = (requestId: string) =>
    workers.ask({ id: worker.id, principal }, { requestId, method: 'ping', params: undefined });
  const answered = await ask('before');
  await killSwitch.turn(STOP);

  await expect(ask('after')).rejects.toMatchObject(STOPPED);
  await expect(attach()).rejects.toMatchObject(STOPPED);
  expect(await ask('before')).toEqual(answered);
  const log = await runtime.storage.workers.readEvents(worker.id, { after: 0, limit: 100 });
  expect(JSON.stringify(log)).not.toContain('after');

  await killSwitch.turn(GO_ON);
  expect(await ask('after')).toMatchObject({ isOk: true });
});
