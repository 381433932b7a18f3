import type { ClaimResult } from '../../../core/reliability/idempotency/idempotency-store.ts';
import { IDEMPOTENCY_COLUMNS, type IdempotencyRow } from '../../idempotency-rules.ts';
import { clockSql } from '../statement.ts';

export const FIND = `
  select ${IDEMPOTENCY_COLUMNS} from idempotency_records
  where stored_key = $1 and expires_at_ms > ${clockSql('$2')}`;

export type ClaimRow = IdempotencyRow & { readonly outcome: ClaimResult['outcome'] };

/**
 * Takes the key when it is free, expired, or abandoned and may be taken over; else says what is there. The second
 * part sees the table as it was when the statement began, so a record that came in between, or was taken over,
 * answers with no row, and the next attempt sees it. A repetition finds its own claim, and has it.
 */
export const CLAIM = `
  with clock as materialized (select ${clockSql('$9')} as now_ms), claimed as (
    insert into idempotency_records as r (
      stored_key, tool_id, key, state, digest, claim_id, version,
      created_at_ms, updated_at_ms, lease_until_ms, expires_at_ms
    )
    select $1, $2, $3, 'PENDING', $4, $5, 1, now_ms, now_ms, now_ms + $6::bigint, now_ms + $7::bigint from clock
    on conflict (stored_key) do update set
      tool_id = excluded.tool_id, key = excluded.key, state = 'PENDING', digest = excluded.digest,
      claim_id = excluded.claim_id, updated_at_ms = excluded.updated_at_ms,
      version = case when r.expires_at_ms <= excluded.updated_at_ms then 1 else r.version + 1 end,
      created_at_ms = case when r.expires_at_ms <= excluded.updated_at_ms
        then excluded.created_at_ms else r.created_at_ms end,
      lease_until_ms = excluded.lease_until_ms, expires_at_ms = excluded.expires_at_ms,
      result = null, not_kept = null, error = null
    where r.expires_at_ms <= excluded.updated_at_ms
      or (
        ($8::boolean or r.claim_id = excluded.claim_id) and r.digest = excluded.digest
        and r.state = 'PENDING' and r.lease_until_ms <= excluded.updated_at_ms
      )
    returning 1
  )
  select 'claimed' as outcome, ${nulls()} from claimed
  union all
  select
    case
      when digest <> $4 then 'conflict'
      when state <> 'PENDING' then 'settled'
      when claim_id = $5 then 'claimed'
      when lease_until_ms > now_ms then 'running'
      else 'abandoned'
    end,
    ${IDEMPOTENCY_COLUMNS}
  from idempotency_records, clock
  where stored_key = $1 and expires_at_ms > now_ms and not exists (select from claimed)
    and not (
      ($8::boolean or claim_id = $5) and digest = $4 and state = 'PENDING' and lease_until_ms <= now_ms
    )`;

/** The record's columns, empty, with the names and types that the union takes from its first part. */
function nulls(): string {
  const numbers = /(version|_ms)$/;
  return IDEMPOTENCY_COLUMNS.split(', ')
    .map((column) => `null::${numbers.test(column) ? 'bigint' : 'text'} as ${column}`)
    .join(', ');
}

const OWNED = `stored_key = $1 and claim_id = $2 and state = 'PENDING' and expires_at_ms > ${clockSql('$3')}`;

export const RENEW = `
  update idempotency_records set
    version = version + 1, updated_at_ms = ${clockSql('$3')}, lease_until_ms = ${clockSql('$3')} + $4::bigint
  where ${OWNED} returning 1`;

export const SETTLE = `
  update idempotency_records set
    version = version + 1, updated_at_ms = ${clockSql('$3')}, expires_at_ms = ${clockSql('$3')} + $4::bigint,
    state = $5, result = $6, not_kept = $7, error = $8
  where ${OWNED} returning 1`;

export const RELEASE = `delete from idempotency_records where ${OWNED} returning 1`;

export const LIST = `
  select ${IDEMPOTENCY_COLUMNS} from idempotency_records
  where stored_key > $1 and stored_key < $2 and expires_at_ms > ${clockSql('$3')}
  order by stored_key limit $4`;

/** What has expired goes with the rest, but was forgotten already and does not count. */
export const FLUSH = `
  with dropped as (
    delete from idempotency_records
    where stored_key >= $1 and stored_key < $2 and ($3::text is null or stored_key = $3)
    returning expires_at_ms
  )
  select count(*) as flushed from dropped where expires_at_ms > ${clockSql('$4')}`;

/** Those that another node purges at the same moment are left to it. */
export const PURGE = `
  delete from idempotency_records where stored_key in (
    select stored_key from idempotency_records where expires_at_ms <= ${clockSql('$1')}
    order by expires_at_ms limit $2 for update skip locked
  )`;
