import type { LeaseRef, RenewedLease } from '../../../core/runs/run-store.ts';
import type { Database } from '../database.ts';
import { clockSql } from '../statement.ts';
import { QUEUE_CHANNEL } from './save-batch.ts';

// Locked in id order first, as batches do: an update of many rows alone would lock them in any order.
const RENEW = `
  with held as materialized (
    select r.id from runs r
    join unnest($1::text[], $2::text[]) as l(run_id, lease_id) on r.id = l.run_id and r.lease_id = l.lease_id
    order by r.id for update of r
  )
  update runs r set lease_expires_at_ms = ${clockSql('$3')} + $4::bigint
  from held where r.id = held.id
  returning r.id, r.lease_id, r.cancel_requested`;

const TAKE_OVER = `
  with held as materialized (
    select id from runs
    where status in ('queued', 'running', 'cancelling') and not is_held and lease_id is not null and starts_with(lease_owner, $1)
    order by id for update
  ), freed as (
    update runs r set lease_id = null, lease_owner = null, lease_expires_at_ms = null
    from held where r.id = held.id
    returning r.id
  )
  select count(*) as freed, case when count(*) > 0 then pg_notify('${QUEUE_CHANNEL}', '') end from freed`;

interface HeldLease {
  readonly id: string;
  readonly lease_id: string;
  readonly cancel_requested: boolean;
}

export interface Renewal {
  readonly leases: readonly LeaseRef[];
  readonly leaseMs: number;
  readonly overrideNowMs: number | undefined;
}

export async function renewLeases(database: Database, renewal: Renewal): Promise<RenewedLease[]> {
  const { leases, leaseMs, overrideNowMs } = renewal;
  if (leases.length === 0) return [];
  const held = await database.write<HeldLease>({
    name: 'renew',
    text: RENEW,
    values: [
      leases.map((lease) => lease.runId),
      leases.map((lease) => lease.leaseId),
      overrideNowMs ?? null,
      leaseMs,
    ],
  });
  const byLease = new Map(held.map((lease) => [lease.lease_id, lease]));
  return leases.map(({ runId, leaseId }) => {
    const lease = byLease.get(leaseId);
    const isHeld = lease?.id === runId;
    return { runId, leaseId, held: isHeld, cancelRequested: isHeld && lease.cancel_requested };
  });
}

export async function takeOverLeases(database: Database, ownerPrefix: string): Promise<number> {
  const [row] = await database.write<{ freed: number }>({
    name: 'take_over',
    text: TAKE_OVER,
    values: [ownerPrefix],
  });
  return row?.freed ?? 0;
}
