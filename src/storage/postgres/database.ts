import type { Pool, PoolClient } from 'pg';
import { type Backoff, backoffMs } from '../../core/backoff.ts';
import { systemClock } from '../../core/clock.ts';
import { RuntimeError } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import { connectPool, loadDriver } from './connect-pool.ts';
import { classifyFault, type FaultKind, toStorageFault } from './faults.ts';
import type { Statement } from './statement.ts';
import { type Plan, type Transaction, transactOnce } from './transact-once.ts';

/** Writers have connections of their own: a crowd of readers must not delay a heartbeat. */
const MAX_WRITE_CONNECTIONS = 5;
const MAX_READ_CONNECTIONS = 5;

/** Together about two seconds when refused at once: a failover takes longer, a fresh connection does not. */
const MAX_ATTEMPTS: Record<FaultKind, number> = { connection: 8, contention: 8, other: 1 };
/** Half by chance, so that nodes that collided do not meet again. */
export const REPEAT: Backoff = { firstMs: 20, maxMs: 1_000, jitter: 0.5 };
/** No further attempt after this, when each takes long: nobody waits for minutes. */
const MAX_RETRYING_MS = 10_000;

export interface Database {
  /** One statement that only reads. */
  read<Row>(statement: Statement): Promise<Row[]>;
  /** One statement that writes and may be repeated: a lost connection does not tell whether it took effect. */
  write<Row>(statement: Statement): Promise<Row[]>;
  /** One statement that writes, sent once; throws what the driver throws. Whoever asks deals with a lost answer. */
  writeUnrepeated<Row>(statement: Statement): Promise<Row[]>;
  /** Commits once, also across lost connections; `work` may be called several times and must start afresh. */
  transact<T>(work: (transaction: Transaction) => Promise<Plan<T>>): Promise<T>;
  /** Whether a notification came from a connection of this storage. */
  isOwnBackend(processId: number): boolean;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  readonly logger: Logger;
}

export async function openDatabase({ url, logger }: DatabaseOptions): Promise<Database> {
  const driver = await loadDriver();
  const writers = connectPool(driver, { url, logger, maxConnections: MAX_WRITE_CONNECTIONS });
  const readers = connectPool(driver, { url, logger, maxConnections: MAX_READ_CONNECTIONS });
  const backends = new Set<number>();
  writers.on('connect', (client) => backends.add(backendOf(client)));
  writers.on('remove', (client) => backends.delete(backendOf(client)));

  let closing: Promise<void> | undefined;
  const assertOpen = () => {
    if (closing) throw new RuntimeError('storage_unavailable', 'the storage is closed');
  };

  const ask = async <Row>(pool: Pool, statement: Statement): Promise<Row[]> => {
    assertOpen();
    const { rows } = await pool.query({ ...statement, values: [...statement.values] });
    return rows as Row[];
  };
  const query = <Row>(pool: Pool, statement: Statement): Promise<Row[]> =>
    withRetries(logger, () => ask<Row>(pool, statement));
  return {
    read: (statement) => query(readers, statement),
    write: (statement) => query(writers, statement),
    writeUnrepeated: (statement) => ask(writers, statement),
    transact: (work) =>
      withRetries(logger, async () => {
        assertOpen();
        return transactOnce(writers, work);
      }),
    isOwnBackend: (processId) => backends.has(processId),
    close: () => {
      closing ??= Promise.all([writers.end(), readers.end()]).then(() => {});
      return closing;
    },
  };
}

async function withRetries<T>(logger: Logger, work: () => Promise<T>): Promise<T> {
  const lastAttemptMs = systemClock.nowMs() + MAX_RETRYING_MS;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (thrown) {
      const kind = classifyFault(thrown);
      if (attempt >= MAX_ATTEMPTS[kind] || systemClock.nowMs() > lastAttemptMs) {
        throw toStorageFault(thrown);
      }
      logger.debug({ attempt, kind }, 'postgres statement repeated');
    }
    await systemClock.sleep(backoffMs(REPEAT, attempt));
  }
}

function backendOf(client: PoolClient): number {
  return 'processID' in client && typeof client.processID === 'number' ? client.processID : -1;
}
