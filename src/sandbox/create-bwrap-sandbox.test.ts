import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findWhyNoBwrap } from '../../test/support/find-bwrap.ts';
import { openTempRoot, type TempRoot } from '../../test/support/temp-root.ts';
import { RuntimeError } from '../core/errors.ts';
import type { Protection, SandboxCommand, SandboxResult } from '../core/sandbox/sandbox.ts';
import { type BwrapConfig, createBwrapSandbox } from './create-bwrap-sandbox.ts';

let root: TempRoot;
let workspace: string;

beforeEach(async () => {
  root = await openTempRoot();
  workspace = join(root.path, 'workspace');
  await mkdir(workspace);
  await writeFile(join(root.path, 'secret.txt'), 'outside');
});

afterEach(() => root.remove());

const missing = await findWhyNoBwrap('tests on bwrap');

interface Options extends Partial<SandboxCommand> {
  readonly config?: Partial<BwrapConfig>;
  readonly signal?: AbortSignal;
}

async function sh(script: string, options: Options = {}): Promise<SandboxResult> {
  const { config, signal = new AbortController().signal, ...rest } = options;
  const command = { command: 'bash', args: ['-c', script], timeoutMs: 10_000 };
  const sandbox = createBwrapSandbox({ workspace, ...config });
  return sandbox.run({ ...command, maxOutputBytes: 64 * 1024, ...rest }, signal);
}

async function output(script: string, options: Options = {}): Promise<string> {
  const { stdout, stderr } = await sh(script, options);
  return stdout.text + stderr.text;
}

/** Processes on this machine whose command line holds the word. */
async function findProcesses(word: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
    } catch {
      return false;
    }
  });
}

async function expectNoProcess(word: string): Promise<void> {
  await expect.poll(() => findProcesses(word), { timeout: 5_000 }).toEqual([]);
}

describe.skipIf(missing !== undefined)('bwrap', () => {
  test('runs a command in the workspace and gives its streams and status', async () => {
    const result = await sh('echo out; echo err >&2; pwd; exit 3');

    expect(result).toEqual({
      end: { how: 'exited', exitCode: 3 },
      stdout: { text: `out\n${workspace}\n`, totalBytes: 5 + workspace.length, truncated: false },
      stderr: { text: 'err\n', totalBytes: 4, truncated: false },
    });
  });

  test('lets commands write the workspace and nothing else', async () => {
    const places = ['/', '/usr', '/etc', '/dev', '/proc/sys', root.path, '/home', '/var', '/sys'];
    const tries = places.map((place) => `touch ${place}/planted && echo wrote ${place}`);

    const text = await output(`echo kept > kept.txt; { ${tries.join('; ')}; } 2>/dev/null`);

    // The directory above the workspace lies in the private /tmp here, so only the real one matters.
    expect(text.replace(`wrote ${root.path}\n`, '')).toBe('');
    expect(await readFile(join(workspace, 'kept.txt'), 'utf8')).toBe('kept\n');
    expect((await readdir(root.path)).sort()).toEqual(['secret.txt', 'workspace']);
    expect(places.filter((place) => existsSync(join(place, 'planted')))).toEqual([]);
  });

  test.each([
    '/etc/shadow',
    '/etc/ssh/sshd_config',
    '/root/.bashrc',
    '/home',
    '/var/log',
    '/proc/1/environ',
    '/sys/kernel',
    '/run/docker.sock',
    '/dev/sda',
    '/dev/mem',
    '/proc/kcore',
  ])('gives nothing of %s', async (path) => {
    const { stdout } = await sh(`cat ${path} || ls ${path}`);

    // The first process in there is the sandbox's own, with the environment that commands have anyway.
    expect(stdout.text.replaceAll(/[A-Z]+=[^\0]*\0/g, '')).toBe('');
  });

  test('shows no file beside the workspace, also through links out of it', async () => {
    await symlink('../secret.txt', join(workspace, 'link'));
    await symlink(join(root.path, 'secret.txt'), join(workspace, 'absolute'));

    const { stdout } = await sh(`cat link absolute ../secret.txt ${root.path}/secret.txt`);

    expect(stdout.text).toBe('');
  });

  test('has no account names of the machine, and a user without any privilege', async () => {
    const text = await output(
      'id; cut -d: -f1 /etc/passwd; grep CapEff /proc/self/status; cat /etc/hostname',
    );

    expect(text.split('\n').slice(0, 4)).toEqual([
      'uid=1000(agent) gid=1000(agent) groups=1000(agent)',
      'agent',
      'nobody',
      'CapEff:\t0000000000000000',
    ]);
  });

  test('lets nobody change the kernel, even when the server runs as root', async () => {
    const settings = ['kernel/core_pattern', 'kernel/panic', 'vm/swappiness', 'fs/file-max'];
    const tries = settings.map((name) => {
      // The value that it has, so that a hole would not harm the machine of the test.
      const path = `/proc/sys/${name}`;
      return `v=$(cat ${path}); echo "$v" > ${path} && echo wrote ${name}`;
    });

    const { stdout } = await sh(`${tries.join('\n')}\nmount -t tmpfs x /mnt && echo mounted\ntrue`);

    expect(stdout.text).toBe('');
  });

  test('has no network, not even the machine it runs on', async () => {
    const server = createServer((_, response) => response.end('reached'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;

    const script = [
      `(exec 3<>/dev/tcp/127.0.0.1/${port}) && echo connected`,
      '(exec 3<>/dev/tcp/1.1.1.1/80) && echo connected',
      'tail -n +3 /proc/net/dev | cut -d: -f1',
    ].join('\n');
    const { stdout } = await sh(script);
    await new Promise((resolve) => server.close(resolve));

    expect(stdout.text.trim()).toBe('lo');
  });

  test('sees and kills no process outside', async () => {
    const script = `kill -9 ${process.pid} && echo killed; ls -d /proc/[0-9]* | wc -l; kill -9 -1`;
    const { stdout } = await sh(script);

    // The launcher, the shell, ls and wc, and one for a shell that forks for the pipe.
    expect(Number(stdout.text)).toBeLessThan(8);
    expect(process.kill(process.pid, 0)).toBe(true);
  });

  test('passes on nothing of the environment but what is named', async () => {
    process.env['PINCER_TEST_SECRET'] = 'leaked';

    const text = await output('env', { env: { CI: 'true' }, config: { env: { EXTRA: 'given' } } });
    delete process.env['PINCER_TEST_SECRET'];

    const names = text
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0]);
    // Those of the shell itself, and those that keep git from running what a repository names.
    expect(names.filter((name) => !/^(?:SHLVL|_|OLDPWD|GIT_.*)$/.test(name ?? '')).sort()).toEqual([
      'CI',
      'EXTRA',
      'HOME',
      'LANG',
      'LOGNAME',
      'PATH',
      'PWD',
      'SHELL',
      'TERM',
      'TMPDIR',
      'USER',
    ]);
  });

  test('leaves the command no descriptor but its own three streams', async () => {
    expect(
      await output('for f in 3 4 5 6 7 8 9; do [ -e /proc/self/fd/$f ] && echo $f; done; true'),
    ).toBe('');
  });

  test('hides the state of the runtime and keeps control files from being written', async () => {
    const protect = (name: string): Protection => {
      if (name === '.openclawssy' || name === '.claw') return 'hidden';
      return name === 'SOUL.md' ? 'read_only' : 'open';
    };
    await mkdir(join(workspace, '.openclawssy'));
    await mkdir(join(workspace, 'vault'));
    await writeFile(join(workspace, '.openclawssy/token'), 'token');
    await writeFile(join(workspace, '.claw'), 'a file');
    await writeFile(join(workspace, 'vault/key'), 'key');
    await writeFile(join(workspace, 'SOUL.md'), 'soul');

    const script = [
      'cat .openclawssy/token .claw vault/key; ls -A .openclawssy vault',
      'echo x > .openclawssy/new; echo x > .claw; mv .openclawssy moved; rm -rf vault',
      'cat SOUL.md; echo changed > SOUL.md; mv SOUL.md other.md',
    ].join('\n');
    const { stdout } = await sh(script, {
      config: { protect, reserved: [join(workspace, 'vault')] },
    });

    expect(stdout.text).toBe('.openclawssy:\n\nvault:\nsoul');
    expect((await readdir(workspace)).sort()).toEqual([
      '.claw',
      '.openclawssy',
      'SOUL.md',
      'vault',
    ]);
    expect(await readFile(join(workspace, '.openclawssy/token'), 'utf8')).toBe('token');
    expect(await readFile(join(workspace, 'vault/key'), 'utf8')).toBe('key');
    expect(await readFile(join(workspace, 'SOUL.md'), 'utf8')).toBe('soul');
  });

  test('kills a command that ignores every signal it can, with all its children', async () => {
    const script = `trap '' TERM INT HUP; (trap '' TERM; sleep 61.0417) & sleep 61.0417`;

    const { end } = await sh(script, { timeoutMs: 300 });

    expect(end).toEqual({ how: 'timed_out' });
    await expectNoProcess('61.0417');
  });

  test('kills on abort and throws what the caller gave as the reason', async () => {
    const controller = new AbortController();
    const running = sh('echo ready > ready; sleep 62.0417', { signal: controller.signal });
    await expect.poll(() => existsSync(join(workspace, 'ready')), { timeout: 5_000 }).toBe(true);

    controller.abort(new RuntimeError('cancelled', 'the run was cancelled'));

    await expect(running).rejects.toThrow('the run was cancelled');
    await expectNoProcess('62.0417');
  });

  test('leaves no daemon behind when the command itself is done', async () => {
    const { end, stdout } = await sh('setsid nohup sleep 63.0417 & disown; echo done');

    expect([end, stdout.text]).toEqual([{ how: 'exited', exitCode: 0 }, 'done\n']);
    await expectNoProcess('63.0417');
  });

  test('ends a command that makes too many processes', async () => {
    // Bounded by itself: a real bomb would starve the machine that the other tests run on.
    const { end } = await sh('for i in $(seq 400); do sleep 64.0417 & done; sleep 64.0417', {
      config: { limits: { maxProcesses: 100 } },
      timeoutMs: 15_000,
    });

    // The kernel refuses further processes to an ordinary user; for root it does not and the watch ends the tree.
    expect(['exited', 'process_limit', 'timed_out']).toContain(end.how);
    if (process.getuid?.() === 0) {
      expect(end).toEqual({ how: 'process_limit', maxProcesses: 100 });
    }
    await expectNoProcess('64.0417');
  });

  test('survives a flood of output in little memory, and ends it', async () => {
    const before = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;

    const { end, stdout } = await sh('head -c 1G /dev/zero | tr "\\0" x', {
      maxOutputBytes: 10_000,
      config: { limits: { maxTotalOutputBytes: 64 * 1024 ** 2 } },
    });
    const { arrayBuffers, heapUsed } = process.memoryUsage();

    expect(end).toEqual({ how: 'output_limit', maxBytes: 64 * 1024 ** 2 });
    expect(stdout.text.length).toBeLessThan(10_100);
    expect(arrayBuffers + heapUsed - before).toBeLessThan(48 * 1024 ** 2);
  });

  test('keeps a file, the memory and the private /tmp within their bounds', async () => {
    const MiB = 1024 ** 2;
    const limits = { maxFileBytes: MiB, maxMemoryBytes: 256 * MiB, maxTmpBytes: MiB };

    const text = await output(
      [
        'head -c 4M /dev/zero > big; wc -c < big',
        'head -c 900K /dev/zero > /tmp/a; head -c 900K /dev/zero > /tmp/b; wc -c /tmp/a /tmp/b | tail -1 | tr -dc 0-9; echo',
        'dd if=/dev/zero of=/dev/null bs=512M count=1',
      ].join('\n'),
      { config: { limits } },
    );

    const [file, tmpBytes] = text
      .split('\n')
      .filter((line) => /^\d+$/.test(line))
      .map(Number);
    expect([file, (tmpBytes ?? MiB + 1) <= MiB]).toEqual([MiB, true]);
    expect(text).toContain('memory exhausted');
  });

  test('reports a death by signal as shells do, with its name', async () => {
    const { end } = await sh('kill -SEGV $$');

    expect(end).toEqual({ how: 'exited', exitCode: 139, signal: 'SIGSEGV' });
  });

  test('tells a command that does not exist from one that fails', async () => {
    const absent = await sh('', { command: 'no-such-program', args: [] });
    const failing = await sh('no-such-program');

    expect(absent.end).toEqual({ how: 'not_found' });
    expect(failing.end).toEqual({ how: 'exited', exitCode: 127 });
  });

  test('runs in a directory of the workspace and refuses one outside', async () => {
    await mkdir(join(workspace, 'sub'));

    expect(await output('pwd', { cwd: 'sub' })).toBe(`${workspace}/sub\n`);
    await expect(sh('pwd', { cwd: '../..' })).rejects.toMatchObject({ code: 'policy_denied' });
  });

  test('says that the sandbox is unavailable when it cannot be made, and runs nothing', async () => {
    await expect(sh('touch ran', { cwd: 'missing' })).rejects.toMatchObject({
      code: 'sandbox_unavailable',
    });
    await expect(
      sh('touch ran', { config: { readOnlyPaths: ['/no/such/directory'] } }),
    ).rejects.toMatchObject({ code: 'sandbox_unavailable' });
    expect(await readdir(workspace)).toEqual([]);
  });

  test('reports in a probe that it works, and which protections are missing', async () => {
    const probe = await createBwrapSandbox({ workspace }).probe();

    expect(probe).toMatchObject({
      available: true,
      version: expect.stringContaining('bubblewrap'),
    });
  });
});

test('reports in a probe why it does not work, and refuses to run', async () => {
  const sandbox = createBwrapSandbox({ workspace, program: '/no/such/bwrap' });
  const command = { command: 'true', args: [], timeoutMs: 1_000, maxOutputBytes: 100 };

  expect(await sandbox.probe()).toEqual({
    available: false,
    reason: "sandbox bwrap can't start: the program /no/such/bwrap can't be run (ENOENT)",
  });
  await expect(sandbox.run(command, new AbortController().signal)).rejects.toMatchObject({
    code: 'sandbox_unavailable',
  });
});
