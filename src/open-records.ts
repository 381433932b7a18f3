import type { Closing } from './closing-list.ts';
import type { LoadedConfig } from './config/load-config.ts';
import { systemClock } from './core/clock.ts';
import { createCloseRuns } from './core/costs/close-runs.ts';
import type { Logger } from './core/log.ts';
import { createExclusiveRecorder } from './core/records/exclusive-recorder.ts';
import { createRecorder, type Recorder } from './core/records/recorder.ts';
import type { Tracer } from './core/telemetry.ts';
import type { OpenedStorage } from './open-storage.ts';
import { createBusyGauge } from './platform/busy-gauge.ts';
import { createAuditKeyFile } from './storage/files/audit-key-file.ts';
import { openRecordFiles } from './storage/files/open-record-files.ts';
import { openThreadRecorder } from './storage/recorder/open-thread-recorder.ts';
import { tryFileLock } from './storage/sqlite/file-lock.ts';

export interface RecordGround {
  readonly closing: Closing;
  readonly loaded: LoadedConfig;
  readonly storage: OpenedStorage;
  readonly logger: Logger;
  readonly tracer: Tracer;
}

/** Keeps audit files and bundles behind the log from now on, in one process of the state root. */
export function openRecords(ground: RecordGround): void {
  const { loaded, storage, logger, closing } = ground;
  const records = createExclusiveRecorder({
    recorder:
      storage.threadedFile === undefined
        ? openInlineRecorder(ground)
        : openThreadRecorder({
            ...storage,
            closeRuns: createCloseRuns(storage.costs),
            clock: systemClock,
            isBusy: createBusyGauge(),
            logger,
            root: loaded.paths.root,
            databaseFile: storage.threadedFile,
            syncIntervalMs: loaded.config.records.audit_fsync_ms,
          }),
    clock: systemClock,
    tryLock: () => tryFileLock(loaded.paths.recordsLockFile),
  });
  records.start();
  closing.add(() => records.stop());
}

/** On the calling thread: for commands, which have nothing better to do, and where the log is in another process. */
function openInlineRecorder({ loaded, storage, logger, tracer, closing }: RecordGround): Recorder {
  const clock = systemClock;
  const { root } = loaded.paths;
  const key = createAuditKeyFile(root);
  const sink = openRecordFiles({ root, clock, getKey: () => key.get() });
  closing.add(() => sink.close());
  return createRecorder({
    ...storage,
    closeRuns: createCloseRuns(storage.costs),
    sink,
    clock,
    logger,
    tracer,
    isBusy: createBusyGauge(),
    syncIntervalMs: loaded.config.records.audit_fsync_ms,
  });
}
