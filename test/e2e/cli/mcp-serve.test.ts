import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PROGRAM } from '../../support/program.ts';
import { CLEAN_ENV, type ClawRoot, openClawRoot } from './claw.ts';

let root: ClawRoot;
let clients: Client[];

beforeEach(async () => {
  root = await openClawRoot();
  clients = [];
});

afterEach(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await root.dispose();
});

/** The SDK's own client, with the program as its server. */
async function connect(mode: 'legacy' | 'auto' = 'legacy'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp', 'serve', '--output-format', 'json'],
    cwd: root.path,
    env: CLEAN_ENV,
  });
  await client.connect(transport);
  clients.push(client);
  return client;
}

const HELLO = [
  {
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    },
  },
  { method: 'notifications/initialized' },
]
  .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  .join('');

test.each(['legacy', 'auto'] as const)(
  'serves runs and tools to an MCP client (%s)',
  async (mode) => {
    await mkdir(join(root.path, 'workspace'));
    await writeFile(join(root.path, 'workspace', 'a.txt'), 'one');
    const client = await connect(mode);

    const { tools } = await client.listTools();
    const read = await client.callTool({ name: 'fs_read', arguments: { path: 'a.txt' } });
    const submitted = await client.callTool({ name: 'run_submit', arguments: { message: 'time' } });
    const { id } = submitted.structuredContent as { id: string };
    const waited = await client.callTool({ name: 'run_wait', arguments: { run_id: id } });

    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['run_submit', 'run_wait', 'run_get', 'fs_read']),
    );
    expect(read.structuredContent).toMatchObject({ path: 'a.txt', content: 'one' });
    expect(waited.structuredContent).toMatchObject({ id, status: 'completed', ended: true });
  },
);

test.each(['legacy', 'auto'] as const)(
  'follows runs, tells how calls go on, and offers prompts (%s)',
  async (mode) => {
    const client = await connect(mode);
    const updates = new Set<string>();
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updates.add(params.uri);
    });
    const told: (string | undefined)[] = [];
    client.setNotificationHandler('notifications/progress', ({ params }) => {
      told.push(params.message);
    });
    const submit = async (message: string) => {
      const submitted = await client.callTool({ name: 'run_submit', arguments: { message } });
      return (submitted.structuredContent as { id: string }).id;
    };

    const { prompts } = await client.listPrompts();
    const soul = await client.getPrompt({
      name: 'agent_agent_default',
      arguments: { task: 'Add 1 and 1' },
    });
    const id = await submit('time');
    const uri = `run://${id}`;
    if (mode === 'legacy') await client.subscribeResource({ uri });
    else await client.listen({ resourceSubscriptions: [uri] });
    const waited = await client.callTool({
      name: 'run_wait',
      arguments: { run_id: id },
      _meta: { progressToken: 'token' },
    });
    await expect.poll(() => [...updates], { timeout: 15_000 }).toEqual([uri]);

    expect(prompts.map(({ name }) => name)).toEqual(['agent_agent_default']);
    expect(soul.messages[0]?.content).toMatchObject({
      text: expect.stringMatching(/^You are Pincer, .*Add 1 and 1$/s),
    });
    expect(waited.structuredContent).toMatchObject({ id, status: 'completed' });
    // It may have ended before anybody waited for it.
    await expect.poll(() => told.length === 0 || told.at(-1) === 'completed').toBe(true);
    const wrong =
      mode === 'legacy'
        ? client.subscribeResource({ uri: 'run://run_none' })
        : client.listen({ resourceSubscriptions: ['run://run_none'] });
    await expect(wrong).rejects.toThrow('run run_none does not exist');
  },
);

test('executes its own runs beside a running server, which shows them', async () => {
  const server = await root.serve();
  const client = await connect();

  const submitted = await client.callTool({
    name: 'run_submit',
    arguments: { message: '/tool fs.write {"path":"b.txt","content":"two"}' },
  });
  const { id } = submitted.structuredContent as { id: string };
  const waited = await client.callTool({ name: 'run_wait', arguments: { run_id: id } });
  const shown = await root.claw(['runs', 'show', id, '--output-format', 'json']);
  const asked = await root.claw(['ask', '/tool fs.read {"path":"b.txt"}']);
  await client.close();
  server.child.kill('SIGTERM');
  const ended = await server.ended;

  expect(waited.structuredContent).toMatchObject({ id, status: 'completed', ended: true });
  expect(JSON.parse(shown.stdout)).toMatchObject({ id, status: 'completed', via: 'server' });
  expect(asked.stdout).toContain('two');
  expect(ended.code).toBe(0);
});

test('writes nothing but the protocol, and ends with its input', async () => {
  await mkdir(join(root.path, '.openclawssy'), { mode: 0o700 });
  const mcpServers = { wrong: { comand: 'x' } };
  await writeFile(join(root.path, '.openclawssy/config.json'), JSON.stringify({ mcpServers }), {
    mode: 0o600,
  });

  const { code, stdout, stderr } = await root.claw(['mcp', 'serve'], {
    input: HELLO,
    env: { CLAW_OUTPUT_FORMAT: 'json', LOG_LEVEL: 'debug' },
  });

  expect(code).toBe(0);
  expect(stdout.trimEnd().split('\n').map(toJson)).toEqual([
    { jsonrpc: '2.0', id: 1, result: expect.objectContaining({ protocolVersion: '2025-06-18' }) },
  ]);
  expect(stderr.trimEnd().split('\n').map(toJson)).toEqual([
    expect.objectContaining({ level: 'warn', server: 'wrong', msg: 'mcp server is not usable' }),
  ]);
});

test('a signal ends it in order', async () => {
  const serving = root.start(['mcp', 'serve'], { input: HELLO, keepsInputOpen: true });
  await serving.saw('stdout', '"protocolVersion"');

  serving.child.kill('SIGTERM');

  expect(await serving.ended).toMatchObject({ code: 0, signal: null, stderr: '' });
});

test('what keeps it from starting is told on standard error', async () => {
  await mkdir(join(root.path, '.openclawssy'), { mode: 0o700 });
  await writeFile(join(root.path, '.openclawssy/config.json'), '{ "server": ', { mode: 0o600 });

  const { code, stdout, stderr } = await root.claw(['mcp', 'serve', '--output-format', 'json']);

  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^error: .*config\.json/);
});

function toJson(line: string): unknown {
  return JSON.parse(line);
}
