import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { SystemUser } from './guarded-process.ts';

export function findOnPath(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** Debian keeps the server programs of each PostgreSQL version off the PATH. */
export function findInDebianPostgres(name: string): string | undefined {
  const base = '/usr/lib/postgresql';
  const versions = listFolder(base).sort((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(base, version, 'bin', name)).find(isExecutable);
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

export function findUser(...names: readonly string[]): SystemUser | undefined {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of names) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}

/** Installs a Debian package; returns the reason when that is not possible. */
export async function installPackage(name: string): Promise<string | undefined> {
  const aptGet = findOnPath('apt-get');
  if (!aptGet) return `${name} is not installed and there is no apt-get to install it with`;
  if (!isRoot()) return `${name} is not installed and only root can install it`;
  process.stderr.write(`pincer: installing the Debian package ${name} for the tests …\n`);
  const lock = ['-o', 'DPkg::Lock::Timeout=300'];
  const steps = [
    ['update', '-qq', ...lock],
    ['install', '-y', '-qq', '--no-install-recommends', ...lock, name],
  ];
  for (const args of steps) {
    const { code, output } = await runQuietly(aptGet, args);
    if (code !== 0) return `apt-get ${args[0]} failed: ${output.trim().slice(-1_000)}`;
  }
  return undefined;
}

export async function runQuietly(
  command: string,
  args: readonly string[],
  user?: SystemUser,
): Promise<{ code: number; output: string }> {
  // Runlevel 1 keeps packages from starting their own service on the default port.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const child = spawn(command, args, { cwd: '/', env, stdio: ['ignore', 'pipe', 'pipe'], ...user });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = await once(child, 'close');
  return { code: code ?? 1, output };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
