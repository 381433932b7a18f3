import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { RuntimeError } from '../../../core/errors.ts';
import type { ProgramStream } from '../print/output-stream.ts';
import type { ProgramParts, StateRoot } from './context.ts';
import { runProgram } from './run-program.ts';

interface Options {
  readonly parts?: Partial<ProgramParts>;
  readonly interrupt?: AbortSignal;
  readonly crash?: Promise<never>;
  readonly stdout?: ProgramStream;
  readonly findRoot?: () => StateRoot;
}

/** The program with these parts; any other is not expected to be asked for. */
async function run(argv: readonly string[], options: Options = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const parts = {
    version: '1.2.3',
    findClosestName: async () => undefined,
    hasState: () => true,
    ...options.parts,
  };
  const exitCode = await runProgram({
    argv,
    stdin: new PassThrough(),
    stdout: options.stdout ?? stdout,
    stderr,
    environment: { outputFormat: undefined, noColor: true },
    findRoot: options.findRoot ?? ((flag) => ({ path: flag ?? '/root', from: 'flag' })),
    parts: parts as ProgramParts,
    interrupt: options.interrupt ?? new AbortController().signal,
    crash: options.crash ?? new Promise(() => {}),
  });
  return { exitCode, stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') };
}

const JSON_FORMAT = ['--output-format', 'json'];
const never = <T>() => new Promise<T>(() => {});

test('a defect is one document of the kind unknown, without its message or stack', async () => {
  const prepareRoot = async () => {
    throw new TypeError('token=hunter2 is not a function');
  };

  const { exitCode, stdout, stderr } = await run(['init', ...JSON_FORMAT], {
    parts: { prepareRoot },
  });

  expect(exitCode).toBe(1);
  expect(stderr).toBe('');
  expect(stdout).not.toContain('hunter2');
  expect(JSON.parse(stdout)).toMatchObject({
    command: 'init',
    exit_code: 1,
    error: {
      kind: 'unknown',
      operation: 'init',
      target: '/root',
      retryable: false,
      message: 'internal error',
    },
  });
});

test('a defect shows where it is on standard error in text mode', async () => {
  const prepareRoot = async () => {
    throw new TypeError('boom');
  };

  const { exitCode, stdout, stderr } = await run(['init'], { parts: { prepareRoot } });

  expect([exitCode, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^error: internal error\nhint: .*\nTypeError: boom\n\s+at /);
});

test('what nobody caught ends the program with a document too', async () => {
  const crash = Promise.reject(new Error('from a timer'));

  const { exitCode, stdout } = await run(['init', ...JSON_FORMAT], {
    parts: { prepareRoot: never },
    crash,
  });

  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ exit_code: 1, error: { kind: 'unknown' } });
});

test('a signal ends a command that does not listen for it: 130 for people, a document and 1 for scripts', async () => {
  const interrupt = AbortSignal.abort(130);

  const said = await run(['init'], { parts: { prepareRoot: never }, interrupt });
  const document = await run(['init', ...JSON_FORMAT], {
    parts: { prepareRoot: never },
    interrupt,
  });

  expect(said).toEqual({ exitCode: 130, stdout: '', stderr: 'error: interrupted\n' });
  expect(document.exitCode).toBe(1);
  expect(JSON.parse(document.stdout)).toMatchObject({
    exit_code: 1,
    error: { kind: 'runtime', message: 'interrupted' },
  });
});

test('a server that fails to stop adds no second document', async () => {
  const serve = async () => ({
    url: 'http://127.0.0.1:1',
    model: 'offline/rules',
    engine: 'sqlite',
    workspaceDir: '/root/workspace',
    created: [],
    warnings: [],
    tokenIn: { file: '/root/token' },
    createDashboardLink: () => 'http://127.0.0.1:1/dashboard/',
    close: async () => {
      throw new RuntimeError('storage_unavailable', 'the disk is gone');
    },
  });

  const { exitCode, stdout, stderr } = await run(['serve', ...JSON_FORMAT], {
    parts: { serve },
    interrupt: AbortSignal.abort(143),
  });

  expect([exitCode, stderr]).toEqual([1, '']);
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
});

test('the timestamp is UTC in whole seconds, when the command ended', async () => {
  const { stdout } = await run(['version', ...JSON_FORMAT]);
  const { timestamp } = JSON.parse(stdout);

  expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(Math.abs(Date.now() - Date.parse(timestamp))).toBeLessThan(5_000);
});

test('a version of the envelope that does not exist is refused in the one that was asked for beside it', async () => {
  const { stdout } = await run([
    'version',
    ...JSON_FORMAT,
    '--legacy-envelope',
    '--envelope-version=3',
  ]);

  expect(JSON.parse(stdout)).toEqual({
    type: 'error',
    error: 'option --envelope-version must be 1.0, 2.0 (it is "3")',
    kind: 'cli_parse',
    hint: null,
  });
});

test('a result that can not be written down is a defect with a document', async () => {
  const created: unknown[] = [];
  created.push(created);
  const prepareRoot = async () => ({
    created: created as string[],
    existing: [],
    warnings: [],
    workspaceDir: '/root/workspace',
  });

  const { exitCode, stdout } = await run(['init', ...JSON_FORMAT], { parts: { prepareRoot } });

  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ exit_code: 1, error: { kind: 'unknown' } });
});

test('a working directory that was removed is named, not called a defect', async () => {
  const findRoot = () => {
    throw Object.assign(new Error('ENOENT: no such file or directory, uv_cwd'), {
      code: 'ENOENT',
      syscall: 'uv_cwd',
    });
  };

  const { stdout } = await run(['init', ...JSON_FORMAT], { findRoot });

  expect(JSON.parse(stdout)).toMatchObject({
    error: { kind: 'filesystem', message: 'the working directory does not exist any more' },
  });
});

test.each([
  ['EPIPE', { exitCode: 0, stdout: '', stderr: '' }],
  [
    'ENOSPC',
    { exitCode: 1, stdout: '', stderr: 'error: standard output could not be written (ENOSPC)\n' },
  ],
])('an answer lost to %s', async (code, ended) => {
  const stdout: ProgramStream = {
    write: (_text, done) => done(Object.assign(new Error('lost'), { code })),
    on: () => undefined,
  };

  expect(await run(['version'], { stdout })).toEqual(ended);
});
