import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { findServer } from '../../src/config/state-root/server-file.ts';
import { PROGRAM } from './program.ts';

/** One process of the built program, from its start to its end. */
export interface BuiltServer {
  readonly pid: number;
  /** Its URL once it listens, or undefined when it ended before that. */
  readonly ready: Promise<string | undefined>;
  /** How it ended, `signal 9` or `code 0`. */
  readonly ended: Promise<string>;
  readonly hasEnded: boolean;
  /** The end of what it printed. */
  output(): string;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<void>;
  /** SIGTERM, as an operator stops it; SIGKILL when it takes too long. Resolves to how it ended. */
  stop(): Promise<string>;
}

export interface BuiltServerOptions {
  readonly root: string;
  /** The whole environment beside PATH: a developer's keys and settings must not reach it. */
  readonly env: Readonly<Record<string, string>>;
  /** Absent: a free one. */
  readonly port?: number;
}

const READY_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 20_000;
const POLL_MS = 20;
const MAX_OUTPUT_CHARS = 16_384;

const living = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of living) child.kill('SIGKILL');
});

/** For afterEach: whatever a test left behind. */
export async function killBuiltServers(): Promise<void> {
  await Promise.all([...living].map(killChild));
}

/** Starts `claw serve`, as a rule on a free port of its own choice. */
export function startBuiltServer({ root, env, port = 0 }: BuiltServerOptions): BuiltServer {
  if (!existsSync(PROGRAM)) throw new Error(`${PROGRAM} is missing: run \`npm run build\``);
  const child = spawn(process.execPath, [PROGRAM, 'serve', '--port', `${port}`], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', CLAW_ROOT: root, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  living.add(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed = `${printed}${text}`.slice(-MAX_OUTPUT_CHARS);
    });
  }
  const ended = once(child, 'exit').then(([code, signal]) => {
    living.delete(child);
    return signal === null ? `code ${code}` : `signal ${signal}`;
  });
  const output = () => printed;
  return {
    pid: child.pid ?? 0,
    ready: awaitUrl(child, root, output),
    ended,
    get hasEnded() {
      return hasEnded(child);
    },
    output,
    kill: () => killChild(child),
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      return ended.finally(() => clearTimeout(timer));
    },
  };
}

/** The published file names the process that wrote it, so a predecessor's entry is not taken for this one's. */
async function awaitUrl(
  child: ChildProcess,
  root: string,
  output: () => string,
): Promise<string | undefined> {
  const deadlineMs = performance.now() + READY_TIMEOUT_MS;
  while (!hasEnded(child)) {
    const server = await findServer(root);
    if (server?.pid === child.pid) return server?.url;
    if (performance.now() > deadlineMs) {
      throw new Error(`the server did not get ready in ${READY_TIMEOUT_MS} ms:\n${output()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return undefined;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function killChild(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
