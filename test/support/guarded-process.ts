import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Runs an engine and ends it when our end of standard input closes, which also happens when we are
 * killed with SIGKILL. The folder goes with it unless it holds a file named `keep`.
 */
const GUARD = `
exec 3<&0
"$@" </dev/null >>"$GUARD_FOLDER/log" 2>&1 3<&- &
engine=$!
echo "$engine"
( cat <&3; kill -INT "$engine"; sleep 10; kill -KILL "$engine" ) >/dev/null 2>&1 &
watcher=$!
wait "$engine"
code=$?
kill "$watcher" 2>/dev/null
[ -e "$GUARD_FOLDER/keep" ] || rm -rf "$GUARD_FOLDER"
exit "$code"
`;

export interface SystemUser {
  readonly uid: number;
  readonly gid: number;
}

export interface EngineFolder {
  readonly path: string;
  readonly user?: SystemUser | undefined;
}

export interface GuardedProcess {
  readonly pid: number;
  /** Settles when the engine has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Orderly shutdown; with `keep` the folder stays for the next start. */
  stop(options?: { readonly keep?: boolean }): Promise<void>;
  /** SIGKILL to the engine, folder kept. */
  kill(): Promise<void>;
}

export function createEngineFolder(prefix: string, user?: SystemUser): EngineFolder {
  const path = mkdtempSync(join(tmpdir(), prefix));
  if (user) chownSync(path, user.uid, user.gid);
  return { path, user };
}

export async function startGuarded(
  command: readonly string[],
  folder: EngineFolder,
): Promise<GuardedProcess> {
  const keepFile = join(folder.path, 'keep');
  rmSync(keepFile, { force: true });
  const child = spawn('/bin/sh', ['-c', GUARD, 'guard', ...command], {
    cwd: folder.path,
    env: { ...process.env, GUARD_FOLDER: folder.path },
    stdio: ['pipe', 'pipe', 'ignore'],
    // Ctrl-C in a terminal must not reach the engine while tests still use it.
    detached: true,
    ...folder.user,
  });
  child.stdin.on('error', () => {});
  const ended = once(child, 'exit').then(() => {
    child.stdin.destroy();
  });
  const [line] = await once(child.stdout, 'data');
  const pid = Number(String(line).trim());
  // Neither may keep a test process alive that forgot to stop its engine.
  child.unref();
  for (const stream of [child.stdin, child.stdout]) {
    (stream as unknown as { unref(): void }).unref();
  }

  return {
    pid,
    ended,
    stop: async ({ keep = false } = {}) => {
      if (keep) writeFileSync(keepFile, '');
      child.ref();
      child.stdin.end();
      await ended;
      if (!keep) rmSync(folder.path, { recursive: true, force: true });
    },
    kill: async () => {
      writeFileSync(keepFile, '');
      child.ref();
      process.kill(pid, 'SIGKILL');
      await ended;
    },
  };
}

/** Repeats `probe` until it stops throwing, the engine dies or the deadline passes. */
export async function waitUntilReady(
  engine: GuardedProcess,
  folder: EngineFolder,
  probe: () => Promise<void>,
): Promise<void> {
  const deadline = Date.now() + 30_000;
  const log = () => readLog(folder);
  let lastLog = '';
  let hasEnded = false;
  void engine.ended.then(() => {
    hasEnded = true;
  });
  for (;;) {
    try {
      await probe();
      return;
    } catch (error) {
      lastLog = log() || lastLog;
      if (hasEnded || Date.now() > deadline) {
        throw new Error(`engine did not start: ${lastLog.slice(-2_000)}`, { cause: error });
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

function readLog(folder: EngineFolder): string {
  try {
    return readFileSync(join(folder.path, 'log'), 'utf8');
  } catch {
    return '';
  }
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
