import type { NonceStore } from '../../core/threads/nonce-store.ts';
import { CLOCK_DIFFERENCE_MS, MAX_PURGED_BY_USE } from '../nonce-rules.ts';
import { digestKey } from './digest-key.ts';
import { clockSql } from './statement.ts';
import type { StoreDeps } from './store-deps.ts';
import { writeOnce } from './write-once.ts';

// One that has expired and is still there is as good as absent. The purge leaves the nonce itself alone: no statement
// may touch a row twice.
const USE = `
  with past as (select ${clockSql('$3')} - ${CLOCK_DIFFERENCE_MS} as ms),
  used as (
    insert into nonces (key, expires_at_ms) values ($1, $2)
    on conflict (key) do update set expires_at_ms = excluded.expires_at_ms
    where nonces.expires_at_ms <= (select ms from past)
    returning 1
  ),
  purged as (
    delete from nonces where key in (
      select key from nonces where expires_at_ms <= (select ms from past) and key <> $1
      order by expires_at_ms limit ${MAX_PURGED_BY_USE} for update skip locked
    )
  )
  select from used`;

export function createNonceStore({ database, nowMs }: StoreDeps): NonceStore {
  return {
    use: async ({ value, expiresAtMs }) => {
      const values = [digestKey(value), expiresAtMs, nowMs?.() ?? null];
      return (await writeOnce(database, { name: 'use_nonce', text: USE, values })).length === 1;
    },
  };
}
