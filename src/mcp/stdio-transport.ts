import { type ChildProcess, spawn } from 'node:child_process';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import type { Clock } from '../core/clock.ts';
import { createFloodGauge } from './flood-gauge.ts';
import { endProcess, killGroup } from './end-process.ts';
import { createLineReader } from './line-reader.ts';

export interface StdioTransportOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
  readonly clock: Clock;
  /** From the SDK, which is loaded only when there is a server to talk to. Throws on anything else. */
  readonly parseMessage: (value: unknown) => JSONRPCMessage;
}

export interface StdioTransport extends Transport {
  /** The end of what the program wrote to its standard error, for reports. */
  stderrTail(): string;
}

export const MAX_MESSAGE_BYTES = 10 * 1024 * 1024;
const MAX_UNSENT_BYTES = 16 * 1024 * 1024;
const MAX_STDERR_CHARS = 2_000;
/** After the program is gone, how long what it wrote may take to arrive. */
const DRAIN_MS = 500;

/**
 * Speaks with a program over its standard streams. Unlike the SDK's own transport it owns the whole process group, so
 * that what a launcher such as `npx` started ends with it, and bounds everything the program can make us hold.
 */
export function createStdioTransport(options: StdioTransportOptions): StdioTransport {
  const { clock } = options;
  const lines = createLineReader(MAX_MESSAGE_BYTES);
  const flood = createFloodGauge(() => clock.nowMs());
  let child: ChildProcess | undefined;
  let stderr = '';
  let isClosed = false;

  const transport: StdioTransport = {
    start() {
      const started = spawn(options.command, [...options.args], {
        cwd: options.cwd,
        env: { ...options.env },
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: process.platform !== 'win32',
        windowsHide: true,
      });
      child = started;
      started.stdout.on('data', receive);
      started.stderr.on('data', (chunk: Buffer) => {
        stderr = (stderr + chunk.toString('utf8')).slice(-MAX_STDERR_CHARS);
      });
      for (const stream of [started.stdin, started.stdout, started.stderr]) {
        stream.on('error', (error) => transport.onerror?.(error));
      }
      started.once('exit', () => {
        killGroup(started, 'SIGKILL');
        clock.after(DRAIN_MS, closed);
      });
      started.once('close', closed);
      return new Promise((resolve, reject) => {
        started.once('spawn', resolve);
        started.once('error', (error) => {
          closed();
          reject(error);
        });
      });
    },

    send(message) {
      const stdin = child?.stdin;
      if (isClosed || !stdin?.writable) return Promise.reject(new Error('the program is gone'));
      if (stdin.writableLength > MAX_UNSENT_BYTES) {
        return Promise.reject(new Error('the program does not read its input'));
      }
      return new Promise((resolve, reject) => {
        stdin.write(`${JSON.stringify(message)}\n`, (error) => {
          if (error) reject(error);
          else resolve();
        });
      });
    },

    async close() {
      if (child) await endProcess(child, clock);
      closed();
    },

    stderrTail: () => stderr,
  };

  function receive(chunk: Buffer): void {
    if (isClosed) return;
    try {
      for (const line of lines.push(chunk)) if (line.trim() !== '') deliver(line);
    } catch (error) {
      fail(error as Error);
    }
  }

  function deliver(line: string): void {
    let message: JSONRPCMessage;
    try {
      message = options.parseMessage(JSON.parse(line));
    } catch {
      flood.count('noise');
      return;
    }
    if ('method' in message) flood.count('unasked');
    transport.onmessage?.(message);
  }

  /** No grace for a program that breaks the bounds: it would go on writing. */
  function fail(error: Error): void {
    transport.onerror?.(error);
    if (child) killGroup(child, 'SIGKILL');
    closed();
  }

  function closed(): void {
    if (isClosed) return;
    isClosed = true;
    child?.stdout?.destroy();
    child?.stderr?.destroy();
    child?.stdin?.destroy();
    transport.onclose?.();
  }

  return transport;
}
