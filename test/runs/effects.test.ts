import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import * as z from 'zod';
import type { RunId } from '../../src/core/ids.ts';
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

const granted = (...tools: string[]) => ({ granted: ['fs.*', ...tools] });
const effectsOf = async (runtime: TestRuntime, runId: RunId) =>
  (await runtime.effects.list({ runId, limit: 50 })).effects;

test('a write is in the ledger as confirmed or failed, a read is not in it', async () => {
  const model = createScriptedModel({
    steps: [
      {
        toolCalls: [
          { tool: 'fs.write', input: { path: 'a.txt', content: 'one' }, callId: 'w' },
          { tool: 'fs.read', input: { path: 'a.txt' }, callId: 'r' },
          { tool: 'fs.write', input: { path: '../b.txt', content: 'no' }, callId: 'x' },
        ],
      },
      { text: 'done' },
    ],
  });
  const runtime = await openTestRuntime(model);
  open.push(runtime);

  const run = await runtime.ask('go');

  expect(await effectsOf(runtime, run.id)).toMatchObject([
    { callId: 'x', tool: 'fs.write', status: 'failed', error: { code: 'policy.denied' } },
    { callId: 'w', tool: 'fs.write', status: 'confirmed', error: undefined },
  ]);
});

test('an interrupted write is unknown until a person settles it, once', async () => {
  const root = await openTempRoot();
  roots.push(root);
  let sent = 0;
  const begun = deferred();
  const mail = defineTool({
    name: 'mail.send',
    description: 'sends',
    effect: 'write',
    input: z.object({}),
    execute: async () => {
      sent += 1;
      begun.resolve();
      await new Promise(() => {});
      return {};
    },
  });
  const steps = [{ toolCalls: [{ tool: 'mail.send', callId: 'm' }] }, { text: 'told' }];
  const options = { root: root.path, tools: [mail], config: { tools: granted('mail.send') } };
  const first = await openTestRuntime(createScriptedModel({ steps }), options);
  const { id } = await first.submit('send');
  await begun.promise;
  await first.close({ graceMs: 0 });

  const second = await openTestRuntime(createScriptedModel({ steps }), {
    root: root.path,
    tools: [mail],
  });
  open.push(second);
  await second.awaitEnd(id);
  const [effect] = await effectsOf(second, id);

  expect(sent).toBe(1);
  expect(effect).toMatchObject({ tool: 'mail.send', status: 'unknown' });
  const resolution = { status: 'confirmed' as const, by: 'ana', note: 'it arrived' };
  const settled = await second.effects.resolve(effect?.id ?? ('' as never), resolution);
  expect(settled).toMatchObject({
    status: 'confirmed',
    resolution: { by: 'ana', note: 'it arrived' },
  });
  await expect(second.effects.resolve(settled.id, resolution)).rejects.toMatchObject({
    code: 'conflict',
  });
});

test('a rule that asks parks the run; approving makes exactly that call', async () => {
  const model = createScriptedModel({
    steps: [
      { toolCalls: [{ tool: 'fs.write', input: { path: 'a.txt', content: 'yes' }, callId: 'w' }] },
      { text: 'written' },
    ],
  });
  const config = { policy: { rules: [{ tool: 'fs.write', decision: 'ask' }] } };
  const runtime = await openTestRuntime(model, { config });
  open.push(runtime);
  const { id } = await runtime.submit('write it');
  const approval = await untilAsked(runtime, id);

  expect((await runtime.runs.get(id)).status).toBe('waiting');
  expect(approval).toMatchObject({ tool: 'fs.write', callId: 'w', status: 'pending' });
  expect(JSON.parse(approval.input)).toEqual({ path: 'a.txt', content: 'yes' });
  await runtime.approvals.decide(approval.id, { status: 'approved', by: 'ana', note: '' });
  const run = await runtime.awaitEnd(id);

  expect(run).toMatchObject({ status: 'completed', output: 'written', totals: { toolCalls: 1 } });
  const decisions = (await runtime.events(id)).filter((event) => event.type === 'policy.decision');
  expect(decisions.map((event) => event.payload['decision'])).toEqual(['ask', 'allow']);
  const again = runtime.approvals.decide(approval.id, { status: 'denied', by: 'bo', note: '' });
  await expect(again).rejects.toMatchObject({ code: 'conflict' });
});

test('denying lets the run go on with a refusal', async () => {
  const model = createScriptedModel({
    steps: [
      { toolCalls: [{ tool: 'fs.write', input: { path: 'a.txt', content: 'no' }, callId: 'w' }] },
      { text: 'not written' },
    ],
  });
  const config = { policy: { rules: [{ tool: 'fs.write', decision: 'ask' }] } };
  const runtime = await openTestRuntime(model, { config });
  open.push(runtime);
  const { id } = await runtime.submit('write it');
  const approval = await untilAsked(runtime, id);

  await runtime.approvals.decide(approval.id, { status: 'denied', by: 'ana', note: 'no' });
  const run = await runtime.awaitEnd(id);

  expect(run).toMatchObject({ status: 'completed', output: 'not written' });
  expect(await effectsOf(runtime, id)).toMatchObject([{ status: 'failed' }]);
  const result = (await runtime.events(id)).find((event) => event.type === 'tool.result');
  expect(result?.payload['error']).toMatchObject({ code: 'policy.denied' });
});

test('a waiting run can be cancelled, and its question with it', async () => {
  const model = createScriptedModel({
    steps: [{ toolCalls: [{ tool: 'fs.write', input: { path: 'a', content: '' } }] }],
  });
  const config = { policy: { rules: [{ tool: 'fs.write', decision: 'ask' }] } };
  const runtime = await openTestRuntime(model, { config });
  open.push(runtime);
  const { id } = await runtime.submit('write it');
  const approval = await untilAsked(runtime, id);

  await runtime.runs.cancel({ runId: id, reason: 'never mind', actor: 'user' });
  const run = await runtime.awaitEnd(id);

  expect(run.status).toBe('cancelled');
  expect((await runtime.approvals.get(approval.id)).status).not.toBe('pending');
});

test('a flaky service is retried with one key and the effect happens once', async () => {
  const keys: string[] = [];
  const applied = new Set<string>();
  const server = createServer((request, response) => {
    const key = String(request.headers['idempotency-key']);
    keys.push(key);
    applied.add(key);
    // The effect has happened; only the answer is lost.
    response.writeHead(keys.length < 3 ? 503 : 200, { 'retry-after': '0' }).end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/orders`;
  const model = createScriptedModel({
    steps: [
      { toolCalls: [{ tool: 'http.request', input: { url, method: 'POST', body: '{}' } }] },
      { text: 'ok' },
    ],
  });
  const config = {
    tool_reliability: { mode: 'all' },
    network: { enabled: true, allow_localhosts: true, idempotency_key_domains: ['127.0.0.1'] },
  };
  const runtime = await openTestRuntime(model, { config });
  open.push(runtime);

  const run = await runtime.ask('order');
  server.close();

  expect(run.status).toBe('completed');
  expect(new Set(keys).size).toBe(1);
  expect(applied.size).toBe(1);
  expect(keys).toHaveLength(3);
  expect(await effectsOf(runtime, run.id)).toMatchObject([{ status: 'confirmed' }]);
});

test('a call sent before a crash is unknown when the second try is refused', async () => {
  const root = await openTempRoot();
  roots.push(root);
  const begun = deferred();
  const define = (work: () => Promise<object>) =>
    defineTool({
      name: 'door.close',
      description: 'closes',
      effect: 'write',
      idempotent: true,
      input: z.object({}),
      execute: work,
    });
  const steps = [{ toolCalls: [{ tool: 'door.close' }] }, { text: 'told' }];
  const config = { tools: granted('door.close') };
  const first = await openTestRuntime(createScriptedModel({ steps }), {
    root: root.path,
    config,
    tools: [
      define(async () => {
        begun.resolve();
        return new Promise<never>(() => {});
      }),
    ],
  });
  const { id } = await first.submit('close it');
  await begun.promise;
  await first.close({ graceMs: 0 });

  const second = await openTestRuntime(createScriptedModel({ steps }), {
    root: root.path,
    config: { ...config, policy: { rules: [{ tool: 'door.close', decision: 'deny' }] } },
    tools: [define(async () => ({}))],
  });
  open.push(second);
  await second.awaitEnd(id);

  expect(await effectsOf(second, id)).toMatchObject([
    { status: 'unknown', error: { code: 'policy.denied' } },
  ]);
});

function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

async function untilAsked(runtime: TestRuntime, runId: RunId) {
  const deadline = Date.now() + 10_000;
  while (Date.now() < deadline) {
    const { approvals } = await runtime.approvals.list({ runId, limit: 1 });
    const [approval] = approvals;
    if (approval) return approval;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error('nobody asked');
}
