import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ClawRoot, common, normalize, openClawRoot } from './claw.ts';

let root: ClawRoot;

beforeEach(async () => {
  root = await openClawRoot();
});

afterEach(() => root.dispose());

/** Runs a command in JSON mode and checks what holds for all of them. */
async function document(...args: readonly string[]) {
  const ended = await root.inline(['--output-format', 'json', ...args]);
  const value = normalize(ended.stdout.replace(/req_[0-9a-z]{26}/g, '<request>'), root.path);
  expect(ended.stderr).toBe('');
  expect(value['exit_code']).toBe(ended.code);
  return value;
}

async function text(...args: readonly string[]) {
  const { code, stdout, stderr } = await root.claw(args);
  return { code, stdout, stderr };
}

const CLOSED = { status: 'closed', failures: 0, measured: 0, failed: 0, retry_in_ms: null };

const WRITE = '/tool fs.write {"path":"a.txt","content":"one"}';

test('reading commands find nothing in an empty directory, and leave nothing there', async () => {
  const effects = await document('effects', 'list');
  const approvals = await text('approvals', 'list');
  const shown = await document('approvals', 'show', 'appr_absent');
  const resolved = await document('effects', 'resolve', 'req_absent', '--status', 'failed');

  expect(effects).toEqual({
    ...common('effects list', 0),
    effects_count: 0,
    effects: [],
    next_cursor: null,
    via: 'local',
  });
  expect(approvals).toEqual({ code: 0, stdout: '(no approvals)\n', stderr: '' });
  expect(shown).toEqual({
    ...common('approvals show', 1),
    name: 'appr_absent',
    found: false,
    error: {
      kind: 'approval_not_found',
      operation: 'find_approval',
      target: 'appr_absent',
      retryable: false,
      message: 'approval appr_absent does not exist',
      hint: 'claw approvals list shows the approvals there are',
    },
  });
  expect(resolved).toMatchObject({ exit_code: 1, error: { kind: 'effect_not_found' } });
  expect(await readdir(root.path)).toEqual([]);
});

test('shows the effect of a run without a server and through one', async () => {
  await root.inline(['ask', WRITE]);

  const near = await document('effects', 'list', '--tool', 'fs.write');
  const server = await root.serveInline();
  const far = await document('effects', 'list', '--tool', 'fs.write');
  await server.close();

  const effect = {
    id: '<request>',
    run_id: '<run>',
    agent_id: 'agent_default',
    tool: 'fs.write',
    tool_call_id: expect.any(String),
    idempotency_key: null,
    input_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    status: 'confirmed',
    created_at: '<time>',
    updated_at: '<time>',
    resolution: null,
    effect_error: null,
  };
  const list = { effects_count: 1, effects: [effect], next_cursor: null };
  expect(near).toEqual({ ...common('effects list', 0), ...list, via: 'local' });
  expect(far).toEqual({ ...common('effects list', 0), ...list, via: 'server' });
});

test.each([
  ['approve', 'approved', 'wrote 1 line(s) to a.txt'],
  ['deny', 'denied', 'was denied'],
] as const)('%s lets a run that waits go on', async (verb, status, said) => {
  await mkdir(join(root.path, '.openclawssy'), { mode: 0o700 });
  const policy = { rules: [{ tool: 'fs.write', decision: 'ask' }] };
  await writeFile(join(root.path, '.openclawssy/config.json'), JSON.stringify({ policy }), {
    mode: 0o600,
  });
  const server = await root.serveInline();
  const asking = root.start(['ask', WRITE]);
  const id = await findPending();

  const shown = await text('approvals', 'show', id);
  const decided = await document('approvals', verb, id, '--note', 'looked at it');
  const again = await document('approvals', 'approve', id);
  const answered = await asking.ended;
  await server.close();

  expect(shown.stdout).toContain('arguments:\n{\n  "content": "one",\n  "path": "a.txt"\n}\n');
  expect(decided).toMatchObject({
    id,
    status,
    tool: 'fs.write',
    decided_by: 'operator',
    note: 'looked at it',
    via: 'server',
  });
  expect(again).toMatchObject({
    exit_code: 1,
    error: { kind: 'runtime', message: `approval ${id} was ${status} already` },
  });
  expect(answered.stdout).toContain(said);
});

async function findPending(): Promise<string> {
  const deadline = Date.now() + 15_000;
  while (Date.now() < deadline) {
    const { approvals } = await document('approvals', 'list', '--status', 'pending');
    const [first] = approvals as readonly { readonly id: string }[];
    if (first) return first.id;
  }
  throw new Error('nothing was asked');
}

test('a circuit that was opened stays open for the server that starts next', async () => {
  const opened = await document('tool', 'circuit-breaker', 'open', 'fs.write');
  const server = await root.serve();
  const seen = await document('tool', 'circuit-breaker', 'status', 'fs.write');
  const refused = await root.inline(['ask', WRITE]);
  const reset = await document('tool', 'circuit-breaker', 'reset', 'fs.write');
  const done = await root.inline(['ask', WRITE]);
  server.child.kill('SIGTERM');
  await server.ended;

  const open = { tool: 'fs.write', ...CLOSED, status: 'forced_open' };
  expect(opened).toEqual({ ...common('tool circuit-breaker open', 0), ...open, via: 'local' });
  expect(seen).toEqual({ ...common('tool circuit-breaker status', 0), ...open, via: 'server' });
  expect(refused.stdout).toContain('was opened by an operator');
  expect(reset).toMatchObject({ ...CLOSED, via: 'server' });
  expect(done.stdout).toContain('wrote 1 line(s) to a.txt');
});

test('a tool that was taken from an agent is refused, and granted again is not', async () => {
  const revoked = await document('policy', 'revoke', 'fs.write');
  const refused = await root.inline(['ask', WRITE]);
  const listed = await text('policy', 'list');
  const granted = await text('policy', 'grant', 'fs.*');
  const stillRefused = await root.inline(['ask', WRITE]);
  await root.inline(['policy', 'grant', 'fs.write']);
  const done = await root.inline(['ask', WRITE]);

  expect(revoked).toMatchObject({
    command: 'policy revoke',
    tool: 'fs.write',
    effect: 'revoke',
    agent_id: 'agent_default',
    changes: [{ tool: 'fs.write', effect: 'revoke', by: 'operator' }],
    via: 'local',
  });
  expect(refused.stdout).toContain('may not use fs.write');
  expect(listed.stdout).toMatch(/^agent_default may use:\n/);
  expect(listed.stdout).not.toMatch(/^ {2}fs\.write$/m);
  expect(listed.stdout).toMatch(/^ {2}revoke {2}fs\.write /m);
  expect(granted).toEqual({ code: 0, stdout: 'fs.* is granted to agent_default\n', stderr: '' });
  expect(stillRefused.stdout).toContain('may not use fs.write');
  expect(done.stdout).toContain('wrote 1 line(s) to a.txt');
});

test('tools are shown, listed, and unknown ones are an error everywhere', async () => {
  const shown = await document('tool', 'show', 'fs.read');
  const listed = await text('tool', 'list');
  const report = await document('tool', 'reliability', 'report');
  const flushed = await document('tool', 'idempotency', 'flush', 'fs.write', 'some-key');
  const keys = await document('tool', 'idempotency', 'list', 'fs.write');

  expect(shown).toMatchObject({ name: 'fs.read', effect: 'read', via: 'local' });
  expect(listed.stdout).toMatch(/^fs\.read +read /m);
  expect(report).toMatchObject({ since: null, tools_count: 0, tools: [] });
  expect(flushed).toMatchObject({ tool: 'fs.write', flushed: 0 });
  expect(keys).toMatchObject({ tool: 'fs.write', keys_count: 0, keys: [], next_cursor: null });
  for (const args of [
    ['tool', 'show', 'fs.raed'],
    ['tool', 'circuit-breaker', 'reset', 'fs.raed'],
    ['tool', 'idempotency', 'flush', 'fs.raed'],
    ['policy', 'revoke', 'fs.raed'],
  ]) {
    expect(await document(...args)).toMatchObject({
      exit_code: 1,
      name: 'fs.raed',
      found: false,
      error: { kind: 'tool_not_found', message: 'tool fs.raed does not exist' },
    });
  }
});

test('commands of three words explain themselves', async () => {
  const group = await text('tool', 'circuit-breaker');
  const slip = await document('tool', 'circuit-breaker', 'rest', 'fs.write');
  const help = await text('help', 'tool', 'circuit-breaker');

  expect(group).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'error: tool circuit-breaker needs a subcommand\n' +
      'hint: claw tool circuit-breaker has status, open, reset\n',
  });
  expect(slip).toMatchObject({
    exit_code: 1,
    error: { kind: 'parse', hint: 'did you mean claw tool circuit-breaker reset?' },
  });
  expect(help.stdout).toContain('tool circuit-breaker open');
});

test.each([
  [['effects', 'resolve', 'req_1'], 'option --status is missing'],
  [['effects', 'show', '../x'], '"../x" is not the id of an effect'],
  [['tool', 'show', '..'], `".." is not a tool's name`],
  [['policy', 'grant', 'a b'], `"a b" is not a tool's name`],
])('refuses %j', async (args, message) => {
  const value = await document(...args);

  expect(value).toMatchObject({ exit_code: 1, error: { kind: 'parse', message } });
});
