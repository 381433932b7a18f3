import type { Pool, PoolClient } from 'pg';
import { systemClock } from '../../core/clock.ts';
import { RuntimeError } from '../../core/errors.ts';
import { classifyFault } from './faults.ts';
import type { Statement } from './statement.ts';

/** Reads under locks, and what is to be written because of them. Statements not awaited share a round trip. */
export interface Transaction {
  query<Row>(statement: Statement): Promise<Row[]>;
}

export interface Plan<T> {
  readonly value: T;
  readonly writes: readonly Statement[];
  /** The transaction's own number: how to ask about a commit whose answer got lost. */
  readonly xid: string | undefined;
}

// Locks must see what their predecessors committed, whatever the database's default is.
const BEGIN = 'begin isolation level read committed';

/** The backend of a lost connection may still be committing: how long to wait for its end, and how often to ask. */
const STATUS_WAIT_MS = 10_000;
const STATUS_INTERVAL_MS = 50;

export async function transactOnce<T>(
  pool: Pool,
  work: (transaction: Transaction) => Promise<Plan<T>>,
): Promise<T> {
  const client = await pool.connect();
  let plan: Plan<T> | undefined;
  try {
    const query = <Row>(statement: Statement) => run<Row>(client, statement);
    [, plan] = await Promise.all([client.query(BEGIN), work({ query })]);
    await commit(client, plan.writes);
    client.release();
    return plan.value;
  } catch (thrown) {
    await abandon(client, thrown);
    if (plan?.xid === undefined || classifyFault(thrown) !== 'connection') throw thrown;
    if (await isCommitted(pool, plan.xid)) return plan.value;
    throw thrown;
  }
}

async function run<Row>(client: PoolClient, statement: Statement): Promise<Row[]> {
  const { rows } = await client.query({ ...statement, values: [...statement.values] });
  return rows as Row[];
}

async function commit(client: PoolClient, writes: readonly Statement[]): Promise<void> {
  const written = writes.map((statement) => run(client, statement));
  const [, committed] = await Promise.all([Promise.all(written), client.query('commit')]);
  // A broken transaction answers a commit with a rollback and no error.
  if (committed.command === 'COMMIT') return;
  throw new RuntimeError('internal', `postgres answered a commit with ${committed.command}`);
}

async function abandon(client: PoolClient, thrown: unknown): Promise<void> {
  if (classifyFault(thrown) === 'connection') return client.release(true);
  try {
    await client.query('rollback');
    client.release();
  } catch {
    client.release(true);
  }
}

const XACT_STATUS = 'select pg_xact_status($1::xid8) as status';

/**
 * The connection was lost after the commit was sent. Repeating the transaction could store everything twice, so the
 * database is asked how it ended; without an answer the outcome is reported as unknown and nothing is repeated.
 */
async function isCommitted(pool: Pool, xid: string): Promise<boolean> {
  const deadlineMs = systemClock.nowMs() + STATUS_WAIT_MS;
  while (systemClock.nowMs() < deadlineMs) {
    const status = await pool.query(XACT_STATUS, [xid]).then(
      ({ rows }) => rows[0]?.status as string | null,
      () => 'in progress',
    );
    if (status === 'committed') return true;
    if (status === 'aborted') return false;
    if (status === null) break;
    await systemClock.sleep(STATUS_INTERVAL_MS);
  }
  throw new RuntimeError('storage_unavailable', `postgres was lost while committing ${xid}`, {
    details: { outcome: 'unknown' },
  });
}
