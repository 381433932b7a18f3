import type { TestProject } from 'vitest/node';
import { ensureBuilt } from '../../scripts/lib/ensure-built.mjs';
import { startBrowserServer } from './browser-server.ts';
import { openEngineHub } from './engine-hub.ts';
import { startPostgresServer } from './postgres-server.ts';
import { startRedisServer } from './redis-server.ts';
import { removeOldCaches } from './test-cache.ts';
import { warmProgram } from './warm-program.ts';

/** Once per run: a current build for the tests that start the program, and the shared engines. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  await build();
  project.onTestsRerun(build);
  await removeOldCaches();
  const endWarmUp = await warmProgram();
  const hub = await openEngineHub({
    postgres: () => given('PINCER_TEST_POSTGRES_URL') ?? startPostgresServer(),
    redis: () => given('PINCER_TEST_REDIS_URL') ?? startRedisServer(),
    browser: startBrowserServer,
  });
  project.provide('engineHub', hub.url);
  return async () => {
    await Promise.all([hub.close(), endWarmUp()]);
  };
}

async function build(): Promise<void> {
  await ensureBuilt({
    fail: (message: string) => {
      throw new Error(message);
    },
  });
}

/** A server that somebody else runs, and stops. */
function given(variable: string): Promise<{ url: string; stop(): Promise<void> }> | undefined {
  const url = process.env[variable];
  return url ? Promise.resolve({ url, stop: async () => {} }) : undefined;
}
