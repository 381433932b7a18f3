import { createBatchExecutor, MAX_BATCH_REQUESTS } from './batch-executor.ts';
import { pollForeignCommits } from './foreign-commits.ts';
import { closeWritten, openDatabase } from './open-database.ts';
import { createWriteQueue } from './write-queue.ts';
import { type PendingWrite, settle, type Writer, type WriterConfig } from './writer.ts';

/** Writes on the calling thread: nothing to start, but every commit stalls it. For short-lived programs. */
export function openInlineWriter(config: WriterConfig): Writer {
  const db = openDatabase({ file: config.file, readOnly: false });
  const execute = createBatchExecutor(db);
  const nowMs = config.nowMs ?? Date.now;
  const stopPolling = pollForeignCommits(db, config.onForeignCommit);

  function send(writes: readonly PendingWrite[]): void {
    for (let start = 0; start < writes.length; start += MAX_BATCH_REQUESTS) {
      const batch = writes.slice(start, start + MAX_BATCH_REQUESTS);
      const report = execute(batch, nowMs());
      queue.takeSent(batch.length).forEach((write, index) => {
        const outcome = report.outcomes[index];
        if (outcome) settle(write, outcome);
      });
      config.onCommitted({ ...report, writes: batch });
    }
  }

  // Any sooner, and callers that write again as soon as they are answered would never let the event loop turn.
  const queue = createWriteQueue({ defer: setImmediate, send });

  return {
    submit: queue.submit,

    async close() {
      stopPolling();
      await queue.drain();
      closeWritten(db);
    },
  };
}
