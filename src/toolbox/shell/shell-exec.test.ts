import { expect, test } from 'vitest';
import { findOnPath, installPackage } from '../../../test/support/system-packages.ts';
import { openTempRoot } from '../../../test/support/temp-root.ts';
import type { JsonObject } from '../../core/json.ts';
import type { CommandRules } from '../../core/policy/command-rules/judge-command.ts';
import type { Sandbox, SandboxCommand, SandboxEnd } from '../../core/sandbox/sandbox.ts';
import { createBwrapSandbox } from '../../sandbox/create-bwrap-sandbox.ts';
import { callTool, failureOf, inputErrors } from '../test-workspace.ts';
import { createShellExec } from './shell-exec.ts';

const ALL: CommandRules = { allow: ['*'], ask: [], deny: [], otherwise: 'deny' };
const SOME: CommandRules = {
  allow: ['ls', 'echo'],
  ask: ['git push'],
  deny: [],
  otherwise: 'deny',
};

/** A sandbox that notes what it is asked to run and ends as it is told. */
function createStandIn(ends: Readonly<Record<string, SandboxEnd>> = {}) {
  const commands: SandboxCommand[] = [];
  const sandbox: Sandbox = {
    name: 'stand-in',
    probe: async () => ({ available: true, version: '1', weaknesses: [] }),
    async run(command) {
      commands.push(command);
      const text = { text: 'said', totalBytes: 4, truncated: false };
      const end = ends[command.command] ?? { how: 'exited', exitCode: 0 };
      return { end, stdout: text, stderr: { text: '', totalBytes: 0, truncated: false } };
    },
  };
  return { sandbox, argv: () => commands.map(({ command, args }) => [command, ...args]) };
}

async function call(input: JsonObject, ends: Readonly<Record<string, SandboxEnd>> = {}) {
  const { sandbox, argv } = createStandIn(ends);
  const output = await callTool(createShellExec({ rules: ALL, sandbox }), input);
  return { output, argv: argv() };
}

test('runs a program with its arguments, and a line without arguments through bash', async () => {
  expect((await call({ command: 'ls', args: ['a b', '$x'] })).argv).toEqual([['ls', 'a b', '$x']]);
  expect((await call({ command: 'ls' })).argv).toEqual([['ls']]);
  expect((await call({ command: ' ls | wc -l ' })).argv).toEqual([['bash', '-lc', 'ls | wc -l']]);
  expect((await call({ cmd: 'ls -l', args: [] })).argv).toEqual([['bash', '-lc', 'ls -l']]);
});

test('answers with streams and status, and with the timeout only when one was given', async () => {
  expect((await call({ command: 'ls' })).output).toEqual({
    stdout: 'said',
    stderr: '',
    exit_code: 0,
  });
  expect((await call({ command: 'ls', timeout_ms: 500 })).output).toEqual({
    stdout: 'said',
    stderr: '',
    exit_code: 0,
    timeout_ms: 500,
  });
});

test('gives a failing command as a result with its status in words', async () => {
  const failed = await call({ command: 'ls' }, { ls: { how: 'exited', exitCode: 2 } });
  const died = await call(
    { command: 'ls' },
    { ls: { how: 'exited', exitCode: 139, signal: 'SIGSEGV' } },
  );
  const flooded = await call({ command: 'ls' }, { ls: { how: 'output_limit', maxBytes: 9 } });

  expect(failed.output).toEqual({
    stdout: 'said',
    stderr: '',
    exit_code: 2,
    error: 'exit status 2',
  });
  expect(died.output).toMatchObject({
    exit_code: 139,
    error: 'exit status 139',
    signal: 'SIGSEGV',
  });
  expect(flooded.output).toMatchObject({
    exit_code: 137,
    error: 'killed: more than 9 bytes of output',
  });
});

test('looks for another shell when bash is missing, and for no other program', async () => {
  const missing: SandboxEnd = { how: 'not_found' };
  const ends = { bash: missing, '/bin/bash': missing, '/usr/bin/bash': missing };

  const shell = await call({ command: 'echo 1 2' }, ends);
  const other = await call({ command: 'zsh' }, { zsh: missing });

  expect(shell.argv.map(([command]) => command)).toEqual([
    'bash',
    '/bin/bash',
    '/usr/bin/bash',
    'sh',
  ]);
  expect(shell.output).toEqual({ stdout: 'said', stderr: '', exit_code: 0, shell_fallback: 'sh' });
  expect(other.argv).toEqual([['zsh']]);
  expect(other.output).toMatchObject({ exit_code: 127, error: 'zsh: command not found' });
});

test('fails with a timeout that carries the end of what the command said', async () => {
  const { sandbox } = createStandIn({ ls: { how: 'timed_out' } });
  const tool = createShellExec({ rules: ALL, sandbox });

  expect(await failureOf(callTool(tool, { command: 'ls', timeout_ms: 50 }))).toEqual({
    code: 'timeout',
    message: 'the command was killed after 50 ms',
    details: { timeout_ms: 50, effect: 'unknown', stdout: 'said', stderr: '' },
  });
});

test('refuses a command that no rule allows before anything is started', async () => {
  const { sandbox, argv } = createStandIn();
  const tool = createShellExec({ rules: SOME, sandbox });

  expect(await failureOf(callTool(tool, { command: 'ls; rm -rf x' }))).toEqual({
    code: 'policy_denied',
    message: 'command is not allowed: rm -rf x: no rule allows it',
    details: { command: 'ls; rm -rf x', reason: 'command_not_allowed' },
  });
  expect(argv()).toEqual([]);
});

test('tells policy what its rules say about a call', () => {
  const tool = createShellExec({ rules: SOME, sandbox: createStandIn().sandbox });
  const decide = (command: string) => tool.judge?.({ command }).decision;

  expect(['ls', 'echo hi | ls', 'git push', 'rm x'].map(decide)).toEqual([
    'allow',
    'allow',
    'ask',
    'deny',
  ]);
});

test('asks for a sandbox when there is none, and does not run without', async () => {
  const tool = createShellExec({ rules: ALL, sandbox: undefined });

  expect((await failureOf(callTool(tool, { command: 'touch x' }))).code).toBe('sandbox_required');
});

test('asks for a sandbox before it looks at its rules', async () => {
  const tool = createShellExec({ rules: { ...ALL, allow: [] }, sandbox: undefined });

  expect(tool.judge).toBeUndefined();
  expect((await failureOf(callTool(tool, { command: 'touch x' }))).code).toBe('sandbox_required');
});

test('answers to its other names, and refuses input that makes no sense', () => {
  const tool = createShellExec({ rules: ALL, sandbox: undefined });

  expect(tool.aliases).toEqual(['bash.exec', 'terminal.exec', 'terminal.run']);
  expect(inputErrors(tool, {})).toEqual(['command is required']);
  expect(inputErrors(tool, { command: ' ' })).toEqual(['command must not be empty']);
  expect(inputErrors(tool, { command: 'a\0b' })).toEqual(['command must not contain NUL']);
  expect(inputErrors(tool, { command: 'ls', args: 'x' })).toEqual([
    'args must be a list of strings',
  ]);
  expect(inputErrors(tool, { command: 'ls', timeout_ms: 0 })).toEqual([
    'timeout_ms must be at least 1',
  ]);
});

test('says that a sandbox which cannot start is unavailable', async () => {
  const root = await openTempRoot();
  const sandbox = createBwrapSandbox({ workspace: root.path, program: '/no/such/bwrap' });
  const failure = await failureOf(
    callTool(createShellExec({ rules: ALL, sandbox }), { command: 'ls' }),
  );
  await root.remove();

  expect(failure.code).toBe('sandbox_unavailable');
});

const hasBwrap =
  findOnPath('bwrap') !== undefined || (await installPackage('bubblewrap')) === undefined;
if (!hasBwrap) {
  if (process.env['REQUIRE_ENGINES'] === '1') throw new Error('bwrap is not installed');
  process.stderr.write('skipping the shell tool in a real sandbox: bwrap is not installed\n');
}

test.skipIf(!hasBwrap)('works from line to result in a real sandbox', async () => {
  const root = await openTempRoot();
  const sandbox = createBwrapSandbox({ workspace: root.path });
  const tool = createShellExec({ rules: ALL, sandbox });

  const written = await callTool(tool, { command: 'echo "a b" > f && cat f; exit 4' });
  const listed = await callTool(tool, { command: 'ls', args: ['-1'] });
  const late = await failureOf(callTool(tool, { command: 'sleep 66.0417', timeout_ms: 200 }));
  await root.remove();

  expect(written).toEqual({ stdout: 'a b\n', stderr: '', exit_code: 4, error: 'exit status 4' });
  expect(listed).toEqual({ stdout: 'f\n', stderr: '', exit_code: 0 });
  expect(late.code).toBe('timeout');
});
