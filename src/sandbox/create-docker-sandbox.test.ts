import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTempRoot, type TempRoot } from '../../test/support/temp-root.ts';
import type { Protection } from '../core/sandbox/sandbox.ts';
import { createDockerSandbox, type DockerConfig } from './create-docker-sandbox.ts';

let root: TempRoot;
let workspace: string;

beforeEach(async () => {
  root = await openTempRoot();
  workspace = join(root.path, 'work, space');
  await mkdir(join(workspace, '.openclawssy'), { recursive: true });
});

afterEach(() => root.remove());

/** A stand-in for the client program: notes how it was called and then behaves as the script says. */
async function openClient(
  script: string,
): Promise<{ program: string; calls(): Promise<string[][]> }> {
  const program = join(root.path, 'docker');
  const log = join(root.path, 'calls');
  await writeFile(
    program,
    `#!/bin/bash\nprintf '%s\\x1f' "$@" >> ${log}; echo >> ${log}\n${script}\n`,
  );
  await chmod(program, 0o755);
  return {
    program,
    async calls() {
      const lines = (await readFile(log, 'utf8')).trimEnd().split('\n');
      return lines.map((line) => line.split('\x1f').slice(0, -1));
    },
  };
}

function run(
  config: Partial<DockerConfig>,
  timeoutMs = 5_000,
  signal = new AbortController().signal,
) {
  const protect = (name: string): Protection => (name === '.openclawssy' ? 'hidden' : 'open');
  const sandbox = createDockerSandbox({ workspace, image: 'debian:12', protect, ...config });
  return sandbox.run(
    { command: 'ls', args: ['-l', '--'], timeoutMs, maxOutputBytes: 1_000 },
    signal,
  );
}

test('asks for a container without network, privileges or a writable root', async () => {
  const client = await openClient('echo listed');

  const result = await run({ program: client.program, user: { uid: 1001, gid: 1002 } });

  const [args = []] = await client.calls();
  const name = args[args.indexOf('--name') + 1];
  expect(result.stdout.text).toBe('listed\n');
  expect(withoutGit(args)).toEqual(
    [
      [
        'run',
        '--rm',
        '--name',
        name,
        '--pull',
        'never',
        '--init',
        '--network',
        'none',
        '--read-only',
      ],
      ['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--hostname', 'sandbox'],
      ['--user', '1001:1002', '--memory', '4294967296', '--memory-swap', '4294967296'],
      ['--pids-limit', '256', '--ulimit', 'cpu=600', '--ulimit', 'fsize=1073741824'],
      ['--ulimit', 'nofile=1024', '--ulimit', 'core=0'],
      ['--tmpfs', '/tmp:rw,nosuid,nodev,exec,mode=1777,size=268435456'],
      ['--mount', `type=bind,"source=${workspace}","target=${workspace}"`],
      ['--mount', `type=tmpfs,"target=${workspace}/.openclawssy",tmpfs-size=0,tmpfs-mode=0500`],
      ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/tmp'].flatMap(
        env,
      ),
      ['TMPDIR=/tmp', 'USER=agent', 'LOGNAME=agent', 'SHELL=/bin/sh'].flatMap(env),
      ['LANG=C.UTF-8', 'TERM=dumb'].flatMap(env),
      ['--workdir', workspace, '--entrypoint', '', '--', 'debian:12', 'ls', '-l', '--'],
    ].flat(),
  );
});

/** What keeps git from running what a repository names is told and tested elsewhere. */
function withoutGit(args: readonly string[]): readonly string[] {
  return args.filter(
    (arg, index) => !arg.startsWith('GIT_') && !args[index + 1]?.startsWith('GIT_'),
  );
}

function env(setting: string): readonly string[] {
  return ['--env', setting];
}

test('kills the container by its name when the time is up', async () => {
  const client = await openClient('[ "$1" = kill ] || sleep 65.0417');

  const { end } = await run({ program: client.program }, 300);

  const [first = [], second] = await client.calls();
  expect(end).toEqual({ how: 'timed_out' });
  expect(second).toEqual(['kill', first[first.indexOf('--name') + 1]]);
});

test('gives the status of the command, and takes that of the engine for its failure', async () => {
  const failing = await openClient('exit 3');
  expect((await run({ program: failing.program })).end).toEqual({ how: 'exited', exitCode: 3 });

  const engine = await openClient(
    'echo "docker: Error response from daemon: no such image" >&2; exit 125',
  );
  await expect(run({ program: engine.program })).rejects.toMatchObject({
    code: 'sandbox_unavailable',
    message: expect.stringContaining('no such image'),
  });
});

test('tells a command that the image does not have', async () => {
  const words = 'OCI runtime create failed: exec: "ls": executable file not found in $PATH';
  const client = await openClient(`echo '${words}' >&2; exit 127`);

  expect((await run({ program: client.program })).end).toEqual({ how: 'not_found' });
});

test('is unavailable without an engine, says why, and runs nothing', async () => {
  const client = await openClient('echo "Cannot connect to the Docker daemon" >&2; exit 1');
  const sandbox = createDockerSandbox({ workspace, image: 'debian:12', program: client.program });

  expect(await sandbox.probe()).toEqual({
    available: false,
    reason: 'Cannot connect to the Docker daemon',
  });
  expect((await client.calls()).map(([command]) => command)).toEqual(['version']);
});

test('is unavailable without the program', async () => {
  await expect(run({ program: '/no/such/docker' })).rejects.toMatchObject({
    code: 'sandbox_unavailable',
    details: { provider: 'docker', reason: "the program docker can't be run (ENOENT)" },
  });
});
