import { type MessagePort, parentPort, receiveMessageOnPort } from 'node:worker_threads';
import { killAtFaultPoint } from '../../core/fault-point.ts';
import { createBatchExecutor, MAX_BATCH_REQUESTS } from './batch-executor.ts';
import { pollForeignCommits } from './foreign-commits.ts';
import { closeWritten, openDatabase } from './open-database.ts';
import type { WriteRequest } from './write-ops.ts';
import {
  decodeRequest,
  encodeOutcome,
  type FromWriter,
  type OpenRequest,
  type ToWriter,
} from './writer-protocol.ts';

/** Entry of the writer thread: everything that waits when a commit ends goes into the next one. */
function serve(port: MessagePort, { file, faultSpec }: OpenRequest): void {
  if (faultSpec !== undefined) {
    killAtFaultPoint(faultSpec, () => process.kill(process.pid, 'SIGKILL'));
  }
  const db = openDatabase({ file, readOnly: false });
  const execute = createBatchExecutor(db);
  const stopPolling = pollForeignCommits(db, () => post({ kind: 'foreign_commit' }));
  post({ kind: 'looking' });

  function post(message: FromWriter): void {
    port.postMessage(message);
  }

  function write(requests: readonly WriteRequest[], nowMs: number): void {
    for (let start = 0; start < requests.length; start += MAX_BATCH_REQUESTS) {
      const batch = requests.slice(start, start + MAX_BATCH_REQUESTS);
      const { outcomes, ...report } = execute(batch, nowMs);
      const wire = outcomes.map((outcome, index) => encodeOutcome(outcome, batch[index]));
      post({ kind: 'outcomes', outcomes: wire, ...report });
    }
  }

  function close(): void {
    stopPolling();
    closeWritten(db);
    port.close();
  }

  port.on('message', (first: ToWriter) => {
    const requests: WriteRequest[] = [];
    let nowMs = Date.now();
    for (let message: ToWriter | undefined = first; message; message = receive(port)) {
      if (message.kind === 'close') {
        write(requests, nowMs);
        return close();
      }
      for (const request of message.requests) requests.push(decodeRequest(request));
      nowMs = message.nowMs ?? nowMs;
      if (requests.length >= MAX_BATCH_REQUESTS) break;
    }
    write(requests, nowMs);
  });
}

function receive(port: MessagePort): ToWriter | undefined {
  return receiveMessageOnPort(port)?.message as ToWriter | undefined;
}

const port = parentPort;
port?.once('message', (request: OpenRequest) => serve(port, request));
