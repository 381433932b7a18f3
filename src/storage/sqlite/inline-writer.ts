import { createBatchExecutor, MAX_BATCH_REQUESTS } from './batch-executor.ts';
import { pollForeignCommits } from './foreign-commits.ts';
import { openDatabase } from './open-database.ts';
import { createWriteQueue } from './write-queue.ts';
import { settle, type Writer, type WriterConfig } from './writer.ts';

/** Writes on the calling thread: nothing to start, but every commit stalls it. For short-lived programs. */
export function openInlineWriter(config: WriterConfig): Writer {
  const db = openDatabase({ file: config.file, readOnly: false });
  const execute = createBatchExecutor(db);
  const nowMs = config.nowMs ?? Date.now;
  const stopPolling = pollForeignCommits(db, config.onForeignCommit);

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
      stopPolling();
      await queue.drain();
      db.close();
    },
  };
}
