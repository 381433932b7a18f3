import type { Redis } from 'ioredis';
import { type Backoff, backoffMs } from '../../core/backoff.ts';
import { systemClock } from '../../core/clock.ts';
import { RuntimeError } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import type { Script } from './script.ts';

const CONNECT_TIMEOUT_MS = 2_000;
/** Callers go on without the store: an answer that takes longer is worth less than none. */
const COMMAND_TIMEOUT_MS = 1_000;
/** Silence for this long with commands under way: the connection is given up, and what waits on it with it. */
const SOCKET_TIMEOUT_MS = 3_000;
const RECONNECT: Backoff = { firstMs: 50, maxMs: 2_000 };
/** Keys that one step of a scan looks at. */
const SCAN_COUNT = 1_000;
/** Scans are for people who list and flush. */
const MAX_SCAN_MS = 30_000;

export interface RedisLinkConfig {
  /** `redis://` or `rediss://`, with user, password and database. */
  readonly url: string;
  readonly logger: Logger;
}

/** One connection. Every fault is `storage_unavailable` and comes soon: nothing waits for a server that is gone. */
export interface RedisLink {
  run(
    script: Script,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown>;
  /** Every key that begins with the prefix, at least once, in bunches. */
  scan(prefix: string): AsyncIterable<readonly string[]>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Also opens while the server can't be reached: the connection is tried again until it is closed. */
export async function openRedisLink({ url, logger }: RedisLinkConfig): Promise<RedisLink> {
  assertRedisUrl(url);
  const redis = await connect(url);
  // A lost connection also fails the commands under way; without a listener it would end the process.
  redis.on('error', (error: Error) => logger.debug({ reason: error.message }, 'redis failed'));
  await redis.connect().catch((error: Error) => {
    logger.warn({ reason: error.message }, 'redis can not be reached yet');
  });
  return {
    run: (script, keys, args) => evaluate(redis, script, [keys.length, ...keys, ...args]),
    scan: (prefix) => scanKeys(redis, prefix),
    ping: async () => {
      await guard(() => redis.ping());
    },
    close: async () => {
      await redis.quit().catch(() => {});
      redis.disconnect();
    },
  };
}

async function connect(url: string): Promise<Redis> {
  // Loaded when a store is opened: a start without Redis does not pay for it.
  const { Redis: Driver } = await import('ioredis');
  return new Driver(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: COMMAND_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    retryStrategy: (attempt) => backoffMs(RECONNECT, attempt),
    connectionName: 'pincer',
    // Old servers know no other, and no reply of ours needs one.
    protocol: 2,
  });
}

type Arguments = readonly [keys: number, ...rest: (string | number)[]];

/** By its hash; the source is sent once, and again to a server that was restarted. */
async function evaluate(redis: Redis, { sha, source }: Script, args: Arguments): Promise<unknown> {
  return guard(async () => {
    try {
      return await redis.evalsha(sha, ...args);
    } catch (thrown) {
      if (!(thrown instanceof Error) || !thrown.message.startsWith('NOSCRIPT')) throw thrown;
      return redis.eval(source, ...args);
    }
  });
}

async function* scanKeys(redis: Redis, prefix: string): AsyncGenerator<readonly string[]> {
  const pattern = `${prefix.replace(/[\\*?[\]]/g, '\\$&')}*`;
  const deadlineMs = systemClock.nowMs() + MAX_SCAN_MS;
  let cursor = '0';
  do {
    if (systemClock.nowMs() > deadlineMs)
      throw unavailable(`a scan took longer than ${MAX_SCAN_MS} ms`);
    const at = cursor;
    const [next, keys] = await guard(() => redis.scan(at, 'MATCH', pattern, 'COUNT', SCAN_COUNT));
    yield keys;
    cursor = next;
  } while (cursor !== '0');
}

async function guard<T>(command: () => Promise<T>): Promise<T> {
  try {
    return await command();
  } catch (thrown) {
    // The driver's messages tell what failed and never what was sent.
    throw unavailable(thrown instanceof Error ? thrown.message : 'unknown', thrown);
  }
}

function unavailable(reason: string, cause?: unknown): RuntimeError {
  return new RuntimeError('storage_unavailable', `redis is unavailable: ${reason}`, { cause });
}

function assertRedisUrl(url: string): void {
  const protocol = URL.canParse(url) ? new URL(url).protocol : undefined;
  if (protocol === 'redis:' || protocol === 'rediss:') return;
  // The value stays out of the message: it holds a password.
  throw new RuntimeError('config_invalid', 'the redis url is not a redis:// or rediss:// url');
}
