import type { Client } from 'pg';
import { systemClock } from '../../core/clock.ts';
import { RuntimeError } from '../../core/errors.ts';

const TRY_LOCK = 'select pg_try_advisory_lock(hashtextextended($1, 0)) as held';

/** The lock goes with its connection; that of a machine that vanished is to go within half a minute. */
const NOTICE_LOSS =
  'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3; set tcp_user_timeout = 25000';

/** The database may hear a moment later than a new process starts that the one before was killed. */
const PATIENCE_MS = 3_000;
const INTERVAL_MS = 100;

/**
 * Two servers under one name would take each other's runs for their own. Holds the name of a node as long as the
 * connection lives; throws `conflict` when another connection holds it and keeps it.
 */
export async function holdNode(client: Client, node: string, signal?: AbortSignal): Promise<void> {
  await client.query(NOTICE_LOSS);
  const lastMs = systemClock.nowMs() + PATIENCE_MS;
  while (!(await tryHold(client, node))) {
    if (systemClock.nowMs() >= lastMs || signal?.aborted) throw nodeTaken(node);
    await systemClock.sleep(INTERVAL_MS, signal);
  }
}

async function tryHold(client: Client, node: string): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(TRY_LOCK, [`pincer:${node}`]);
  return rows[0]?.held === true;
}

function nodeTaken(node: string): RuntimeError {
  const fix =
    'if this state root is a copy of another, delete its .openclawssy/node-id and start again, so that it gets a name of its ' +
    'own; if the machine of this very server was lost, start again in half a minute';
  return new RuntimeError(
    'conflict',
    `another server on this database works under the name in .openclawssy/node-id (${node}); to fix: ${fix}`,
    { details: { fix } },
  );
}
