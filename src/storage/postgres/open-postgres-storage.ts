import { createIds } from '../../core/ids.ts';
import type { Logger } from '../../core/log.ts';
import type { Storage } from '../../core/storage.ts';
import { createWakeupHub } from '../wakeup-hub.ts';
import { createAgentStore } from './agent-store.ts';
import { openDatabase } from './database.ts';
import { createEventLog } from './event-log.ts';
import { openListener } from './listener.ts';
import { migrateDatabase } from './migrate.ts';
import { openRunStore } from './run-store.ts';

export interface PostgresConfig {
  /** `postgres://user:password@host:port/database`, with the usual parameters of libpq. */
  readonly url: string;
  readonly logger: Logger;
  /** Replaces the database's clock, in tests. */
  readonly nowMs?: () => number;
}

/** Storage that several processes share. The database's clock decides leases and the times of events. */
export async function openPostgresStorage(config: PostgresConfig): Promise<Storage> {
  const { url, logger, nowMs } = config;
  const database = await openDatabase({ url, logger });
  const hub = createWakeupHub(nowMs ?? Date.now);
  const wake: typeof hub.wake = (runIds, queueTouched) => {
    try {
      hub.wake(runIds, queueTouched);
    } catch (thrown) {
      // A watcher's fault must not look like a failed commit: the writes would be repeated.
      logger.error({ err: thrown }, 'a watcher of runs failed');
    }
  };
  try {
    await migrateDatabase(url);
    const listener = await openListener({
      url,
      logger,
      isOwnBackend: database.isOwnBackend,
      wake,
      wakeAll: () => hub.wakeAll(() => []),
    });
    const ids = createIds(nowMs ?? Date.now);
    const runs = openRunStore({ database, ids, logger, nowMs, wake });
    let closing: Promise<void> | undefined;
    const close = async () => {
      await runs.close();
      hub.close();
      await listener.close();
      await database.close();
    };
    return {
      engine: 'postgres',
      runs,
      events: createEventLog(database),
      agents: createAgentStore(database, nowMs),
      wakeups: hub.wakeups,
      ping: async () => {
        await database.read({ name: 'ping', text: 'select 1', values: [] });
      },
      close: () => {
        closing ??= close();
        return closing;
      },
    };
  } catch (thrown) {
    await database.close();
    throw thrown;
  }
}
