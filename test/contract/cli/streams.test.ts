import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, open, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CLEAN_ENV, type ClawRoot, openClawRoot } from '../../e2e/cli/claw.ts';
import { PROGRAM } from '../../support/program.ts';
import { steady } from './steady.ts';

let root: ClawRoot;

beforeEach(async () => {
  root = await openClawRoot();
});

afterEach(() => root.dispose());

const COMMON = {
  timestamp: '2026-04-22T10:10:00Z',
  exit_code: 1,
  output_format: 'json',
  schema_version: '2.0',
};
const JSON_FORMAT = ['--output-format', 'json'];

test.each([
  [['list-sesions'], 'unknown command "list-sesions"', 'did you mean claw list-sessions?'],
  [['--verison'], 'unknown option --verison', 'did you mean --version?'],
  [['runs', 'lst'], 'unknown command "runs lst"', 'did you mean claw runs list?'],
])('%j: what was probably meant is said in every format', async (args, message, hint) => {
  const command = args[0]?.startsWith('-') ? '<missing>' : args[0];

  const current = await root.claw([...args, ...JSON_FORMAT]);
  const legacy = await root.claw(['--legacy-envelope', ...JSON_FORMAT, ...args]);
  const text = await root.claw(args);

  expect(current).toMatchObject({ code: 1, stderr: '' });
  expect(JSON.parse(steady(current.stdout, root.path))).toEqual({
    ...COMMON,
    command,
    error: {
      kind: 'parse',
      operation: 'parse_arguments',
      target: command,
      retryable: false,
      message,
      hint,
    },
  });
  expect(legacy).toMatchObject({ code: 1, stderr: '' });
  expect(JSON.parse(legacy.stdout)).toEqual({
    type: 'error',
    error: message,
    kind: 'cli_parse',
    hint,
  });
  expect(text).toMatchObject({ code: 2, stdout: '', stderr: `error: ${message}\nhint: ${hint}\n` });
});

test('CLAW_OUTPUT_FORMAT asks for JSON, and a flag wins over it', async () => {
  const env = { CLAW_OUTPUT_FORMAT: 'json' };

  const asked = await root.claw(['tool-pool', '--simple-mode'], { env });
  const refused = await root.claw(['tool-pool', '--output-format', 'yaml'], { env });
  const text = await root.claw(['tool-pool', '--simple-mode', '--output-format=text'], { env });

  expect(JSON.parse(asked.stdout)).toMatchObject({ command: 'tool-pool', tool_count: 3 });
  expect(JSON.parse(refused.stdout)).toMatchObject({
    exit_code: 1,
    error: {
      kind: 'parse',
      message: 'option --output-format must be text, json (it is "yaml")',
    },
  });
  expect(text.stdout).toMatch(/^# Tool Pool\n/);
});

test.each([[['list-sessions']], [['command-graph', ...JSON_FORMAT]], [['--version']], [['help']]])(
  '%j: a reader that leaves early is no fault',
  async (args) => {
    const started = root.start(args);
    started.child.stdout?.destroy();

    expect(await started.ended).toMatchObject({ code: 0, stdout: '', stderr: '' });
  },
);

test.each([
  [['list-sessions'], 'error: standard output could not be written (ENOSPC)\n'],
  [['list-sessions', ...JSON_FORMAT], 'error: standard output could not be written (ENOSPC)\n'],
  [['--version'], ''],
])('%j on a full disk is no success', async (args, stderr) => {
  const full = await open('/dev/full', 'w');
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: root.path,
    env: CLEAN_ENV,
    stdio: ['ignore', full.fd, 'pipe'],
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });

  const [code] = await once(child, 'close');
  await full.close();

  expect([code, said]).toEqual([1, stderr]);
});

test('a working directory that was removed is told, with a document', async () => {
  const folder = join(root.path, 'gone');
  await mkdir(folder);
  const script = `cd "${folder}" && rmdir "${folder}" && exec "${process.execPath}" "${PROGRAM}" list-sessions --output-format json`;
  const child = spawn('/bin/sh', ['-c', script], { env: CLEAN_ENV });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk;
  });

  const [code] = await once(child, 'close');
  await rm(folder, { recursive: true, force: true });

  expect(code).toBe(1);
  expect(JSON.parse(steady(stdout, root.path))).toEqual({
    ...COMMON,
    command: 'list-sessions',
    error: {
      kind: 'filesystem',
      operation: 'getcwd',
      target: '.',
      retryable: true,
      message: 'the working directory does not exist any more',
      hint: 'change to another directory',
    },
  });
});

test('a program of which a part is missing says so in the format that was asked for', async () => {
  const program = join(root.path, 'claw.cjs');
  await cp(PROGRAM, program);
  await cp(join(dirname(PROGRAM), 'chunks'), join(root.path, 'chunks'), {
    recursive: true,
    filter: (file) => !basename(file).startsWith('start-'),
  });
  const child = spawn(process.execPath, [program, 'list-sessions', ...JSON_FORMAT], {
    cwd: root.path,
    env: CLEAN_ENV,
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      said[name] += chunk;
    });
  }

  const [code] = await once(child, 'close');

  expect([code, said.stderr]).toEqual([1, '']);
  expect(JSON.parse(steady(said.stdout, root.path))).toEqual({
    ...COMMON,
    command: 'list-sessions',
    error: {
      kind: 'unknown',
      operation: 'load_program',
      target: '/srv/project/claw.cjs',
      retryable: false,
      message: 'the program could not be loaded',
      hint: 'install it again: a part of it is missing or damaged',
    },
  });
});
