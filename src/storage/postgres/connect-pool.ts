import type { Pool, PoolClient } from 'pg';
import { RuntimeError } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';

type Driver = typeof import('pg');

const CONNECT_TIMEOUT_MS = 5_000;
/** Long enough for any statement of ours; a stuck one must not hold its row locks. */
const STATEMENT_TIMEOUT_MS = 15_000;
/** Above the server's own limit: only a dead network gets this far. */
const QUERY_TIMEOUT_MS = 20_000;
const IDLE_CONNECTION_MS = 60_000;
const INT8_OID = 20;

export interface PoolOptions {
  readonly url: string;
  readonly maxConnections: number;
  readonly logger: Logger;
}

/** The driver is loaded when a database is opened: a start on the embedded engine does not pay for it. */
export function loadDriver(): Promise<Driver> {
  return import('pg');
}

export function connectionConfig(driver: Driver, url: string) {
  return {
    connectionString: url,
    application_name: 'pincer',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    // Statements of one transaction that need no answer in between share a round trip.
    pipeline: true,
    types: { getTypeParser: numericTypes(driver) },
  };
}

export function connectPool(driver: Driver, options: PoolOptions): Pool {
  assertPostgresUrl(options.url);
  const pool = new driver.Pool({
    ...connectionConfig(driver, options.url),
    max: options.maxConnections,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
  });
  // A connection that breaks also fails its statement, which reports it; without a listener it would end the process.
  pool.on('error', (error) => {
    options.logger.debug({ reason: error.message }, 'idle postgres connection lost');
  });
  pool.on('connect', (client: PoolClient) => {
    client.on('error', () => {});
  });
  return pool;
}

/** Sequence numbers, counts and milliseconds stay far below 2^53, so bigint columns are read as numbers. */
function numericTypes(driver: Driver): typeof driver.types.getTypeParser {
  const parse = (oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID && format !== 'binary'
      ? Number
      : driver.types.getTypeParser(oid, format as 'text');
  return parse as typeof driver.types.getTypeParser;
}

function assertPostgresUrl(url: string): void {
  const protocol = URL.canParse(url) ? new URL(url).protocol : undefined;
  if (protocol === 'postgres:' || protocol === 'postgresql:') return;
  // The value stays out of the message: it holds a password.
  throw new RuntimeError('config_invalid', 'the database url is not a postgres:// url');
}
