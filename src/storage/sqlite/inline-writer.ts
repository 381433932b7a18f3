import { createBatchExecutor, MAX_BATCH_REQUESTS } from './batch-executor.ts';
import { createForeignCommitProbe } from './foreign-commits.ts';
import { openDatabase } from './open-database.ts';
import { createWriteQueue } from './write-queue.ts';
import { FOREIGN_POLL_MS, settle, type Writer, type WriterConfig } from './writer.ts';

/** Writes on the calling thread: nothing to start, but every commit stalls it. For short-lived programs. */
export function openInlineWriter(config: WriterConfig): Writer {
  const db = openDatabase({ file: config.file, readOnly: false });
  const execute = createBatchExecutor(db);
  const nowMs = config.nowMs ?? Date.now;
  const hasForeignCommit = createForeignCommitProbe(db);
  const poll = setInterval(() => {
    if (hasForeignCommit()) config.onForeignCommit();
  }, FOREIGN_POLL_MS);
  poll.unref();

  const queue = createWriteQueue((writes) => {
    for (let start = 0; start < writes.length; start += MAX_BATCH_REQUESTS) {
      const batch = writes.slice(start, start + MAX_BATCH_REQUESTS);
      const { outcomes, touchedRuns, queueTouched } = execute(batch, nowMs());
      queue.takeSent(batch.length).forEach((write, index) => {
        const outcome = outcomes[index];
        if (outcome) settle(write, outcome);
      });
      config.onCommitted(touchedRuns, queueTouched);
    }
  });

  return {
    submit: queue.submit,

    async close() {
      clearInterval(poll);
      await queue.drain();
      db.close();
    },
  };
}
