import type { Transaction } from './transact-once.ts';

/** Locks on what has no row. Each kind has a number of its own. */
const SPACES = {
  tables: 3,
  workers: 9,
} as const;

const LOCK = 'select pg_advisory_xact_lock($1::integer, hashtext($2))';

/** Held until the transaction ends. Names with the same hash share a lock: that costs a wait, or at worst another attempt. */
export async function holdLock(
  transaction: Transaction,
  space: keyof typeof SPACES,
  name: string,
): Promise<void> {
  const values = [SPACES[space], name];
  await transaction.query({ name: 'hold_lock', text: LOCK, values });
}
