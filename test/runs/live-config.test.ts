import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { createRuntime } from '../../src/app.ts';
import { toRuntimeError } from '../../src/core/errors.ts';
import { DEFAULT_AGENT_ID } from '../../src/core/ids.ts';
import { silentLogger } from '../../src/core/log.ts';
import { awaitRun } from '../../src/core/runs/await-run.ts';
import { createScriptedModel } from '../../src/providers/scripted/scripted-model.ts';
import { openServer } from '../../src/server.ts';
import { openTestRuntime, type TestRuntime } from '../support/open-test-runtime.ts';
import { openTempRoot } from '../support/temp-root.ts';

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function openRuntime(
  tool: string,
  input: Record<string, string>,
  config = {},
): Promise<TestRuntime> {
  const steps = [{ toolCalls: [{ tool, input }] }, { text: 'done' }];
  const runtime = await openTestRuntime(createScriptedModel({ steps }), { config });
  closing.push(() => runtime.dispose());
  return runtime;
}

/** Whether the one tool call of a new run succeeded, and why not. */
async function callOnce(runtime: TestRuntime): Promise<unknown> {
  const run = await runtime.ask('go');
  const events = await runtime.events(run.id);
  const result = events.find(({ type }) => type === 'tool.result')?.payload;
  const error = result?.['error'] as { details?: { reason?: string } } | null | undefined;
  return result?.['ok'] === true || error?.details?.reason;
}

function codeOf(thrown: unknown): string {
  return toRuntimeError(thrown).code;
}

async function serveHello(): Promise<string> {
  const server = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => server.close());
  const address = server.address();
  return `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

test('the network is opened and closed for the next call', async () => {
  const host = await serveHello();
  const runtime = await openRuntime('http.request', { url: `http://${host}/` });
  const tool = runtime.registry.find('http.request');
  const isOffered = () => tool !== undefined && runtime.isGranted(DEFAULT_AGENT_ID, tool);
  const open = { enabled: true, allowed_domains: [host], allow_localhosts: true };

  const seen = [[isOffered(), await callOnce(runtime)]];
  const saved = await runtime.configEditor.patch({ network: open });
  seen.push([isOffered(), await callOnce(runtime)]);
  await runtime.configEditor.patch({ network: { allow_localhosts: false } });
  seen.push([isOffered(), await callOnce(runtime)]);
  await runtime.configEditor.patch({ network: null });
  seen.push([isOffered(), await callOnce(runtime)]);

  expect(saved).toEqual({
    applied: ['network.allow_localhosts', 'network.allowed_domains', 'network.enabled'],
    restartRequired: [],
    overridden: [],
  });
  expect(seen).toEqual([
    [false, 'network_disabled'],
    [true, true],
    [true, 'ssrf_block.private_address'],
    [false, 'network_disabled'],
  ]);
});

test('a sandbox that was switched on beside the server is said to wait for its restart', async () => {
  const runtime = await openRuntime('shell.exec', { command: 'ls' });
  const offOf = async () => (await runtime.toolAdmin.get('shell.exec')).off;
  const failure = async () => {
    const events = await runtime.events((await runtime.ask('go')).id);
    const { error } = events.find(({ type }) => type === 'tool.result')?.payload ?? {};
    return (error as { message?: string } | null | undefined)?.message;
  };

  const seen = [await offOf(), await failure()];
  const shell = { enable_exec: true, allowed_commands: ['ls'] };
  await runtime.configEditor.patch({ shell, sandbox: { active: true, provider: 'bwrap' } });
  seen.push(await offOf(), await failure());
  await runtime.configEditor.patch({ shell: null, sandbox: null });
  seen.push(await offOf());

  expect(seen).toEqual([
    { reason: 'shell.enable_exec is false', fix: 'claw enable shell' },
    expect.stringContaining('claw enable shell switches it on'),
    { reason: 'the server was started without a sandbox', fix: 'a restart of the server' },
    expect.stringContaining('restart the server'),
    { reason: 'shell.enable_exec is false', fix: 'claw enable shell' },
  ]);
});

test('a tool is granted and taken away for the next call', async () => {
  const runtime = await openRuntime('time.now', {}, { tools: { granted: [] } });

  const seen = [await callOnce(runtime)];
  await runtime.configEditor.patch({ tools: { granted: ['time.*'] } });
  seen.push(await callOnce(runtime));
  await runtime.configEditor.patch({
    policy: { rules: [{ tool: 'time.now', decision: 'deny' }] },
  });
  seen.push(await callOnce(runtime));

  expect(seen).toEqual(['capability_missing', true, 'rule_deny']);
});

test('limits of runs hold for the next run', async () => {
  const runtime = await openRuntime('time.now', {});

  const before = await runtime.ask('go');
  await runtime.configEditor.patch({ engine: { max_turns: 1 } });
  const after = await runtime.ask('go');

  expect([before.output, after.stopReason]).toEqual(['done', 'max_turns_reached']);
});

test('more places are taken by runs that wait, and more runs may wait', async () => {
  const config = { engine: { max_concurrent_runs: 1, max_queued_runs: 1 } };
  const model = createScriptedModel({ steps: [{ text: 'so', hang: true }] });
  const runtime = await openTestRuntime(model, { config });
  closing.push(() => runtime.dispose());
  const submit = () => runtime.submit('go').then(() => 'taken', codeOf);
  const untilActive = (count: number) =>
    vi.waitFor(() => expect(runtime.runner.activeCount).toBe(count), { timeout: 10_000 });

  const seen = [await submit()];
  await untilActive(1);
  seen.push(await submit(), await submit());
  await runtime.configEditor.patch({ engine: { max_concurrent_runs: 2 } });
  await untilActive(2);
  await runtime.configEditor.patch({ engine: { max_queued_runs: 2 } });
  seen.push(await submit(), await submit(), await submit());

  expect(seen).toEqual(['taken', 'taken', 'queue_full', 'taken', 'taken', 'queue_full']);
});

test('more messages may wait in a session', async () => {
  const config = { sessions: { max_waiting_messages: 1 } };
  const model = createScriptedModel({ steps: [{ text: 'so', hang: true }] });
  const runtime = await openTestRuntime(model, { config });
  closing.push(() => runtime.dispose());
  const { runs, storage, ids } = runtime;
  const place = { agentId: DEFAULT_AGENT_ID, channel: 'http', userId: 'ana', roomId: '' };
  const { id: sessionId } = await storage.sessions.create(place, ids.session());
  const request = { agentId: DEFAULT_AGENT_ID, message: 'go', source: 'test', sessionId };
  const submit = () => runs.submit(request).then(() => 'taken', codeOf);

  const seen = [await submit()];
  await vi.waitFor(() => expect(runtime.runner.activeCount).toBe(1), { timeout: 10_000 });
  seen.push(await submit(), await submit());
  await runtime.configEditor.patch({ sessions: { max_waiting_messages: 2 } });
  seen.push(await submit(), await submit());

  expect(seen).toEqual(['taken', 'taken', 'queue_full', 'taken', 'queue_full']);
});

test('another default model answers the next run', async () => {
  const temp = await openTempRoot();
  closing.push(temp.remove);
  for (const name of ['first', 'second']) {
    const script = JSON.stringify({ steps: [{ text: `I am the ${name}` }] });
    await writeFile(join(temp.path, `${name}.json`), script);
  }
  const runtime = await createRuntime({
    root: temp.path,
    env: { CLAW_ALLOW_SCRIPTED_MODEL: '1' },
    logger: silentLogger,
    role: 'server',
  });
  closing.push(() => runtime.close({ graceMs: 0 }));
  const ask = async () => {
    const request = { agentId: DEFAULT_AGENT_ID, message: 'who?', source: 'test' };
    const { run } = await runtime.runs.submit(request);
    return (await awaitRun(runtime.runs, run.id, AbortSignal.timeout(15_000))).output;
  };

  await runtime.configEditor.patch({ model: { default: 'scripted/first.json' } });
  const first = await ask();
  await runtime.configEditor.patch({ model: { default: 'scripted/second.json' } });
  const second = await ask();

  expect([first, second]).toEqual(['I am the first', 'I am the second']);
});

test('limits and allow-lists of chat hold for the next message', async () => {
  const runtime = await openRuntime('time.now', {}, { chat: { rate_limit_per_min: 1 } });
  const place = { channel: 'http', userId: 'ann', roomId: 'r' };
  const send = () =>
    runtime.chat.send({ place, message: '/help' }).then(({ kind }): string => kind, codeOf);

  const seen = [await send(), await send()];
  await runtime.configEditor.patch({ chat: { rate_limit_per_min: 2 } });
  seen.push(await send());
  await runtime.configEditor.patch({ chat: { allow_users: ['bob'] } });
  seen.push(await send());
  await runtime.configEditor.patch({ chat: { enabled: false } });
  seen.push(await send());

  expect(seen).toEqual(['answered', 'rate_limited', 'answered', 'policy_denied', 'not_found']);
});

test('over HTTP: a new limit of requests counts for the next one, and what was opened waits', async () => {
  const temp = await openTempRoot();
  closing.push(temp.remove);
  const env = { API_BEARER_TOKEN: 'test-token', CLAW_PORT: '0', CLAW_MODEL: 'offline/rules' };
  const server = await openServer({ root: temp.path, env, logger: silentLogger });
  closing.push(() => server.close());
  const send = async (method: string, body?: unknown) => {
    const response = await fetch(`${server.url}/api/admin/config`, {
      method,
      headers: { authorization: 'Bearer test-token', 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };

  const before = await send('GET');
  const kept = await send('POST', before.body);
  const changed = await send('PATCH', {
    api: { rate_limit_max: 3 },
    server: { max_streams: 7, port: 4000 },
  });
  const refused = await send('GET');

  expect(kept).toEqual({
    status: 200,
    body: { ok: true, applied: [], restart_required: [], overridden: [] },
  });
  expect(changed).toEqual({
    status: 200,
    body: {
      ok: true,
      applied: ['api.rate_limit_max'],
      restart_required: ['server.max_streams'],
      overridden: ['server.port'],
    },
  });
  expect(refused.status).toBe(429);
});

test('a scheduler that is switched on fires the next slot, and not only after its next look', async () => {
  const temp = await openTempRoot();
  closing.push(temp.remove);
  const env = { API_BEARER_TOKEN: 'test-token', CLAW_PORT: '0', CLAW_MODEL: 'offline/rules' };
  const server = await openServer({ root: temp.path, env, logger: silentLogger });
  closing.push(() => server.close());
  const { configEditor, jobs } = server.runtime;
  await configEditor.patch({ scheduler: { enabled: false } });
  const { job } = await jobs.create({
    agentId: DEFAULT_AGENT_ID,
    schedule: '@every 2s',
    message: 'What time is it?',
  });

  await configEditor.patch({ scheduler: { enabled: true } });
  const first = await vi.waitFor(
    async () => {
      const { firings } = await jobs.history(job.id, { limit: 10 });
      expect(firings).not.toEqual([]);
      return firings.at(-1);
    },
    { timeout: 10_000, interval: 20 },
  );

  expect(first).toMatchObject({ outcome: 'fired', slotMs: job.nextSlotMs });
});

test('a key that is set later is struck from everything that is stored', async () => {
  const runtime = await openRuntime('time.now', {});
  const key = 'plain-words-as-a-key';

  await runtime.configEditor.patch({ providers: { openai: { api_key: key } } });
  const run = await runtime.ask(`my key is ${key}`);

  expect(run.message).toBe('my key is [REDACTED]');
});
