import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ClawRoot, common, normalize, openClawRoot } from './claw.ts';

const SERVER = join(import.meta.dirname, '../../../src/mcp/test-stdio-server.mjs');

let root: ClawRoot;

beforeEach(async () => {
  root = await openClawRoot();
});

afterEach(() => root.dispose());

interface Tool {
  readonly name: string;
  readonly tool: string;
  readonly status: string;
  readonly hash: string;
}

interface Server {
  readonly name: string;
  readonly state: string;
  readonly tools: readonly Tool[];
}

async function configure(mcpServers: object): Promise<void> {
  await mkdir(join(root.path, '.openclawssy'), { mode: 0o700 });
  await writeFile(join(root.path, '.openclawssy/config.json'), JSON.stringify({ mcpServers }), {
    mode: 0o600,
  });
}

/** An entry for the test server, whose first tool describes itself as `description.txt` says. */
async function entry(mode: string, rest: object = {}): Promise<object> {
  const file = join(root.path, 'description.txt');
  await writeFile(file, 'Says it again');
  return { command: process.execPath, args: [SERVER, mode, file], ...rest };
}

async function document(...args: readonly string[]) {
  const ended = await root.inline(['--output-format', 'json', 'mcp', ...args]);
  const value = normalize(ended.stdout, root.path);
  expect(ended.stderr).toBe('');
  expect(value['exit_code']).toBe(ended.code);
  return value;
}

/** A running server connects in the background. */
async function listUntilTried() {
  const deadline = Date.now() + 15_000;
  while (Date.now() < deadline) {
    const listed = await document('list');
    const servers = listed['servers'] as readonly Server[];
    if (servers.every(({ state }) => state !== 'connecting')) return listed;
  }
  throw new Error('servers are still connecting');
}

async function findEcho(): Promise<Tool | undefined> {
  const { servers } = await listUntilTried();
  const [first] = servers as readonly Server[];
  return first?.tools.find(({ tool }) => tool === 'echo');
}

test('lists servers with their tools and faults, without a server of ours and through one', async () => {
  await configure({
    broken: await entry('broken'),
    good: await entry('good'),
    off: await entry('good', { disabled: true }),
  });

  const near = await document('list');
  const server = await root.serveInline();
  const far = await listUntilTried();
  await server.close();

  const idle = {
    transport: 'stdio',
    last_error: null,
    next_retry_at: null,
    server_info: null,
    protocol_version: null,
    tools: [],
    rejected_tools: [],
  };
  const broken = {
    ...idle,
    name: 'broken',
    state: 'waiting',
    last_error: {
      phase: 'initialize_handshake',
      message: expect.stringMatching(/ \(it said: cannot find module weather\)$/),
      at: expect.any(String),
    },
    next_retry_at: expect.any(String),
  };
  const echo = { name: 'mcp__good__echo', tool: 'echo', status: 'approved' };
  const good = {
    ...idle,
    name: 'good',
    state: 'ready',
    server_info: { name: 'test', version: '1.0.0' },
    protocol_version: expect.any(String),
    tools: expect.arrayContaining([{ ...echo, hash: expect.stringMatching(/^[0-9a-f]{64}$/) }]),
  };
  const off = { ...idle, name: 'off', state: 'disabled' };
  const list = { ...common('mcp list', 0), servers_count: 3, servers: [broken, good, off] };
  expect(near).toEqual({ ...list, via: 'local' });
  expect(far).toEqual({ ...list, via: 'server' });
});

test('a tool that says something new is held until it is approved, for what was looked at', async () => {
  await configure({ good: await entry('good') });
  const first = await findEcho();
  await writeFile(join(root.path, 'description.txt'), 'Does something else');

  const changed = await findEcho();
  const text = await root.claw(['mcp', 'list']);
  const stale = await document('approve', 'good', 'echo', '--hash', first?.hash ?? '');
  const approved = await document('approve', 'good', 'echo', '--hash', changed?.hash ?? '');
  const after = await findEcho();

  expect([first?.status, changed?.status, after?.status]).toEqual([
    'approved',
    'changed',
    'approved',
  ]);
  expect(text.stdout).toMatch(/^good {2}ready {2}stdio {2}test 1\.0\.0\n {2}changed {3}echo /);
  expect(text.stdout).toContain(changed?.hash);
  expect(text.stdout).toMatch(/\napprove: claw mcp approve SERVER TOOL --hash HASH\n$/);
  expect(stale).toMatchObject({
    exit_code: 1,
    error: { message: 'tool echo has changed again since it was looked at' },
  });
  expect(approved).toEqual({
    ...common('mcp approve', 0),
    server: 'good',
    tool: 'echo',
    status: 'approved',
    hash: changed?.hash,
    approved_at: expect.any(String),
    via: 'local',
  });
});

test('a running server offers a tool as soon as it is approved', async () => {
  await configure({ shy: await entry('good', { approve_new_tools: false }) });
  const server = await root.serveInline();
  await listUntilTried();

  const before = await root.inline(['ask', '/tool mcp__shy__echo {"text":"hi"}']);
  const approved = await root.claw(['mcp', 'approve', 'shy', 'echo']);
  const after = await root.inline(['ask', '/tool mcp__shy__echo {"text":"hi"}']);
  await server.close();

  expect(before.stdout).not.toContain('echo hi');
  expect(approved).toMatchObject({ code: 0, stdout: 'echo of shy is approved\n', stderr: '' });
  expect(after.stdout).toContain('echo hi');
});

test('a running server takes up and leaves servers as the configuration names them', async () => {
  const server = await root.serveInline();
  const ask = () => root.inline(['ask', '/tool mcp__late__echo {"text":"hi"}']);
  const change = async (value: object | null) => {
    const { stdout } = await root.inline([
      ...['config', 'set', 'mcpServers', JSON.stringify(value), '--output-format', 'json'],
    ]);
    return normalize(stdout, root.path);
  };

  const added = await change({ late: await entry('good') });
  const listed = await listUntilTried();
  await root.claw(['policy', 'grant', 'mcp__late__*']);
  const used = await ask();
  await change({});
  const after = await document('list');
  const gone = await ask();
  const status = await root.inline(['status']);
  await server.close();

  expect(added).toMatchObject({ exit_code: 0, applied: ['mcpServers.late'], restart_required: [] });
  expect(listed['servers']).toMatchObject([{ name: 'late', state: 'ready' }]);
  expect(used.stdout).toContain('echo hi');
  expect(after['servers']).toEqual([]);
  expect(gone.stdout + gone.stderr).toContain('mcp__late__echo');
  expect(gone.stdout).not.toContain('echo hi');
  expect(status.stdout).not.toContain('restart');
});

test.each(['local', 'server'])('unknown servers and tools are errors (%s)', async (via) => {
  await configure({ good: await entry('good') });
  const server = via === 'server' ? await root.serveInline() : undefined;
  await listUntilTried();

  const noServer = await document('approve', 'none', 'echo');
  const noTool = await document('approve', 'good', 'a/b');
  await server?.close();

  const hint = 'claw mcp list shows the servers and their tools';
  expect(noServer).toEqual({
    ...common('mcp approve', 1),
    name: 'none',
    found: false,
    error: {
      kind: 'mcp_server_not_found',
      operation: 'find_mcp_server',
      target: 'none',
      retryable: false,
      message: 'there is no running mcp server named none',
      hint,
    },
  });
  expect(noTool).toMatchObject({
    name: 'a/b',
    found: false,
    error: { kind: 'tool_not_found', message: 'mcp server good has shown no tool a/b', hint },
  });
});

test('without servers there is nothing to list', async () => {
  expect(await root.inline(['mcp', 'list'])).toMatchObject({ code: 0, stdout: '(no servers)\n' });
  expect(await document('list')).toEqual({
    ...common('mcp list', 0),
    servers_count: 0,
    servers: [],
    via: 'local',
  });
});

test.each([
  [['approve', '..', 'echo'], `".." is not a server's name`],
  [['approve', 'good', '.'], `"." is not a tool's name`],
  [['approve', 'good', 'echo', '--hash', 'abc'], 'option --hash must be 64 hexadecimal digits'],
])('refuses %j', async (args, message) => {
  expect(await document(...args)).toMatchObject({
    exit_code: 1,
    error: { kind: 'parse', message },
  });
});
