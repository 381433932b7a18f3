import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Clock } from '../core/clock.ts';
import { defined } from '../core/defined.ts';
import { RuntimeError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import { createLineReader } from '../core/line-reader.ts';
import { METHOD_NOT_FOUND } from '../core/workers/json-rpc.ts';
import type { WorkerLink, WorkerListener } from '../core/workers/worker-adapter.ts';
import { errnoOf } from '../platform/errno-of.ts';
import { endGroup, GROUP_LEADER, signalGroup } from '../platform/process-group.ts';
import { decodeChildMessage } from './child-message.ts';
import { createOpenCalls, type OpenCalls } from './open-calls.ts';
import { findProcessMark } from './process-mark.ts';
import { readGently } from './read-gently.ts';

export interface ChildSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface ChildLinkDeps {
  readonly clock: Clock;
  readonly listener: WorkerListener;
  readonly onStderr: (chunk: Buffer) => void;
  /** Called with the number of the process while it runs, so that it can be ended with us. */
  readonly track: (pid: number) => () => void;
}

const MAX_LINE_BYTES = 1024 * 1024;
const MAX_UNSENT_BYTES = 4 * 1024 * 1024;
/** After the program is gone, how long what it wrote may take to arrive. */
const DRAIN_MS = 500;

/** Starts a program, as the leader of a process group, and speaks JSON-RPC with it, a line for each message. */
export function openChildLink(spec: ChildSpec, deps: ChildLinkDeps): Promise<WorkerLink> {
  return new Promise((resolve, reject) => {
    const child = spawn(spec.command, [...spec.args], {
      cwd: spec.cwd,
      env: { ...spec.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      ...GROUP_LEADER,
    });
    child.once('error', (error) => {
      const message = `command ${spec.name} could not be started (${errnoOf(error) ?? 'unknown'})`;
      reject(new RuntimeError('provider_misconfigured', message, { cause: error }));
    });
    child.once('spawn', () => resolve(connect(child, deps)));
  });
}

function connect(child: ChildProcessWithoutNullStreams, deps: ChildLinkDeps): WorkerLink {
  const { clock } = deps;
  const calls = createOpenCalls(clock);
  let hasEnded = false;
  let stopping: Promise<void> | undefined;
  let breach: string | undefined;
  const untrack = deps.track(child.pid ?? 0);
  const isGone = new Promise<void>((resolve) => {
    const onGone = () => {
      if (hasEnded) return;
      hasEnded = true;
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      calls.failAll('the worker ended before it answered');
      deps.listener.onEnd(describeEnd(child, breach));
      resolve();
    };
    child.once('exit', () => {
      untrack();
      // What it has started in the background goes with it.
      signalGroup(child.pid, 'SIGKILL');
      clock.after(DRAIN_MS, onGone);
    });
    child.once('close', onGone);
  });

  const send = (message: JsonObject) => {
    // Also what it asks of us is answered here: one that asks and never reads would fill our memory.
    if (!child.stdin.writable || child.stdin.writableLength > MAX_UNSENT_BYTES) return;
    child.stdin.write(`${JSON.stringify(message)}\n`);
  };
  receiveLines(child, clock, {
    onLine: (line) => handleLine(line, { calls, send, listener: deps.listener }),
    onBreach(why) {
      breach = why;
      // No grace for a program that breaks the bounds: it would go on writing.
      signalGroup(child.pid, 'SIGKILL');
    },
  });
  readGently(child.stderr, clock, deps.onStderr);
  // A program that dies while we write to it is reported by its exit, not by this pipe.
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {});

  return {
    processMark: findProcessMark(child.pid),

    call({ id, method, params }, timeoutMs) {
      if (hasEnded || !child.stdin.writable) {
        return Promise.reject(new RuntimeError('conflict', 'the worker has ended'));
      }
      if (child.stdin.writableLength > MAX_UNSENT_BYTES) {
        return Promise.reject(new RuntimeError('queue_full', 'the worker does not read its input'));
      }
      const answer = calls.await(id, timeoutMs);
      send({ jsonrpc: '2.0', id, method, ...defined({ params }) });
      return answer;
    },

    stop({ reason, graceMs }) {
      stopping ??= (async () => {
        send({ jsonrpc: '2.0', method: 'shutdown', params: { reason } });
        child.stdin.end();
        await endGroup(child, clock, graceMs);
        // One that is stuck in the kernel is not waited for.
        await Promise.race([isGone, clock.sleep(2 * DRAIN_MS)]);
      })();
      return stopping;
    },
  };
}

interface LineEvents {
  readonly onLine: (line: string) => void;
  readonly onBreach: (why: string) => void;
}

function receiveLines(
  child: ChildProcessWithoutNullStreams,
  clock: Clock,
  events: LineEvents,
): void {
  const lines = createLineReader(MAX_LINE_BYTES);
  let isBroken = false;
  readGently(child.stdout, clock, (chunk) => {
    if (isBroken) return;
    try {
      for (const line of lines.push(chunk)) events.onLine(line);
    } catch {
      isBroken = true;
      events.onBreach('line_too_long');
    }
  });
}

interface LineParts {
  readonly calls: OpenCalls;
  readonly send: (message: JsonObject) => void;
  readonly listener: WorkerListener;
}

function handleLine(line: string, { calls, send, listener }: LineParts): void {
  const message = decodeChildMessage(line);
  if (message.kind === 'response') {
    const { response } = message;
    if (calls.answer(response) !== 'late') return;
    const payload = { request_id: response.id, response };
    listener.onNotice({ type: 'worker.response.late', payload });
  }
  if (message.kind === 'notice' || message.kind === 'request') {
    listener.onNotice({ type: 'worker.event', payload: message.payload });
  }
  if (message.kind === 'request') {
    // Nobody is there to ask: a refusal lets it go on, silence would leave it waiting.
    const error = { code: METHOD_NOT_FOUND, message: 'requests of workers are not answered' };
    send({ jsonrpc: '2.0', id: message.id, error });
  }
}

function describeEnd(child: ChildProcessWithoutNullStreams, breach: string | undefined) {
  const details = { exit_code: child.exitCode, signal: child.signalCode };
  return { reason: breach ?? 'exited', details };
}
