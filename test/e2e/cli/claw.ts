import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openTempRoot } from '../../support/temp-root.ts';

export const PROGRAM = join(import.meta.dirname, '../../../dist/claw.cjs');

/** Nothing of the machine's own settings: a key in the environment would change which model answers. */
export const CLEAN_ENV = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  CLAW_MODEL: 'offline/rules',
};

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves with everything on that stream once it holds `text`; rejects when the program ends without it. */
  saw(stream: 'stdout' | 'stderr', text: string | RegExp): Promise<string>;
}

export interface ClawRoot {
  readonly path: string;
  /** Runs the built program to its end. */
  claw(args: readonly string[], options?: ClawOptions): Promise<Ended>;
  start(args: readonly string[], options?: ClawOptions): Started;
  /** Starts `claw serve` on a free port and waits until it listens. */
  serve(options?: ClawOptions): Promise<Started & { readonly url: string }>;
  /** A model that plays these steps; the options make `claw` use it. */
  script(steps: readonly object[]): Promise<ClawOptions>;
  /** Ends what still runs and removes the directory. */
  dispose(): Promise<void>;
}

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
      if (options?.keepsRootNotice) return ended;
      return { ...ended, stderr: ended.stderr.replace(/^made a state root in .*\n/m, '') };
    },
    async serve(options = {}) {
      const server = start(['serve', '--port', '0', ...(options.args ?? [])], options);
      const banner = await server.saw('stdout', 'Ctrl-C stops it.');
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(banner)?.[0] ?? '';
      return { ...server, url };
    },
    async script(steps) {
      const file = join(temp.path, 'script.json');
      await writeFile(file, JSON.stringify({ steps }));
      return { env: { CLAW_MODEL: `scripted/${file}`, CLAW_ALLOW_SCRIPTED_MODEL: '1' } };
    },
    async dispose() {
      for (const { child } of running) child.kill('SIGKILL');
      await Promise.all([...running].map(({ ended }) => ended));
      await temp.remove();
    },
  };
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
