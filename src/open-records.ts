import type { Closing } from './closing-list.ts';
import type { LoadedConfig } from './config/load-config.ts';
import { systemClock } from './core/clock.ts';
import { createCloseRuns } from './core/costs/close-runs.ts';
import type { Logger } from './core/log.ts';
import { createExclusiveRecorder } from './core/records/exclusive-recorder.ts';
import { createRecorder } from './core/records/recorder.ts';
import type { Storage } from './core/storage.ts';
import type { Tracer } from './core/telemetry.ts';
import { createAuditKeyFile } from './storage/files/audit-key-file.ts';
import { openRecordFiles } from './storage/files/open-record-files.ts';
import { tryFileLock } from './storage/sqlite/file-lock.ts';

export interface RecordGround {
  readonly closing: Closing;
  readonly loaded: LoadedConfig;
  readonly storage: Storage;
  readonly logger: Logger;
  readonly tracer: Tracer;
}

/** Keeps audit files and bundles behind the log from now on, in one process of the state root. */
export function openRecords({ loaded, storage, logger, tracer, closing }: RecordGround): void {
  const clock = systemClock;
  const { root } = loaded.paths;
  const key = createAuditKeyFile(root);
  const sink = openRecordFiles({ root, clock, getKey: () => key.get() });
  closing.add(() => sink.close());
  const recorder = createRecorder({
    closeRuns: createCloseRuns(storage.costs),
    runs: storage.runs,
    events: storage.events,
    records: storage.records,
    wakeups: storage.wakeups,
    sink,
    clock,
    logger,
    tracer,
    syncIntervalMs: loaded.config.records.audit_fsync_ms,
  });
  const records = createExclusiveRecorder({
    recorder,
    clock,
    tryLock: () => tryFileLock(loaded.paths.recordsLockFile),
  });
  records.start();
  closing.add(() => records.stop());
}
