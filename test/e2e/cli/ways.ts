import { expect } from 'vitest';
import {
  type ClawRoot,
  type Document,
  type InlineOptions,
  normalize,
  openClawRoot,
} from './claw.ts';

/** Every verb does the same through a running server and without one. */
export const WAYS = ['local', 'server'] as const;
export type Way = (typeof WAYS)[number];

export interface WayRoot {
  readonly root: ClawRoot;
  /** Of the server, when there is one. */
  readonly url: string | undefined;
  /** Runs a command in JSON mode and checks what holds for all of them. */
  document(args: readonly string[], options?: InlineOptions): Promise<Document>;
  text(
    args: readonly string[],
    options?: InlineOptions,
  ): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
  dispose(): Promise<void>;
}

const ISO_DATE = /"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z"/g;
const LOCAL_DATE = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g;

export interface WayOptions {
  /** The server and each command are starts of the shipped program; else they run in the process of the test. */
  readonly isShipped?: boolean;
}

export async function openWay(way: Way, { isShipped = false }: WayOptions = {}): Promise<WayRoot> {
  const root = await openClawRoot();
  const serve = isShipped ? root.serve : root.serveInline;
  const server = way === 'server' ? await serve() : undefined;
  const run = isShipped ? root.claw : root.inline;
  return {
    root,
    url: server?.url,
    async document(args, options) {
      const ended = await run(['--output-format', 'json', ...args], options);
      expect(ended.stderr).toBe('');
      const value = normalize(ended.stdout.replace(ISO_DATE, '"<time>"'), root.path);
      expect(value['exit_code']).toBe(ended.code);
      return value;
    },
    async text(args, options) {
      const { code, stdout, stderr } = await run(args, options);
      const plain = (text: string) =>
        text.replaceAll(root.path, '<root>').replace(LOCAL_DATE, '<time>');
      return { code, stdout: plain(stdout), stderr: plain(stderr) };
    },
    dispose: () => root.dispose(),
  };
}

/** The document of something that was looked for and is not there. */
export function notFound(thing: string, name: string, hint: string): Document {
  return {
    name,
    found: false,
    error: {
      kind: `${thing}_not_found`,
      operation: `find_${thing}`,
      target: name,
      retryable: false,
      message: `${thing} ${name} does not exist`,
      hint,
    },
  };
}

/** Tries again until it holds; the server does its part in the background. */
export async function until<T>(ask: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  const deadline = Date.now() + 15_000;
  for (;;) {
    const value = await ask();
    if (holds(value)) return value;
    if (Date.now() > deadline) throw new Error(`still ${JSON.stringify(value)}`);
  }
}
