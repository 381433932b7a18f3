import { describe, expect, onTestFinished, test } from 'vitest';
import {
  connectAt,
  createTestDatabase,
  openStorageAt,
} from '../../../test/conformance/open-postgres.ts';
import { findPostgres } from '../../../test/support/postgres.ts';
import { createStoreCheck } from '../../core/check-store.ts';
import { systemClock } from '../../core/clock.ts';

const engine = await findPostgres();

/** Far below what a statement may take, and far above what a check does. */
const PATIENCE_MS = 10_000;

function findReasonToSkip(): string | undefined {
  if (!engine.available) return engine.reason;
  return process.platform === 'linux' ? undefined : 'its processes can not be stopped from here';
}

const reason = findReasonToSkip();

describe.skipIf(reason !== undefined)(
  `PostgreSQL${reason === undefined ? '' : ` (skipped: ${reason})`}`,
  () => {
    test('a database that stands still is unavailable within moments, and available when it goes on', async () => {
      const url = await createTestDatabase('migrated');
      const storage = await openStorageAt(url);
      const check = createStoreCheck({ ping: () => storage.ping(), clock: systemClock });
      await storage.ping();
      const outside = await connectAt(url);
      const { rows } = await outside.query<{ pid: number }>(
        'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      const goOn = () => {
        for (const { pid } of rows) process.kill(pid, 'SIGCONT');
      };
      onTestFinished(goOn);

      for (const { pid } of rows) process.kill(pid, 'SIGSTOP');
      const askedAtMs = performance.now();
      await expect(check()).rejects.toMatchObject({ code: 'storage_unavailable' });
      const tookMs = performance.now() - askedAtMs;
      goOn();

      expect(tookMs).toBeLessThan(PATIENCE_MS);
      await expect
        .poll(
          () =>
            check().then(
              () => true,
              () => false,
            ),
          { timeout: PATIENCE_MS },
        )
        .toBe(true);
    });
  },
);
