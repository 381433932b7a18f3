import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCliParts } from '../../src/cli-parts.ts';
import { runProgram } from '../../src/surfaces/cli/program/run-program.ts';
import { openTempRoot, type TempRoot } from '../support/temp-root.ts';

let temp: TempRoot;

beforeEach(async () => {
  temp = await openTempRoot();
});

afterEach(() => temp.remove());

/** The program in this process, on the configuration of the state root alone. */
async function claw(...argv: string[]) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stdin.end();
  const said = { stdout: '', stderr: '' };
  stdout.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text;
  });
  stderr.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text;
  });
  const exitCode = await runProgram({
    argv,
    ...{ stdin, stdout, stderr },
    environment: { outputFormat: undefined, noColor: true },
    findRoot: () => ({ path: temp.path, from: 'flag' }),
    parts: createCliParts({ CLAW_MODEL: 'offline/rules' }),
    interrupt: new AbortController().signal,
    crash: new Promise(() => {}),
  });
  return { exitCode, ...said };
}

async function json(...argv: string[]) {
  const { stdout } = await claw(...argv, '--output-format', 'json');
  return JSON.parse(stdout);
}

async function readConfig() {
  return JSON.parse(await readFile(join(temp.path, '.openclawssy/config.json'), 'utf8'));
}

test('one command lets agents reach a host, says what follows, and is harmless again', async () => {
  const first = await claw('enable', 'network', 'API.example.com', 'example.org:8443');
  const again = await json('enable', 'network', 'api.example.com');
  const config = await readConfig();
  const tools = await json('tool', 'list');

  expect([first.exitCode, first.stdout]).toEqual([0, expect.stringContaining('network is on:\n')]);
  expect(first.stdout).toContain('can send what they know to: api.example.com, example.org:8443\n');
  expect(again).toMatchObject({
    ...{ name: 'network', enabled: true, applied: [], restart_required: [], via: 'local' },
    consequences: expect.arrayContaining(['claw disable network takes it back']),
  });
  expect(config.network).toEqual({
    enabled: true,
    allowed_domains: ['api.example.com', 'example.org:8443'],
  });
  expect(offOf(tools, 'http.request')).toBeNull();
});

test('a host is taken away again, and the network with it', async () => {
  await json('enable', 'network', 'a.example.com', 'b.example.com');
  const without = await json('disable', 'network', 'a.example.com');
  const wider = await json('disable', 'network', 'x.b.example.com');
  const off = await json('disable', 'network');

  expect(without).toMatchObject({
    ...{ enabled: true, consequences: ['agents can still reach: b.example.com'] },
  });
  expect(wider.error).toMatchObject({ kind: 'parse', hint: 'claw disable network b.example.com' });
  expect(off).toMatchObject({ enabled: false, applied: ['network.enabled'] });
});

test('a name is taken away with its ports, and one that is not allowed is an error', async () => {
  const hosts = ['a.example.com:8443', 'a.example.com', 'b.example.com:1', 'b.example.com:2'];
  await json('enable', 'network', ...hosts);
  const named = await json('disable', 'network', 'a.example.com');
  const ported = await json('disable', 'network', 'b.example.com:1');
  const unlisted = await claw('disable', 'network', 'b.example.com:3');

  expect(named.consequences).toEqual(['agents can still reach: b.example.com:1, b.example.com:2']);
  expect(ported.consequences).toEqual(['agents can still reach: b.example.com:2']);
  expect([unlisted.exitCode, unlisted.stderr]).toEqual([
    1,
    'error: b.example.com:3 is not among the hosts that are allowed\nhint: allowed: b.example.com:2\n',
  ]);
});

test.each([
  'https://api.example.com',
  'api.example.com/v1',
  'localhost',
  '127.0.0.1',
  '*',
  '*.example.com',
  'exa mple.com',
  'example',
  'example.com:99999',
  '-x.example.com',
  'user@example.com',
])('the host %s is refused with a hint, and nothing is made', async (host) => {
  const { exitCode, stdout, stderr } = await claw('enable', 'network', '--', host);

  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(/^error: .* is no host that can be allowed\nhint: .+\n$/);
});

test('one command lets agents run commands, in a sandbox, a person being asked', async () => {
  const before = await json('tool', 'list');
  const first = await json('enable', 'shell');
  const second = await claw('enable', 'shell', 'git status');
  const config = await readConfig();

  expect(offOf(before, 'shell.exec')).toEqual({
    reason: 'shell.enable_exec is false',
    fix: 'claw enable shell',
  });
  expect(first).toMatchObject({
    ...{ name: 'shell', enabled: true, exit_code: 0 },
    consequences: expect.arrayContaining(['a person is asked about: every other command']),
  });
  expect(second.stdout).toContain('without asking: git status\n');
  expect(config).toMatchObject({
    shell: { enable_exec: true, allowed_commands: ['git status'], ask_commands: ['*'] },
    sandbox: { active: true, provider: 'bwrap' },
  });
  expect(await json('disable', 'shell')).toMatchObject({
    ...{ enabled: false, applied: ['shell.enable_exec'] },
  });
});

test('letting every command run takes the question about every command back', async () => {
  await json('enable', 'shell');
  const opened = await claw('enable', 'shell', '*');
  const config = await readConfig();
  await json('config', 'set', 'shell.denied_commands', '["rm"]');
  const excepted = await json('enable', 'shell');

  expect(opened.stdout).toContain('without asking: every command\n');
  expect(opened.stdout).not.toContain('asked about');
  expect(config.shell).toMatchObject({ allowed_commands: ['*'], ask_commands: [] });
  expect(excepted.consequences).toEqual(
    expect.arrayContaining([
      ...['without asking: every command', 'refused: rm'],
      'refused too: commands that hide what they run, as eval does',
    ]),
  );
});

test('the list of tools says what is off, why, and how to switch it on', async () => {
  const { stdout } = await claw('tool', 'list');

  expect(stdout).toMatch(/http\.request +off /);
  expect(stdout).toContain(
    'http.request is off: network.enabled is false; claw enable network HOST switches it on\n',
  );
  expect(stdout).toContain('shell.exec is off: shell.enable_exec is false; claw enable shell');
});

function offOf({ tools }: { tools: readonly { name: string; off: unknown }[] }, name: string) {
  return tools.find((tool) => tool.name === name)?.off;
}
