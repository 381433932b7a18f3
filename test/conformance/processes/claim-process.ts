// A second process for the tests of idempotency stores: it claims keys as soon as it is told to, and says which it won.
import { once } from 'node:events';
import { silentLogger } from '../../../src/core/log.ts';
import type { IdempotencyStore } from '../../../src/core/reliability/idempotency/idempotency-store.ts';
import { openPostgresStorage } from '../../../src/storage/postgres/open-postgres-storage.ts';
import { openRedisStores } from '../../../src/storage/redis/open-redis-stores.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/open-sqlite-storage.ts';
import { newClaim } from '../effects/idempotency-rig.ts';

interface Opened {
  readonly idempotency: IdempotencyStore;
  close(): Promise<void>;
}

const [engine = '', target = '', keyPrefix = '', count = '0'] = process.argv.slice(2);
const logger = silentLogger;

const OPENERS: Record<string, () => Promise<Opened>> = {
  sqlite: () => openSqliteStorage({ file: target, writer: 'inline', logger }),
  postgres: () => openPostgresStorage({ url: target, logger }),
  redis: () => openRedisStores({ url: target, keyPrefix, logger }),
};

const opened = await OPENERS[engine]?.();
if (!opened) throw new Error(`unknown engine ${engine}`);
process.stdout.write('ready\n');
await once(process.stdin, 'data');
const claims = Array.from({ length: Number(count) }, (_, index) =>
  newClaim(`k${index}`, { claimId: `${process.pid}:${index}` }),
);
const results = await Promise.all(claims.map((claim) => opened.idempotency.claim(claim)));
const won = results.flatMap(({ outcome }, index) => (outcome === 'claimed' ? [`k${index}`] : []));
process.stdout.write(`${JSON.stringify(won)}\n`);
await opened.close();
process.stdin.destroy();
