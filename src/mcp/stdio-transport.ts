import { type ChildProcess, spawn } from 'node:child_process';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { Clock } from '../core/clock.ts';
import { createLineReader } from '../core/line-reader.ts';
import { endGroup, GROUP_LEADER, signalGroup } from '../platform/process-group.ts';
import { createFloodGauge, type FloodGauge } from './flood-gauge.ts';

export interface StdioTransportOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
  readonly clock: Clock;
  /** From the SDK, which is loaded only when there is a server to talk to. Throws on anything else. */
  readonly parseMessage: (value: unknown) => JSONRPCMessage;
}

export const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;
const MAX_UNSENT_BYTES = 16 * 1024 * 1024;
const MAX_STDERR_CHARS = 2_000;
/** How long a program may take after its input has ended, and again after it was asked to go. */
const GRACE_MS = 2_000;
/** After the program is gone, how long what it wrote may take to arrive. */
const DRAIN_MS = 500;

/**
 * Speaks with a program over its standard streams. Unlike the SDK's own transport it owns the whole process group, so
 * that what a launcher such as `npx` started ends with it, and bounds everything the program can make us hold.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  readonly #options: StdioTransportOptions;
  readonly #lines = createLineReader(MAX_MESSAGE_BYTES);
  readonly #flood: FloodGauge;
  #child: ChildProcess | undefined;
  #stderr = '';
  #isClosed = false;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
    this.#flood = createFloodGauge(() => options.clock.nowMs());
  }

  /** The end of what the program wrote to its standard error, for reports. */
  stderrTail(): string {
    return this.#stderr;
  }

  start(): Promise<void> {
    const { command, args, cwd, env, clock } = this.#options;
    const child = spawn(command, [...args], {
      cwd,
      env: { ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      ...GROUP_LEADER,
    });
    this.#child = child;
    child.stdout.on('data', (chunk: Buffer) => this.#receive(chunk));
    child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-MAX_STDERR_CHARS);
    });
    for (const stream of [child.stdin, child.stdout, child.stderr]) {
      stream.on('error', (error) => this.onerror?.(error));
    }
    child.once('exit', () => {
      signalGroup(child.pid, 'SIGKILL');
      clock.after(DRAIN_MS, () => this.#closed());
    });
    child.once('close', () => this.#closed());
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => {
        this.#closed();
        reject(error);
      });
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (this.#isClosed || !stdin?.writable) return Promise.reject(new Error('the program is gone'));
    if (stdin.writableLength > MAX_UNSENT_BYTES) {
      return Promise.reject(new Error('the program does not read its input'));
    }
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }

  async close(): Promise<void> {
    this.#child?.stdin?.end();
    if (this.#child) await endGroup(this.#child, this.#options.clock, GRACE_MS);
    this.#closed();
  }

  #receive(chunk: Buffer): void {
    if (this.#isClosed) return;
    try {
      for (const line of this.#lines.push(chunk)) if (line.trim() !== '') this.#deliver(line);
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  #deliver(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = this.#options.parseMessage(JSON.parse(line));
    } catch {
      this.#flood.count('noise');
      return;
    }
    if ('method' in message) this.#flood.count('unasked');
    this.onmessage?.(message);
  }

  /** No grace for a program that breaks the bounds: it would go on writing. */
  #fail(error: Error): void {
    this.onerror?.(error);
    signalGroup(this.#child?.pid, 'SIGKILL');
    this.#closed();
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#child?.stdout?.destroy();
    this.#child?.stderr?.destroy();
    this.#child?.stdin?.destroy();
    this.onclose?.();
  }
}
