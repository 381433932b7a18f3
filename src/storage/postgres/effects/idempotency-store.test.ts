import { describe, expect, test } from 'vitest';
import { newClaim } from '../../../../test/conformance/effects/idempotency-rig.ts';
import {
  connectAt,
  createTestDatabase,
  openStorageAt,
} from '../../../../test/conformance/open-postgres.ts';
import { findPostgres } from '../../../../test/support/postgres.ts';

// Says why when there is none.
const engine = await findPostgres();

describe.skipIf(!engine.available)('idempotency records on PostgreSQL', () => {
  test('go in bunches after they have expired, so that they do not pile up', async () => {
    const url = await createTestDatabase('migrated');
    const { idempotency } = await openStorageAt(url);
    const client = await connectAt(url);
    for (let index = 0; index < 20; index += 1) await idempotency.claim(newClaim(`old ${index}`));
    await client.query('update idempotency_records set expires_at_ms = 1');

    for (let index = 0; index < 64; index += 1) await idempotency.claim(newClaim(`new ${index}`));

    const { rows } = await client.query('select count(*)::int as records from idempotency_records');
    expect(rows).toEqual([{ records: 64 }]);
  });

  test("go by the database's clock", async () => {
    const url = await createTestDatabase('migrated');
    const { idempotency } = await openStorageAt(url);
    const client = await connectAt(url);
    const now = async (): Promise<number> => {
      const { rows } = await client.query(
        'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
      );
      return rows[0].ms;
    };
    const claim = newClaim();
    const beforeMs = await now();
    await idempotency.claim(claim);
    const afterMs = await now();

    const record = await idempotency.find(claim.storedKey);

    expect(record?.createdAtMs).toBeGreaterThanOrEqual(Math.floor(beforeMs));
    expect(record?.createdAtMs).toBeLessThanOrEqual(Math.ceil(afterMs));
  });
});
