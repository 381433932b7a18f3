import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createScriptedModel } from '../../providers/scripted/scripted-model.ts';
import { connect, listen, openTestMcp, TOKEN, textOf } from './test-mcp-server.ts';

const hello = () => createScriptedModel({ steps: [{ text: 'Hello' }] });

test.each(['legacy', 'auto'] as const)(
  'submits a run and follows it to its end (%s)',
  async (mode) => {
    const { runtime, server } = await openTestMcp(hello());
    const client = await connect(await listen(server), mode);

    const submitted = await client.callTool({ name: 'run_submit', arguments: { message: 'hi' } });
    const { id } = submitted.structuredContent as { id: string };
    const waited = await client.callTool({ name: 'run_wait', arguments: { run_id: id } });

    expect(waited.structuredContent).toMatchObject({
      id,
      source: 'mcp',
      status: 'completed',
      ended: true,
      message: 'hi',
      output: 'Hello',
      tool_results: [],
    });
    const listed = await client.callTool({ name: 'run_list', arguments: {} });
    expect(listed.structuredContent).toMatchObject({ runs: [{ id }], next: null });
    expect((await runtime.runs.get(id as never)).status).toBe('completed');
    const resource = await client.readResource({ uri: `run://${id}` });
    expect(JSON.parse((resource.contents[0] as { text: string }).text)).toMatchObject({ id });
  },
);

test('lists the tools for runs and the exposed ones, with what they do', async () => {
  const { server } = await openTestMcp(hello());
  const client = await connect(await listen(server));

  const { tools } = await client.listTools();

  expect(tools.map(({ name, annotations }) => [name, annotations])).toEqual([
    ['run_submit', { readOnlyHint: false, idempotentHint: false }],
    ['run_get', { readOnlyHint: true, idempotentHint: true }],
    ['run_list', { readOnlyHint: true, idempotentHint: true }],
    ['run_cancel', { readOnlyHint: false, idempotentHint: true }],
    ['run_wait', { readOnlyHint: true, idempotentHint: true }],
    ['fs_list', { readOnlyHint: true, idempotentHint: true }],
    ['fs_read', { readOnlyHint: true, idempotentHint: true }],
    ['fs_write', { readOnlyHint: false, idempotentHint: true }],
    ['test_wait', { readOnlyHint: true, idempotentHint: true }],
  ]);
});

test('uses a tool as a recorded run of its own', async () => {
  const { runtime, server } = await openTestMcp(hello());
  const client = await connect(await listen(server));

  const result = await client.callTool({
    name: 'fs_write',
    arguments: { path: 'a.txt', content: 'one' },
  });

  expect(result.isError).toBeUndefined();
  const file = join(runtime.loaded.workspaceDir, 'a.txt');
  expect(await readFile(file, 'utf8')).toBe('one');
  const id = result._meta?.['pincer/run_id'] as never;
  const events = await runtime.events(id);
  expect(events.map(({ type }) => type)).toEqual([
    'run.created',
    'run.started',
    'tool.call',
    'tool.result',
    'run.completed',
  ]);
  expect(result.structuredContent).toEqual(events[3]?.payload['output']);
});

test.each([
  ['fs_list', { path: '.' }, 'policy.denied: agent agent_default may not use fs.list'],
  ['run_get', { run_id: 'run_none' }, 'run.not_found: run run_none does not exist'],
  ['run_submit', { message: '' }, 'tool.input_invalid: message: Too small'],
  ['run_submit', { message: 'x', agent_id: 'nobody' }, 'agent.not_found: agent nobody does not'],
])('answers a refusal of %s as a failed result', async (name, input, text) => {
  const { server } = await openTestMcp(hello());
  const client = await connect(await listen(server));

  const result = textOf(await client.callTool({ name, arguments: input }));

  expect(result).toEqual({ isError: true, text: expect.stringContaining(text) });
});

test('refuses a tool that is not there as the protocol wants it', async () => {
  const { server } = await openTestMcp(hello());
  const client = await connect(await listen(server));

  await expect(client.callTool({ name: 'shell_exec', arguments: {} })).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('there is no tool named shell_exec'),
  });
});

test('cancels the run of a caller that went away', async () => {
  const { runtime, server } = await openTestMcp(hello());
  const client = await connect(await listen(server));
  const call = client.callTool({ name: 'test_wait', arguments: {} }).catch((error) => error);
  const runId = await firstRun(runtime);

  await client.close();

  expect(await call).toBeInstanceOf(Error);
  expect((await runtime.awaitEnd(runId)).status).toBe('cancelled');
});

async function firstRun(runtime: Awaited<ReturnType<typeof openTestMcp>>['runtime']) {
  for (let tries = 0; tries < 500; tries += 1) {
    const [run] = (await runtime.runs.list({ limit: 1, status: 'running' })).runs;
    if (run) return run.id;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('no run appeared');
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  },
};

function post(url: string, options: { headers?: Record<string, string>; body?: string } = {}) {
  return fetch(url, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      authorization: `Bearer ${TOKEN}`,
      ...options.headers,
    },
    body: options.body ?? JSON.stringify(INITIALIZE),
  });
}

test.each([
  ['no token', { authorization: '' }, 401, 'auth.unauthorized', 'missing bearer token'],
  [
    'a wrong token',
    { authorization: 'Bearer x' },
    401,
    'auth.unauthorized',
    'invalid bearer token',
  ],
  [
    'a foreign page',
    { origin: 'https://evil.example' },
    403,
    'policy.denied',
    'origin https://evil.example is not allowed',
  ],
  [
    'another media type',
    { 'content-type': 'text/plain' },
    415,
    'invalid.request',
    'content-type must be application/json',
  ],
])('refuses %s in the shape of the protocol', async (_name, headers, status, code, message) => {
  const { server } = await openTestMcp(hello());
  const url = await listen(server);

  const response = await post(url, { headers });

  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({
    jsonrpc: '2.0',
    error: { code: expect.any(Number), message, data: { code } },
    id: null,
  });
});

test('takes the right token, and answers what is no message or no method of ours', async () => {
  const { server } = await openTestMcp(hello());
  const url = await listen(server);

  const answers = [
    await post(url),
    await post(url, { body: '{' }),
    await post(url, { body: '{"a":1}' }),
    await fetch(url, {
      headers: { authorization: `Bearer ${TOKEN}`, accept: 'text/event-stream' },
    }),
    await fetch(`${url}/other`, { headers: { authorization: `Bearer ${TOKEN}` } }),
    await fetch(url, { method: 'PUT', headers: { authorization: `Bearer ${TOKEN}` } }),
  ];

  expect(answers.map(({ status }) => status)).toEqual([200, 400, 400, 405, 404, 405]);
  expect(await answers[0]?.text()).toContain('"serverInfo":{"name":"pincer"');
});
