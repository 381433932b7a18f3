import type { LoadedConfig } from './config/load-config.ts';
import { systemClock } from './core/clock.ts';
import type { Logger } from './core/log.ts';
import { createExclusiveRecorder } from './core/records/exclusive-recorder.ts';
import { createRecorder } from './core/records/recorder.ts';
import type { Storage } from './core/storage.ts';
import { openRecordFiles } from './storage/files/open-record-files.ts';
import { tryFileLock } from './storage/sqlite/file-lock.ts';

export interface RecordGround {
  readonly loaded: LoadedConfig;
  readonly storage: Storage;
  readonly logger: Logger;
}

/** Audit files and bundles, kept behind the log by one process of the state root. */
export function assembleRecords({ loaded, storage, logger }: RecordGround) {
  const clock = systemClock;
  const sink = openRecordFiles({ root: loaded.paths.root });
  const recorder = createRecorder({
    runs: storage.runs,
    events: storage.events,
    records: storage.records,
    wakeups: storage.wakeups,
    sink,
    clock,
    logger,
    syncIntervalMs: loaded.config.records.audit_fsync_ms,
  });
  const records = createExclusiveRecorder({
    recorder,
    clock,
    tryLock: () => tryFileLock(loaded.paths.recordsLockFile),
  });
  return {
    start: () => records.start(),
    async stop(): Promise<void> {
      await records.stop();
      await sink.close();
    },
  };
}
