import type { Logger } from '../../core/log.ts';
import type { BreakerStore } from '../../core/reliability/breakers/breaker-store.ts';
import type { IdempotencyStore } from '../../core/reliability/idempotency/idempotency-store.ts';
import { createRedisBreakerStore } from './breaker-store.ts';
import { createRedisIdempotencyStore } from './idempotency-store.ts';
import { openRedisLink } from './redis-link.ts';

export interface RedisStoresConfig {
  /** `redis://` or `rediss://`, with user, password and database. */
  readonly url: string;
  readonly logger: Logger;
  /** Put before every key, where several installations share a server. */
  readonly keyPrefix?: string;
  /** Replaces the server's clock, in tests. */
  readonly nowMs?: () => number;
}

export interface RedisStores {
  readonly idempotency: IdempotencyStore;
  readonly breakers: BreakerStore;
  /** Throws `storage_unavailable` when the server can't serve: for health checks. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/**
 * What processes share through one Redis server; not a cluster, whose nodes hold keys apart. Opening succeeds while
 * the server is away: callers are refused soon and go on without it, and it is used again when it is back.
 */
export async function openRedisStores(config: RedisStoresConfig): Promise<RedisStores> {
  const { url, logger, keyPrefix = '', nowMs } = config;
  const link = await openRedisLink({ url, logger });
  return {
    idempotency: createRedisIdempotencyStore({ link, keyPrefix, nowMs }),
    breakers: createRedisBreakerStore(link, keyPrefix),
    ping: link.ping,
    close: link.close,
  };
}
