import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test } from 'vitest';
import { newClaim } from '../../../test/conformance/effects/idempotency-rig.ts';
import { createRedisPrefix, findRedis } from '../../../test/support/redis.ts';
import { startRedisServer } from '../../../test/support/redis-server.ts';
import { silentLogger } from '../../core/log.ts';
import { openRedisStores } from './open-redis-stores.ts';

// Says why when there is none.
const engine = await findRedis();
const sharedUrl = engine.available ? engine.url : '';

/** Sooner than any caller should have to wait. */
const SOON_MS = 3_000;

async function openAt(url: string, keyPrefix = createRedisPrefix()) {
  const stores = await openRedisStores({ url, logger: silentLogger, keyPrefix });
  onTestFinished(() => stores.close());
  return stores;
}

function connectTo(url: string): Redis {
  const client = new Redis(url);
  onTestFinished(() => client.disconnect());
  return client;
}

test('refuses a url of something else, without showing it', async () => {
  const opening = openRedisStores({ url: 'http://a:hunter2@b', logger: silentLogger });

  await expect(opening).rejects.toMatchObject({
    code: 'config_invalid',
    message: 'the redis url is not a redis:// or rediss:// url',
  });
});

test('opens while nobody listens, warns once, and refuses soon', async () => {
  const warnings: string[] = [];
  const logger = { ...silentLogger, warn: (_: object, message: string) => warnings.push(message) };
  const stores = await openRedisStores({ url: 'redis://:hunter2@127.0.0.1:1', logger });
  onTestFinished(() => stores.close());
  const startedMs = Date.now();

  const results = await Promise.allSettled([
    stores.idempotency.claim(newClaim()),
    stores.breakers.find('a'),
    stores.ping(),
  ]);

  for (const result of results) {
    expect(result).toMatchObject({
      status: 'rejected',
      reason: { name: 'RuntimeError', code: 'storage_unavailable' },
    });
    expect(JSON.stringify(result)).not.toContain('hunter2');
  }
  expect(Date.now() - startedMs).toBeLessThan(SOON_MS);
  expect(warnings).toEqual(['redis can not be reached yet']);
});

test('refuses soon when the server takes commands and never answers', async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    // As far as the driver's questions at the start, and no further.
    socket.on('data', (data) => {
      if (/info/i.test(String(data))) socket.write('$8\r\nloading:\r\n');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const startedMs = Date.now();
  const { idempotency } = await openAt(`redis://127.0.0.1:${port}`);

  const claim = idempotency.claim(newClaim());

  await expect(claim).rejects.toMatchObject({ code: 'storage_unavailable' });
  expect(Date.now() - startedMs).toBeLessThan(SOON_MS * 2);
});

describe.skipIf(!engine.available)('on a real server', () => {
  test('stores a record under exactly its key, with the expiry of the server', async () => {
    const keyPrefix = createRedisPrefix();
    const { idempotency } = await openAt(sharedUrl, keyPrefix);
    const client = connectTo(sharedUrl);
    const claim = newClaim('order:7', { toolId: 'mail.send', ttlMs: 90_000 });

    await idempotency.claim(claim);

    const key = `${keyPrefix}idemp:mail.send:order%3A7`;
    const ttlMs = await client.pttl(key);
    expect(await client.hget(key, 'claimId')).toBe(claim.claimId);
    expect(ttlMs).toBeGreaterThan(60_000);
    expect(ttlMs).toBeLessThanOrEqual(90_000);
    await idempotency.settle(claim.storedKey, claim.claimId, {
      state: 'COMPLETED',
      result: '1',
      ttlMs: 200_000,
    });
    expect(await client.pttl(key)).toBeGreaterThan(150_000);
  });

  test("goes by the server's clock", async () => {
    const { idempotency } = await openAt(sharedUrl);
    const client = connectTo(sharedUrl);
    const now = async () => {
      const [seconds = 0, micros = 0] = (await client.time()).map(Number);
      return seconds * 1_000 + Math.floor(micros / 1_000);
    };
    const claim = newClaim('k', { leaseMs: 1 });
    const beforeMs = await now();
    await idempotency.claim(claim);
    const afterMs = await now();

    const record = await idempotency.find(claim.storedKey);

    expect(record?.createdAtMs).toBeGreaterThanOrEqual(beforeMs);
    expect(record?.createdAtMs).toBeLessThanOrEqual(afterMs);
    const again = async () => (await idempotency.claim(newClaim())).outcome;
    await expect.poll(again, { timeout: SOON_MS }).toBe('abandoned');
  });

  test('sends its scripts again to a server that has forgotten them', async () => {
    const { idempotency } = await openAt(sharedUrl);
    const client = connectTo(sharedUrl);
    await idempotency.claim(newClaim('a'));
    await client.script('FLUSH');

    expect(await idempotency.claim(newClaim('b'))).toEqual({ outcome: 'claimed' });
  });

  test('refuses what somebody else has put under a key, and treats a strange state as closed', async () => {
    const keyPrefix = createRedisPrefix();
    const { idempotency, breakers } = await openAt(sharedUrl, keyPrefix);
    const client = connectTo(sharedUrl);
    const claim = newClaim();
    await client.set(`${keyPrefix}${claim.storedKey}`, 'text');
    await client.hset(`${keyPrefix}breaker:a`, { version: '7', state: '{"status":"ajar"}' });

    await expect(idempotency.claim(claim)).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(await breakers.find('a')).toMatchObject({ version: 7, state: { status: 'closed' } });
    const written = await breakers.replace('a', 7, { status: 'forced_open', epoch: 1 });
    expect(written).toEqual({ outcome: 'written', version: 8 });
  });

  test('lists and flushes among thousands of keys', async () => {
    const { idempotency } = await openAt(sharedUrl);
    const claims = Array.from({ length: 2_500 }, (_, index) => newClaim(`k${index}`));
    // Not all at once: each has to be answered soon, also on a machine with other work.
    for (let at = 0; at < claims.length; at += 100) {
      await Promise.all(claims.slice(at, at + 100).map((claim) => idempotency.claim(claim)));
    }
    const sorted = claims.map(({ storedKey }) => storedKey).sort();

    const page = await idempotency.list('mail.send', { limit: 10, after: sorted[1_000] ?? '' });

    expect(page.map(({ storedKey }) => storedKey)).toEqual(sorted.slice(1_001, 1_011));
    expect(await idempotency.flush('mail.send')).toBe(2_500);
  });
});

test('refuses while the server is down and serves again, empty, when it is back', {
  timeout: 60_000,
}, async () => {
  const server = await startRedisServer();
  onTestFinished(() => server.stop());
  const { idempotency, ping } = await openAt(server.url);
  const claim = newClaim();
  await idempotency.claim(claim);
  await server.kill();

  await expect
    .poll(() => ping().catch((error) => error.code), { timeout: 10_000 })
    .toBe('storage_unavailable');
  await expect(idempotency.claim(newClaim())).rejects.toMatchObject({
    code: 'storage_unavailable',
  });
  await server.start();
  await expect
    .poll(
      () =>
        ping().then(
          () => 'up',
          () => 'down',
        ),
      { timeout: 10_000 },
    )
    .toBe('up');
  const settled = await idempotency.settle(claim.storedKey, claim.claimId, {
    state: 'COMPLETED',
    result: '1',
    ttlMs: 1_000,
  });
  expect(settled).toBe(false);
});
