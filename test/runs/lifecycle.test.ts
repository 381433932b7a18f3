import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import { verifyChain } from '../../src/core/events/hash-chain.ts';
import { DEFAULT_AGENT_ID } from '../../src/core/ids.ts';
import type { Model } from '../../src/core/loop/model.ts';
import { defineTool } from '../../src/core/tools/tool.ts';
import { createScriptedModel } from '../../src/providers/scripted/scripted-model.ts';
import { openTestRuntime, type TestRuntime } from '../support/open-test-runtime.ts';
import { openTempRoot, type TempRoot } from '../support/temp-root.ts';

const open: TestRuntime[] = [];
const roots: TempRoot[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((runtime) => runtime.dispose()));
  await Promise.all(roots.splice(0).map((root) => root.remove()));
});

async function openRoot(): Promise<string> {
  const root = await openTempRoot();
  roots.push(root);
  return root.path;
}

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** A tool that reports when it starts and waits for its gate, whatever its signal says. */
function gatedTool(
  name: string,
  effect: 'read' | 'write',
  gate: Promise<void>,
  onStart: () => void,
) {
  return defineTool({
    name,
    description: 'waits',
    effect,
    input: z.object({}),
    async execute() {
      onStart();
      await gate;
      return { done: true };
    },
  });
}

const granted = (...tools: string[]) => ({ tools: { granted: ['fs.read', 'fs.write', ...tools] } });

test('cancelling a run in the middle of a tool call ends it as cancelled, once', async () => {
  const started = deferred();
  const never = new Promise<void>(() => {});
  const tool = gatedTool('wait.read', 'read', never, started.resolve);
  const model = createScriptedModel({
    steps: [{ toolCalls: [{ tool: 'wait.read' }] }, { text: 'late' }],
  });
  const runtime = await openTestRuntime(model, { tools: [tool], config: granted('wait.read') });
  open.push(runtime);
  const { id } = await runtime.submit('go');
  await started.promise;

  const first = await runtime.runs.cancel({ runId: id, reason: 'enough', actor: 'user' });
  const second = await runtime.runs.cancel({ runId: id, reason: 'again', actor: 'user' });
  const run = await runtime.awaitEnd(id);

  expect([first.recorded, second.recorded]).toEqual([true, false]);
  expect(run).toMatchObject({ status: 'cancelled', stopReason: 'cancelled' });
  const types = (await runtime.events(id)).map((event) => event.type);
  expect(types.filter((type) => type === 'run.cancel_requested')).toHaveLength(1);
  expect(types.slice(-2)).toEqual(['tool.result', 'run.cancelled']);
  const afterEnd = await runtime.runs.cancel({ runId: id, reason: 'too late', actor: 'user' });
  expect(afterEnd).toMatchObject({ recorded: false, run: { status: 'cancelled' } });
});

test('cancelling a run that waits for a place ends it at once', async () => {
  const started = deferred();
  const tool = gatedTool('wait.read', 'read', new Promise(() => {}), started.resolve);
  const model = createScriptedModel({ steps: [{ toolCalls: [{ tool: 'wait.read' }] }] });
  const config = { ...granted('wait.read'), engine: { max_concurrent_runs: 1 } };
  const runtime = await openTestRuntime(model, { tools: [tool], config });
  open.push(runtime);
  await runtime.submit('holds the only place');
  await started.promise;
  const queued = await runtime.submit('waits');

  const { run } = await runtime.runs.cancel({ runId: queued.id, reason: 'no', actor: 'user' });

  expect(run.status).toBe('cancelled');
  expect((await runtime.events(queued.id)).map((event) => event.type)).toEqual([
    'run.created',
    'run.cancel_requested',
    'run.cancelled',
  ]);
});

test('a full queue refuses the next run and says when to come back', async () => {
  const tool = gatedTool('wait.read', 'read', new Promise(() => {}), () => {});
  const model = createScriptedModel({ steps: [{ toolCalls: [{ tool: 'wait.read' }] }] });
  const config = {
    ...granted('wait.read'),
    engine: { max_concurrent_runs: 1, max_queued_runs: 2 },
  };
  const runtime = await openTestRuntime(model, { tools: [tool], config });
  open.push(runtime);
  for (let index = 0; index < 3; index += 1) await runtime.submit(`run ${index}`);

  const refused = runtime.submit('one too many');

  await expect(refused).rejects.toMatchObject({
    code: 'queue_full',
    retryable: true,
    details: { retry_after_seconds: 2 },
  });
  expect((await runtime.runs.list({ limit: 10 })).runs).toHaveLength(3);
});

test('more runs than places all end, oldest first', async () => {
  const model = createScriptedModel({ steps: [{ text: 'ok' }] });
  const runtime = await openTestRuntime(model, { config: { engine: { max_concurrent_runs: 4 } } });
  open.push(runtime);

  const submitted = await Promise.all(
    Array.from({ length: 40 }, (_, i) => runtime.submit(`n ${i}`)),
  );
  const ended = await Promise.all(submitted.map((run) => runtime.awaitEnd(run.id)));

  expect(new Set(ended.map((run) => run.status))).toEqual(new Set(['completed']));
});

test('a shutdown does not wait for a model that ignores that it has to stop', async () => {
  const started = deferred();
  const deaf: Model = {
    ...createScriptedModel({ steps: [] }),
    async *stream() {
      started.resolve();
      await new Promise(() => {});
      yield { type: 'text', delta: 'never' };
    },
  };
  const runtime = await openTestRuntime(deaf, { root: await openRoot() });
  await runtime.submit('go');
  await started.promise;

  await expect(runtime.close({ graceMs: 0 })).resolves.toBeUndefined();
});

test('a shutdown leaves an unfinished run resumable, and the next runtime finishes it', async () => {
  const root = await openRoot();
  const started = deferred();
  const tool = gatedTool('wait.read', 'read', new Promise(() => {}), started.resolve);
  const steps = [{ toolCalls: [{ tool: 'wait.read', callId: 'w' }] }, { text: 'finished' }];
  const config = granted('wait.read');
  const first = await openTestRuntime(createScriptedModel({ steps }), {
    root,
    tools: [tool],
    config,
  });
  const { id } = await first.submit('go');
  await started.promise;
  await first.close({ graceMs: 0 });
  const gateless = gatedTool('wait.read', 'read', Promise.resolve(), () => {});

  const second = await openTestRuntime(createScriptedModel({ steps }), { root, tools: [gateless] });
  open.push(second);
  const run = await second.awaitEnd(id);

  expect(run).toMatchObject({
    status: 'completed',
    output: 'finished',
    totals: { turns: 2, toolCalls: 1 },
  });
  const events = await second.events(id);
  expect(events.map((event) => event.type).filter((type) => type !== 'model.delta')).toEqual([
    'run.created',
    'run.started',
    'model.requested',
    'model.completed',
    'tool.call',
    'run.recovered',
    'tool.result',
    'model.requested',
    'model.completed',
    'run.completed',
  ]);
  expect(verifyChain(events)).toMatchObject({ ok: true });
});

test('an interrupted write that may not be repeated is reported as unknown, not run again', async () => {
  const root = await openRoot();
  const started = deferred();
  let made = 0;
  const tool = gatedTool('send.mail', 'write', new Promise(() => {}), () => {
    made += 1;
    started.resolve();
  });
  const steps = [{ toolCalls: [{ tool: 'send.mail', callId: 'm' }] }, { text: 'told the user' }];
  const options = { root, tools: [tool], config: granted('send.mail') };
  const first = await openTestRuntime(createScriptedModel({ steps }), options);
  const { id } = await first.submit('send it');
  await started.promise;
  await first.close({ graceMs: 0 });

  const second = await openTestRuntime(createScriptedModel({ steps }), { root, tools: [tool] });
  open.push(second);
  const run = await second.awaitEnd(id);

  expect(made).toBe(1);
  expect(run.status).toBe('completed');
  const result = (await second.events(id)).find((event) => event.type === 'tool.result');
  expect(result?.payload).toMatchObject({
    ok: false,
    error: { code: 'outcome_unknown', retryable: false },
  });
});

test('a run that another runner took over is refused, and the loser leaves it alone', async () => {
  const gate = deferred();
  const started = deferred();
  const tool = gatedTool('wait.write', 'write', gate.promise, started.resolve);
  const steps = [{ toolCalls: [{ tool: 'wait.write' }] }, { text: 'mine' }];
  const runtime = await openTestRuntime(createScriptedModel({ steps }), {
    tools: [tool],
    config: granted('wait.write'),
  });
  open.push(runtime);
  const { id } = await runtime.submit('go');
  await started.promise;
  const before = await runtime.events(id);

  await runtime.storage.runs.takeOver('server:');
  gate.resolve();
  const run = await runtime.awaitEnd(id);

  // The same process claims it again: the tool's effect is unknown to the second owner.
  expect(run.status).toBe('completed');
  const after = (await runtime.events(id)).slice(before.length).map((event) => event.type);
  expect(after[0]).toBe('run.recovered');
  expect(after.filter((type) => type === 'tool.result')).toHaveLength(1);
});

test('the same idempotency key gives the same run, another message a conflict', async () => {
  const runtime = await openTestRuntime(createScriptedModel({ steps: [{ text: 'ok' }] }));
  open.push(runtime);
  const request = {
    agentId: DEFAULT_AGENT_ID,
    message: 'once',
    source: 'test',
    idempotencyKey: 'k1',
  };

  const receipts = await Promise.all(
    Array.from({ length: 16 }, () => runtime.runs.submit(request)),
  );

  expect(new Set(receipts.map((receipt) => receipt.run.id)).size).toBe(1);
  expect(receipts.filter((receipt) => !receipt.replayed)).toHaveLength(1);
  await expect(runtime.runs.submit({ ...request, message: 'other' })).rejects.toMatchObject({
    code: 'conflict',
  });
});

test('a second server on one state root is refused, and works once the first is gone', async () => {
  const root = await openRoot();
  const model = createScriptedModel({ steps: [{ text: 'ok' }] });
  const first = await openTestRuntime(model, { root });

  await expect(openTestRuntime(model, { root })).rejects.toMatchObject({ code: 'conflict' });
  await first.close();
  const second = await openTestRuntime(model, { root });
  open.push(second);

  expect(await second.ask('hi')).toMatchObject({ status: 'completed' });
});

test('a local runtime beside a server executes its own run and leaves the others alone', async () => {
  const root = await openRoot();
  const server = await openTestRuntime(createScriptedModel({ steps: [{ text: 'from server' }] }), {
    root,
  });
  const local = await openTestRuntime(createScriptedModel({ steps: [{ text: 'from local' }] }), {
    root,
    role: 'local',
  });
  open.push(local, server);

  const [mine, theirs] = await Promise.all([local.ask('a'), server.ask('b')]);

  expect([mine.output, theirs.output]).toEqual(['from local', 'from server']);
});

test('the records of a run are on disk once the runtime is closed', async () => {
  const root = await openRoot();
  const runtime = await openTestRuntime(createScriptedModel({ steps: [{ text: 'noted' }] }), {
    root,
  });
  const run = await runtime.ask('hi');
  const events = await runtime.events(run.id);

  await runtime.close();

  const agent = join(root, '.openclawssy/agents/agent_default');
  expect(await readFile(join(agent, 'runs', run.id, 'output.md'), 'utf8')).toBe('noted\n');
  const day = new Date(events[0]?.atMs ?? 0).toISOString().slice(0, 10);
  const lines = (await readFile(join(agent, 'audit', `${day}.jsonl`), 'utf8'))
    .trimEnd()
    .split('\n');
  // And the head that signs them.
  expect(lines.map((line) => (JSON.parse(line) as { seq?: number }).seq)).toEqual([
    ...events.map((event) => event.seq),
    undefined,
  ]);
});

test('a run that meets a defect of the runtime fails instead of going round', async () => {
  const root = await openRoot();
  const started = deferred();
  const config = granted('wait.read');
  const steps = [{ toolCalls: [{ tool: 'wait.read' }] }, { text: 'never' }];
  const waiting = gatedTool('wait.read', 'read', new Promise(() => {}), started.resolve);
  const first = await openTestRuntime(createScriptedModel({ steps }), {
    root,
    tools: [waiting],
    config,
  });
  const { id } = await first.submit('go');
  await started.promise;
  await first.close({ graceMs: 0 });
  const broken = {
    ...waiting,
    natureOf: (): never => {
      throw new TypeError('not a nature');
    },
  };

  const second = await openTestRuntime(createScriptedModel({ steps }), { root, tools: [broken] });
  open.push(second);
  const run = await second.awaitEnd(id);

  expect(run).toMatchObject({ status: 'failed', error: { code: 'internal' } });
  expect((await second.events(id)).filter(({ type }) => type === 'run.recovered')).toHaveLength(1);
});

test('a run that breaks whoever takes it is given up after its recoveries', async () => {
  const root = await openRoot();
  const config = { ...granted('wait.read'), engine: { max_recoveries: 2 } };
  const steps = [{ toolCalls: [{ tool: 'wait.read' }] }, { text: 'never' }];
  let id: Awaited<ReturnType<TestRuntime['submit']>>['id'] | undefined;
  for (let life = 0; life < 2; life += 1) {
    const started = deferred();
    const tool = gatedTool('wait.read', 'read', new Promise(() => {}), started.resolve);
    const runtime = await openTestRuntime(createScriptedModel({ steps }), {
      root,
      tools: [tool],
      config,
    });
    id ??= (await runtime.submit('go')).id;
    await started.promise;
    await runtime.close({ graceMs: 0 });
  }

  const last = await openTestRuntime(createScriptedModel({ steps }), { root });
  open.push(last);
  const run = await last.awaitEnd(id ?? ('' as never));

  expect(run).toMatchObject({
    status: 'failed',
    error: { code: 'internal', message: 'given up after 2 recoveries without progress' },
  });
});
