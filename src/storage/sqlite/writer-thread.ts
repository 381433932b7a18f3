import {
  type MessagePort,
  parentPort,
  receiveMessageOnPort,
  workerData,
} from 'node:worker_threads';
import { createBatchExecutor, MAX_BATCH_REQUESTS } from './batch-executor.ts';
import { createForeignCommitProbe } from './foreign-commits.ts';
import { openDatabase } from './open-database.ts';
import type { WriteRequest } from './write-ops.ts';
import { FOREIGN_POLL_MS } from './writer.ts';
import {
  encodeOutcome,
  type FromWriter,
  type ToWriter,
  type WriterThreadData,
} from './writer-protocol.ts';

/** Entry of the writer thread: everything that waits when a commit ends goes into the next one. */
function serve(port: MessagePort, { file }: WriterThreadData): void {
  const db = openDatabase({ file, readOnly: false });
  const execute = createBatchExecutor(db);
  const hasForeignCommit = createForeignCommitProbe(db);
  const poll = setInterval(() => {
    if (hasForeignCommit()) post({ kind: 'foreign_commit' });
  }, FOREIGN_POLL_MS);

  function post(message: FromWriter): void {
    port.postMessage(message);
  }

  function write(requests: readonly WriteRequest[], nowMs: number): void {
    for (let start = 0; start < requests.length; start += MAX_BATCH_REQUESTS) {
      const report = execute(requests.slice(start, start + MAX_BATCH_REQUESTS), nowMs);
      post({ ...report, kind: 'outcomes', outcomes: report.outcomes.map(encodeOutcome) });
    }
  }

  function close(): void {
    clearInterval(poll);
    db.close();
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
      for (const request of message.requests) requests.push(request);
      nowMs = message.nowMs ?? nowMs;
      if (requests.length >= MAX_BATCH_REQUESTS) break;
    }
    write(requests, nowMs);
  });
}

function receive(port: MessagePort): ToWriter | undefined {
  return receiveMessageOnPort(port)?.message as ToWriter | undefined;
}

if (parentPort) serve(parentPort, workerData as WriterThreadData);
