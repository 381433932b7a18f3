import { describe, onTestFinished } from 'vitest';
import { silentLogger } from '../../src/core/log.ts';
import { openRedisStores, type RedisStores } from '../../src/storage/redis/open-redis-stores.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { createRedisPrefix, findRedis } from '../support/redis.ts';
import { describeBreakerStore } from './breaker-store.suite.ts';
import { describeIdempotencyStore } from './effects/idempotency-store.suite.ts';

// Says why when there is none.
const engine = await findRedis();
const url = engine.available ? engine.url : '';

/** Stores under a prefix of their own; each call opens one more connection to the same keys. */
function opener(clock: ManualClock): () => Promise<RedisStores> {
  const keyPrefix = createRedisPrefix();
  return async () => {
    const config = { url, logger: silentLogger, keyPrefix, nowMs: clock.nowMs };
    const stores = await openRedisStores(config);
    onTestFinished(() => stores.close());
    return stores;
  };
}

describe.skipIf(!engine.available)('Redis', () => {
  describeIdempotencyStore('redis', async () => {
    const clock = new ManualClock();
    const open = opener(clock);
    const store = (await open()).idempotency;
    return { store, clock, openBeside: async () => (await open()).idempotency };
  });

  describeBreakerStore('redis', async () => {
    const open = opener(new ManualClock());
    const store = (await open()).breakers;
    return { store, openBeside: async () => (await open()).breakers };
  });
});
