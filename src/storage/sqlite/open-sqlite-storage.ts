import type { Clock } from '../../core/clock.ts';
import { RuntimeError } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import type { Storage } from '../../core/storage.ts';
import { loadMigrations } from '../load-migrations.ts';
import { createWakeupHub } from '../wakeup-hub.ts';
import { createAgentRows } from './agent-rows.ts';
import { createPorts } from './create-ports.ts';
import type { Database } from './driver.ts';
import { pollForeignCommits } from './foreign-commits.ts';
import { openInlineWriter } from './inline-writer.ts';
import { assertCurrent, assertKnownFile, migrate } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { createChangedRuns } from './runs/changed-runs.ts';
import { createRecentEvents } from './runs/recent-events.ts';
import { toStorageFault } from './sqlite-fault.ts';
import { openThreadWriter } from './thread-writer.ts';
import { storageClosed, type Writer, type WriterConfig } from './writer.ts';

export interface SqliteStorageConfig {
  readonly file: string;
  /** The store's clock, when a test overrides the system's. */
  readonly clock?: Pick<Clock, 'nowMs'>;
  /** `thread` keeps commits off the event loop; `inline` starts faster, for programs that write little. */
  readonly writer: 'thread' | 'inline';
  readonly readOnly?: boolean;
  readonly logger: Logger;
}

export async function openSqliteStorage(config: SqliteStorageConfig): Promise<Storage> {
  const { file, readOnly = false } = config;
  const migrations = loadMigrations('sqlite');
  // Looked at before it is touched: a database of a newer version stays as it is, its log included.
  assertKnownFile(file, migrations);
  const db = openDatabase({ file, readOnly });
  try {
    if (readOnly) assertCurrent(db, file, migrations);
    else migrate(db, file, migrations);
    return openPorts(db, config);
  } catch (error) {
    db.close();
    throw toStorageFault(error);
  }
}

function openPorts(db: Database, config: SqliteStorageConfig): Storage {
  const hub = createWakeupHub(config.clock?.nowMs ?? Date.now);
  const selectOne = db.prepare('SELECT 1');
  const changedRuns = createChangedRuns(db);
  const recent = createRecentEvents();
  const agentRows = createAgentRows();
  const forget = () => {
    recent.clear();
    agentRows.clear();
  };
  const writer = openWriter(db, config, {
    file: config.file,
    nowMs: config.clock?.nowMs,
    onCommitted(batch) {
      recent.learn(batch);
      agentRows.learn(batch);
      hub.wake([...batch.touchedRuns.keys()], batch.queueTouched);
    },
    onLooking: forget,
    onForeignCommit() {
      forget();
      hub.wakeAll(changedRuns);
    },
  });
  let closing: Promise<void> | undefined;

  async function read<T>(query: () => T): Promise<T> {
    if (closing) throw storageClosed();
    try {
      return query();
    } catch (error) {
      throw toStorageFault(error);
    }
  }

  async function close(): Promise<void> {
    hub.close();
    await writer.close();
    // The connection is referenced here for as long as its statements are in use: a driver crashes otherwise.
    db.close();
  }

  return {
    engine: 'sqlite',
    ...createPorts({
      db,
      writer,
      read,
      nowMs: config.clock?.nowMs ?? Date.now,
      wakeTopic: hub.wakeTopic,
      recent,
      agentRows,
    }),
    wakeups: hub.wakeups,

    async ping() {
      await read(() => selectOne.get());
      if (config.readOnly !== true) await writer.submit('probe');
    },

    close() {
      closing ??= close();
      return closing;
    },
  };
}

function openWriter(db: Database, config: SqliteStorageConfig, writer: WriterConfig): Writer {
  if (config.readOnly) return openRefusingWriter(db, writer);
  if (config.writer === 'inline') return openInlineWriter(writer);
  return openThreadWriter({ ...writer, logger: config.logger });
}

/** Writes nothing, but still notices what others write. */
function openRefusingWriter(db: Database, { onForeignCommit }: WriterConfig): Writer {
  const stopPolling = pollForeignCommits(db, onForeignCommit);
  return {
    async submit() {
      const message = 'storage was opened read-only';
      throw new RuntimeError('storage_unavailable', message, { retryable: false });
    },
    async close() {
      stopPolling();
    },
  };
}
