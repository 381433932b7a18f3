import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CLEAN_ENV, type ClawOptions, type ClawRoot, openClawRoot, PROGRAM } from './claw.ts';

let root: ClawRoot;

beforeEach(async () => {
  root = await openClawRoot();
});

afterEach(() => root.dispose());

interface Answer {
  readonly exit_code: number;
  readonly error?: {
    readonly kind: string;
    readonly target: string;
    readonly message: string;
    readonly hint?: string;
  };
}

/** Runs a command in JSON mode and checks what holds wherever it is called. */
async function ask(args: readonly string[], options: ClawOptions = {}): Promise<Answer> {
  const ended = await root.claw([...args, '--output-format', 'json'], options);
  const answer = JSON.parse(ended.stdout) as Answer;
  expect([args, ended.stderr, ended.code]).toEqual([args, '', answer.exit_code]);
  // A defect is the one kind of error that nobody outside can cause.
  expect([args, answer.error?.kind]).not.toEqual([args, 'unknown']);
  return answer;
}

/** They look, and need nothing that is not there yet. */
const LOOKING: readonly (readonly string[])[] = [
  ['status'],
  ['runs', 'list'],
  ['agents', 'list'],
  ['sessions', 'list'],
  ['schedule', 'list'],
  ['approvals', 'list'],
  ['effects', 'list'],
  ['config', 'get'],
  ['config', 'validate'],
  ['secrets', 'list'],
  ['audit', 'verify'],
  ['list-sessions'],
  ['show-command', 'init'],
  ['show-tool', 'fs.read'],
  ['route', 'list my files'],
  ['command-graph'],
  ['tool-pool'],
  ['bootstrap-graph'],
  ['completion', 'bash'],
  ['schema', 'doctor'],
  ['version'],
  ['help'],
];

/** They make the state root, unless they are not let. */
const MAKING: readonly (readonly string[])[] = [
  ['init'],
  ['ask', 'hello'],
  ['agents', 'create', 'helper'],
  ['schedule', 'add', '--every', '1h', '--message', 'hello'],
  ['config', 'set', 'server.port', '3001'],
  ['secrets', 'set', 'a/b'],
  ['tool', 'list'],
  ['policy', 'list'],
  ['serve', '--port', '0'],
];

const SWEEP_TIMEOUT_MS = 90_000;

test('what only looks works in an empty directory without a home, and leaves it empty', {
  timeout: SWEEP_TIMEOUT_MS,
}, async () => {
  for (const args of LOOKING) {
    const answer = await ask(args, { env: { HOME: '' } });

    expect([args, answer.exit_code]).toEqual([args, 0]);
  }
  expect(await readdir(root.path)).toEqual([]);
});

test('a state root that can not be made is named, with what to do', {
  timeout: SWEEP_TIMEOUT_MS,
}, async () => {
  const blocked = join(root.path, '.openclawssy');
  await writeFile(blocked, 'a file, where a folder should be');

  for (const args of MAKING) {
    const { exit_code, error } = await ask(args, { input: 'a value' });

    expect([args, exit_code, error?.kind, error?.target]).toEqual([args, 1, 'filesystem', blocked]);
  }
  expect(await readdir(root.path)).toEqual(['.openclawssy']);
});

/** Of nobody on Linux. Root may write everywhere, so that it has to be somebody else. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const nobody: ClawOptions = isRoot ? { userId: NOBODY } : {};

test('a directory that can not be written can be looked at, and doctor says what is wrong', {
  timeout: SWEEP_TIMEOUT_MS,
}, async () => {
  await chmod(root.path, 0o555);

  for (const args of LOOKING.slice(0, 12)) {
    const answer = await ask(args, { ...nobody, env: { HOME: '' } });

    expect([args, answer.exit_code]).toEqual([args, 0]);
  }
  const made = await ask(['init'], nobody);
  const doctor = await ask(['doctor'], { ...nobody, env: { CLAW_PORT: '0' } });
  await chmod(root.path, 0o755);

  expect(made.error).toMatchObject({
    kind: 'filesystem',
    target: join(root.path, '.openclawssy'),
    hint: expect.stringContaining('writable'),
  });
  expect(doctor.error).toMatchObject({
    message: expect.stringMatching(/^2 of \d+ checks failed: state_root, workspace$/),
    hint: `chown or chmod ${root.path}, or choose another with --root`,
  });
  expect(await readdir(root.path)).toEqual([]);
});

test('a working directory that was removed is no obstacle when a root is named', async () => {
  const gone = await mkdtemp(join(tmpdir(), 'pincer-gone-'));
  // The shell stands in it while it goes.
  const shell = spawn(
    'sh',
    ['-c', 'cd "$1" && rmdir "$1" && exec "$2" "$3" init --root "$4"', 'sh', gone].concat(
      process.execPath,
      PROGRAM,
      root.path,
    ),
    { env: CLEAN_ENV, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let said = '';
  shell.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });

  const [code] = await once(shell, 'close');

  expect(code).toBe(0);
  expect(said).toContain(`claw serve --root ${root.path} starts the server\n`);
});

test('a full or closed standard output: said on standard error, or nothing to say', async () => {
  const full = openSync('/dev/full', 'w');
  const run = async (stdout: number | 'ignore', ...args: string[]) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd: root.path,
      env: CLEAN_ENV,
      stdio: ['ignore', stdout, 'pipe'],
    });
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    const [code] = await once(child, 'close');
    return { code, stderr };
  };

  const unwritten = await run(full, 'doctor', '--output-format', 'json');
  const unread = await run('ignore', 'status');
  closeSync(full);

  expect(unwritten).toEqual({
    code: 1,
    stderr: 'error: standard output could not be written (ENOSPC)\n',
  });
  expect(unread).toEqual({ code: 0, stderr: '' });
});

test('a root of another user is one finding per cause, and never read', async () => {
  await root.claw(['init']);
  await mkdir(join(root.path, 'open'));
  await chmod(root.path, 0o755);
  if (!isRoot) await chmod(join(root.path, '.openclawssy'), 0o000);

  const doctor = await ask(['doctor'], nobody);
  const asked = await ask(['ask', 'hello'], nobody);
  await chmod(join(root.path, '.openclawssy'), 0o700);
  await rm(join(root.path, 'open'), { recursive: true });

  expect(doctor.error?.message).toBe('2 of 4 checks failed: state_root, config');
  expect(asked.error).toMatchObject({ kind: 'filesystem', message: expect.any(String) });
});
