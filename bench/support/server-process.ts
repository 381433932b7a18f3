import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { encodeRequest, openConnection } from './http-connection.ts';
import { readOptions } from './options.ts';
import { readCpuSeconds } from './process-usage.ts';
import { openTempDir } from './temp-dir.ts';

export const TOKEN = 'bench-token-0123456789abcdef';
const START_TIMEOUT_MS = 20_000;
const POLL_MS = 2;

export interface ServerProcess {
  readonly pid: number;
  readonly port: number;
  /** From the spawn to the first 200, in milliseconds. */
  readonly startMs: number;
  readonly root: string;
  /** Waits until the process has nothing more to do, so that its aftermath is not counted as somebody else's time. */
  awaitQuiet(): Promise<void>;
  /** At once, or as an operator would. */
  stop(signal?: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

export interface ServerSetup {
  /** Merged into the configuration file. */
  readonly config?: Readonly<Record<string, object>>;
  /** Steps of the scripted model; without them the offline one answers. */
  readonly script?: readonly object[];
  readonly env?: Readonly<Record<string, string>>;
  /** A state root that exists already; absent, a fresh one. */
  readonly root?: string;
}

/** The built program as an operator runs it, `claw serve` on a state root of its own. */
export async function openServerProcess(setup: ServerSetup = {}): Promise<ServerProcess> {
  const dir = openTempDir();
  const root = setup.root ?? dir.path;
  prepareRoot(root, setup);
  const port = await findFreePort();
  const { program, profileDir } = readOptions();
  const profiling = profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileDir}`];
  const args = [...profiling, program, 'serve', '--root', root, '--port', String(port)];
  const spawnedAt = performance.now();
  const child = spawn(process.execPath, args, { env: toEnvironment(setup), stdio: 'ignore' });
  const pid = child.pid ?? 0;
  const kill = () => child.kill('SIGKILL');
  // Before its files are removed: what still writes to them would keep that from happening.
  process.prependOnceListener('exit', kill);
  await awaitFirstAnswer(port, child);
  return {
    pid,
    port,
    startMs: performance.now() - spawnedAt,
    root,
    awaitQuiet: () => awaitQuiet(pid),
    async stop(signal = 'SIGKILL') {
      process.off('exit', kill);
      // A profile is written at the end, and only by a process that ends by itself.
      await end(child, profileDir === undefined ? signal : 'SIGTERM');
      dir.remove();
    },
  };
}

export function prepareRoot(root: string, { config, script }: ServerSetup): void {
  const stateDir = join(root, '.openclawssy');
  mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  if (config) writeFileSync(join(stateDir, 'config.json'), JSON.stringify(config), { mode: 0o600 });
  if (script) writeFileSync(join(root, 'script.json'), JSON.stringify({ steps: script }));
}

export function toEnvironment({ script, env }: ServerSetup): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    API_BEARER_TOKEN: TOKEN,
    CLAW_MODEL: script ? 'scripted/script.json' : 'offline/rules',
    CLAW_ALLOW_SCRIPTED_MODEL: '1',
    // The most that may be set: the load must meet the server and not its rate limit.
    API_RATE_LIMIT_MAX: '1000000',
    API_RATE_LIMIT_WINDOW_MS: '1000',
    ...env,
  };
}

/** Known before the start, so that nothing has to be read from the server to reach it. */
async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

async function awaitFirstAnswer(port: number, child: ChildProcess): Promise<void> {
  const request = encodeRequest({ method: 'GET', path: '/healthz' });
  const endsAt = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < endsAt) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    const connection = await openConnection(port).catch(() => undefined);
    if (connection) {
      const { status } = await connection.send(request);
      connection.close();
      if (status === 200) return;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`no answer from the server within ${START_TIMEOUT_MS} ms`);
}

const QUIET_SHARE = 0.05;
const QUIET_WINDOW_MS = 250;
const MAX_QUIET_WAIT_MS = 15_000;

export async function awaitQuiet(pid: number): Promise<void> {
  const endsAt = performance.now() + MAX_QUIET_WAIT_MS;
  while (performance.now() < endsAt) {
    const before = readCpuSeconds(pid);
    await new Promise((resolve) => setTimeout(resolve, QUIET_WINDOW_MS));
    const share = (readCpuSeconds(pid) - before) / (QUIET_WINDOW_MS / 1000);
    if (share <= QUIET_SHARE) return;
  }
}

export interface ScriptServer {
  readonly port: number;
  stop(): Promise<void>;
}

export function openEchoServer(): Promise<ScriptServer> {
  return openScriptServer('echo-server');
}

/** A child of ours, `support/<name>.ts`, that prints its URL as a line of its own. */
export async function openScriptServer(
  name: string,
  args: readonly string[] = [],
): Promise<ScriptServer> {
  const entry = join(import.meta.dirname, `${name}.mjs`);
  const child = spawn(process.execPath, [entry, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  process.prependOnceListener('exit', () => child.kill('SIGKILL'));
  const url = await readUrl(child.stdout);
  return { port: Number(url.port), stop: () => end(child, 'SIGKILL') };
}

async function readUrl(stdout: Readable): Promise<URL> {
  let printed = '';
  for await (const chunk of stdout.iterator({ destroyOnReturn: false })) {
    printed += String(chunk);
    const line = /^http:.*$/m.exec(printed)?.[0];
    if (line !== undefined && printed.endsWith('\n')) {
      stdout.resume();
      return new URL(line);
    }
  }
  throw new Error(`no address was printed: ${printed}`);
}

export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}
