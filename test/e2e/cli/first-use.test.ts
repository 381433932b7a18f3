import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PROGRAM } from '../../support/program.ts';
import { CLEAN_ENV, type ClawOptions, type ClawRoot, openClawRoot } from './claw.ts';

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
  ['tool', 'list'],
  ['policy', 'list'],
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

/** Root may write everywhere, so that it has to be somebody else. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const nobody: ClawOptions = isRoot ? { userId: NOBODY } : {};
const obstacle = findObstacle();

/** The program may lie where nobody but its owner gets to. */
function findObstacle(): string | undefined {
  const as = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  const { status } = spawnSync(process.execPath, [PROGRAM, 'version'], { cwd: '/', ...as });
  return status === 0 ? undefined : 'another user can not start the program here';
}

const skipped = obstacle === undefined ? '' : ` (skipped: ${obstacle})`;

test.skipIf(obstacle !== undefined)(
  `a directory that can not be written can be looked at, and doctor says what is wrong${skipped}`,
  { timeout: SWEEP_TIMEOUT_MS },
  async () => {
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
  },
);

test.skipIf(obstacle !== undefined)(
  `a state root that belongs to somebody else is told apart from a broken one${skipped}`,
  async () => {
    await root.claw(['init']);
    await chmod(root.path, 0o755);
    if (!isRoot) await chmod(join(root.path, '.openclawssy'), 0o000);

    const named = ['--root', root.path];
    const doctor = await ask(['doctor', ...named], nobody);
    const asked = await ask(['ask', 'hello', ...named], nobody);
    const unnamed = await ask(['ask', 'hello'], nobody);
    await chmod(join(root.path, '.openclawssy'), 0o700);

    expect(doctor.error?.message).toBe('2 of 4 checks failed: state_root, config');
    expect(asked.error).toMatchObject({
      kind: 'filesystem',
      target: expect.stringContaining(join(root.path, '.openclawssy')),
      message: expect.stringContaining('permission denied (EACCES)'),
    });
    const reason = isRoot ? 'belongs to user 0, and this is user' : 'permission denied (EACCES)';
    expect(unnamed.error?.message).toContain(reason);
  },
);

/** A line of a shell, in which `"$@"` is the program; other words of it begin with `$CLAW_TEST_`. */
async function inShell(line: string, args: readonly string[], env: Record<string, string> = {}) {
  const shell = spawn('sh', ['-c', line, 'sh', process.execPath, PROGRAM, ...args], {
    cwd: root.path,
    env: { ...CLEAN_ENV, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    shell[name].setEncoding('utf8').on('data', (chunk: string) => {
      said[name] += chunk;
    });
  }
  const [code] = await once(shell, 'close');
  return { code, ...said };
}

test('a working directory that was removed is no obstacle when a root is named', async () => {
  const gone = await mkdtemp(join(tmpdir(), 'pincer-gone-'));
  const line = 'cd "$CLAW_TEST_GONE" && rmdir "$CLAW_TEST_GONE" && exec "$@"';

  const { code, stdout, stderr } = await inShell(line, ['init', '--root', root.path], {
    CLAW_TEST_GONE: gone,
  });

  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain(`claw serve --root ${root.path} starts the server\n`);
});

test('a standard output that is closed is nobody to talk to', async () => {
  for (const args of [['doctor'], ['status', '--output-format', 'json']]) {
    expect(await inShell('exec "$@" >&-', args)).toEqual({ code: 0, stdout: '', stderr: '' });
  }
});

const hasFullDevice = existsSync('/dev/full');

test.skipIf(!hasFullDevice)(
  `a document that can not be written is no success${hasFullDevice ? '' : ' (skipped: no /dev/full)'}`,
  async () => {
    const ended = await inShell('exec "$@" >/dev/full', ['doctor', '--output-format', 'json']);

    expect(ended).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: standard output could not be written (ENOSPC)\n',
    });
  },
);
