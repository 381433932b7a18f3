import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readEnvironment } from '../../../src/config/environment.ts';
import { silentLogger } from '../../../src/core/log.ts';
import { openServer } from '../../../src/server.ts';
import { PROGRAM } from '../../support/program.ts';
import { runClaw } from '../../support/run-claw.ts';
import { openTempRoot } from '../../support/temp-root.ts';

/** Nothing of the machine's own settings: a key in the environment would change which model answers. */
export const CLEAN_ENV = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  CLAW_MODEL: 'offline/rules',
};

interface Answered {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Ended extends Answered {
  readonly signal: NodeJS.Signals | null;
}

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves with everything on that stream once it holds `text`; rejects when the program ends without it. */
  saw(stream: 'stdout' | 'stderr', text: string | RegExp): Promise<string>;
}

export interface ClawRoot {
  readonly path: string;
  /** Runs the built program to its end. */
  claw(args: readonly string[], options?: ClawOptions): Promise<Ended>;
  /**
   * Runs the command line in the process of the test, which is many times cheaper. For what is not about the process
   * itself: its streams, signals, user, working directory or cold start.
   */
  inline(args: readonly string[], options?: InlineOptions): Promise<Answered>;
  start(args: readonly string[], options?: ClawOptions): Started;
  /** Starts `claw serve` on a free port and waits until it listens. */
  serve(options?: ClawOptions): Promise<Started & { readonly url: string }>;
  /** A server in the process of the test, for commands that go through one; never to be killed. */
  serveInline(options?: Pick<ClawOptions, 'env'>): Promise<InlineServer>;
  /** A model that plays these steps; the options make `claw` use it. */
  script(steps: readonly object[]): Promise<ClawOptions>;
  /** Ends what still runs and removes the directory. */
  dispose(): Promise<void>;
}

export interface InlineServer {
  readonly url: string;
  close(): Promise<void>;
}

export type InlineOptions = Pick<ClawOptions, 'env' | 'input'>;

export interface ClawOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Below the state root; the state root itself when absent. */
  readonly cwd?: string;
  /** Leaves in what the first command says about the state root that it made. */
  readonly keepsRootNotice?: boolean;
  /** Standard input stays open until the test ends it. */
  readonly keepsInputOpen?: boolean;
  readonly args?: readonly string[];
  /** Runs it as another user, which only root may. */
  readonly userId?: number;
}

/** The built program on a state root of its own. */
export async function openClawRoot(): Promise<ClawRoot> {
  const temp = await openTempRoot();
  const running = new Set<Started>();
  const serving = new Set<InlineServer>();

  function start(args: readonly string[], options: ClawOptions = {}): Started {
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd: join(temp.path, options.cwd ?? '.'),
      env: { ...CLEAN_ENV, ...options.env },
      ...(options.userId === undefined ? {} : { uid: options.userId, gid: options.userId }),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.on('error', () => {});
    child.stdin.write(options.input ?? '');
    if (options.keepsInputOpen !== true) child.stdin.end();
    const started = follow(child);
    running.add(started);
    void started.ended.then(() => running.delete(started));
    return started;
  }

  return {
    path: temp.path,
    start,
    async claw(args, options) {
      const ended = await start(args, options).ended;
      return options?.keepsRootNotice ? ended : withoutRootNotice(ended);
    },
    async inline(args, { env, input } = {}) {
      return withoutRootNotice(
        await runClaw(temp.path, args, { input, env: { ...CLEAN_ENV, ...env } }),
      );
    },
    async serve(options = {}) {
      const server = start(['serve', '--port', '0', ...(options.args ?? [])], options);
      const banner = await server.saw('stdout', 'Ctrl-C stops it.');
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(banner)?.[0] ?? '';
      return { ...server, url };
    },
    async serveInline({ env } = {}) {
      const server = await openServer({
        root: temp.path,
        env: readEnvironment({ ...CLEAN_ENV, ...env }),
        flags: { port: '0' },
        logger: silentLogger,
      });
      serving.add(server);
      return server;
    },
    async script(steps) {
      const file = join(temp.path, 'script.json');
      await writeFile(file, JSON.stringify({ steps }));
      return { env: { CLAW_MODEL: `scripted/${file}`, CLAW_ALLOW_SCRIPTED_MODEL: '1' } };
    },
    async dispose() {
      for (const { child } of running) child.kill('SIGKILL');
      await Promise.all([...running].map(({ ended }) => ended));
      await Promise.all([...serving].map((server) => server.close()));
      await temp.remove();
    },
  };
}

function withoutRootNotice<T extends Answered>(ended: T): T {
  return { ...ended, stderr: ended.stderr.replace(/^made a state root in .*\n/m, '') };
}

function follow(child: ChildProcess): Started {
  const texts = { stdout: '', stderr: '' };
  const waiting = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      texts[name] += chunk;
      for (const look of waiting) look();
    });
  }
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, ...texts }));
  return {
    child,
    ended,
    saw(stream, text) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const found =
            typeof text === 'string' ? texts[stream].includes(text) : text.test(texts[stream]);
          if (!found) return;
          waiting.delete(look);
          resolve(texts[stream]);
        };
        waiting.add(look);
        look();
        void ended.then((end) =>
          reject(new Error(`ended without ${text}: ${JSON.stringify(end)}`)),
        );
      });
    },
  };
}

export type Document = Readonly<Record<string, unknown>>;

const RUN_ID = /run_[0-9a-hjkmnp-tv-z]{26}/g;

/** The one document on standard output, with what differs from run to run replaced. */
export function normalize(stdout: string, root: string): Document {
  const lines = stdout.trimEnd().split('\n');
  if (lines.length !== 1) throw new Error(`not one document: ${stdout}`);
  const text = stdout
    .replaceAll(root, '<root>')
    .replace(RUN_ID, '<run>')
    .replace(/"timestamp":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/, '"timestamp":"<time>"')
    .replace(/"(created_at|updated_at)":"[^"]+Z"/g, '"$1":"<time>"')
    .replace(/"duration_ms":\d+/g, '"duration_ms":"<ms>"');
  return JSON.parse(text);
}

/** The members that every document has. */
export function common(command: string, exitCode: number): Document {
  return {
    timestamp: '<time>',
    command,
    exit_code: exitCode,
    output_format: 'json',
    schema_version: '2.0',
  };
}

export function runIdIn(text: string): string {
  const [id] = text.match(RUN_ID) ?? [];
  if (id === undefined) throw new Error(`no run id in ${text}`);
  return id;
}
