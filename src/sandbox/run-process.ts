import { type ChildProcess, spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import type { CapturedOutput } from '../core/sandbox/sandbox.ts';
import { errnoOf } from '../platform/errno-of.ts';
import { GROUP_LEADER, signalGroup } from '../platform/process-group.ts';
import { createOutputCapture } from './output-capture.ts';

/** Descriptors above stderr. The child writes to a `read` one, and reads what we put into a `write` one. */
type ExtraPipe =
  | { readonly kind: 'read'; readonly onText: (text: string) => void }
  | { readonly kind: 'write'; readonly content: string | Uint8Array };

export interface ProcessSpec {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly maxTotalOutputBytes: number;
  /** From descriptor 3 on. */
  readonly pipes?: readonly ExtraPipe[];
  /** Looks after the running process; what it calls `stop` with becomes the end. Returns its own clean-up. */
  readonly watch?: (stop: (why: 'process_limit') => void) => () => void;
}

type StopReason = 'timed_out' | 'output_limit' | 'process_limit' | 'aborted';

type ProcessEnd =
  | { readonly how: 'exited'; readonly code: number | null; readonly signal: string | null }
  | { readonly how: 'not_spawned'; readonly errno: string }
  | { readonly how: StopReason };

export interface ProcessResult {
  readonly end: ProcessEnd;
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
}

// A killed tree is gone at once; only something stuck in the kernel takes longer, and no caller waits for that.
const MAX_CLOSE_WAIT_MS = 5_000;

/** Runs a process in a group of its own. Memory is bounded by `maxOutputBytes`, time by `timeoutMs`. */
export function runProcess(spec: ProcessSpec, signal: AbortSignal): Promise<ProcessResult> {
  return new Promise((resolve) => {
    const pipes = spec.pipes ?? [];
    const child = spawn(spec.file, spec.args, {
      cwd: '/',
      env: { ...spec.env },
      ...GROUP_LEADER,
      stdio: ['ignore', 'pipe', 'pipe', ...pipes.map(() => 'pipe' as const)],
    });
    const stdout = createOutputCapture(spec.maxOutputBytes);
    const stderr = createOutputCapture(spec.maxOutputBytes);
    let end: ProcessEnd | undefined;
    let closeTimer: NodeJS.Timeout | undefined;

    function settle(): void {
      signal.removeEventListener('abort', onAbort);
      clearTimeout(timeout);
      clearTimeout(closeTimer);
      unwatch?.();
      for (const stream of child.stdio) stream?.destroy();
      const how = end ?? { how: 'exited', code: child.exitCode, signal: child.signalCode };
      resolve({ end: how, stdout: stdout.finish(), stderr: stderr.finish() });
    }
    function stop(why: StopReason): void {
      end ??= { how: why };
      signalGroup(child.pid, 'SIGKILL');
      closeTimer ??= setTimeout(settle, MAX_CLOSE_WAIT_MS);
    }
    const onAbort = () => stop('aborted');
    const timeout = setTimeout(() => stop('timed_out'), spec.timeoutMs);
    const unwatch = spec.watch?.(stop);

    // Both streams count against one bound: a flood costs the same on either.
    let totalBytes = 0;
    for (const [stream, capture] of [
      [child.stdout, stdout] as const,
      [child.stderr, stderr] as const,
    ]) {
      stream?.on('data', (chunk: Buffer) => {
        capture.add(chunk);
        totalBytes += chunk.length;
        if (totalBytes > spec.maxTotalOutputBytes) stop('output_limit');
      });
    }
    connectPipes(child, pipes);
    child.once('error', (error) => {
      end ??= { how: 'not_spawned', errno: errnoOf(error) ?? 'unknown' };
      settle();
    });
    // Whatever was left in the background holds the pipes open; it has had its time.
    child.once('exit', () => {
      closeTimer ??= setTimeout(() => {
        signalGroup(child.pid, 'SIGKILL');
        settle();
      }, MAX_CLOSE_WAIT_MS);
    });
    child.once('close', settle);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
}

function connectPipes(child: ChildProcess, pipes: readonly ExtraPipe[]): void {
  pipes.forEach((pipe, index) => {
    const stream: unknown = child.stdio[index + 3];
    if (pipe.kind === 'read' && stream instanceof Readable) {
      stream.setEncoding('utf8').on('data', pipe.onText).on('error', ignore);
    }
    if (pipe.kind === 'write' && stream instanceof Writable) {
      // A child that dies before it has read everything is reported by its exit, not by this pipe.
      stream.on('error', ignore).end(pipe.content);
    }
  });
}

function ignore(): void {}
