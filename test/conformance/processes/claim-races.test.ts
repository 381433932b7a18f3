import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { bundleScript } from '../../support/bundle-script.ts';
import { findPostgres } from '../../support/postgres.ts';
import { createRedisPrefix, findRedis } from '../../support/redis.ts';
import { openTempRoot } from '../../support/temp-root.ts';
import { createTestDatabase } from '../open-postgres.ts';

const SCRIPT = await bundleScript(new URL('claim-process.ts', import.meta.url));
const PROCESSES = 3;
const KEYS = 60;

// Each says why when there is none.
const postgres = await findPostgres();
const redis = await findRedis();

async function startClaimer(engine: string, target: string, keyPrefix: string) {
  const args = [SCRIPT, engine, target, keyPrefix, String(KEYS)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => String((await lines.next()).value);
  expect(await line()).toBe('ready');
  return {
    go: () => void child.stdin.write('go\n'),
    won: async () => JSON.parse(await line()) as string[],
  };
}

async function race(engine: string, target: string, keyPrefix = ''): Promise<void> {
  const claimers = await Promise.all(
    Array.from({ length: PROCESSES }, () => startClaimer(engine, target, keyPrefix)),
  );
  for (const { go } of claimers) go();

  const won = await Promise.all(claimers.map((claimer) => claimer.won()));

  const all = Array.from({ length: KEYS }, (_, index) => `k${index}`);
  expect(won.flat().sort()).toEqual(all.sort());
}

test('processes on one SQLite file claim each key once', { timeout: 60_000 }, async () => {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());

  await race('sqlite', join(root.path, 'pincer.db'));
});

test.skipIf(!postgres.available)(
  'processes on one PostgreSQL database claim each key once',
  { timeout: 60_000 },
  async () => {
    await race('postgres', await createTestDatabase('migrated'));
  },
);

test.skipIf(!redis.available)(
  'processes on one Redis server claim each key once',
  { timeout: 60_000 },
  async () => {
    await race('redis', redis.available ? redis.url : '', createRedisPrefix());
  },
);
