import { describe, expect, test } from 'vitest';
import {
  connectAt,
  createTestDatabase,
  openStorageAt,
} from '../../../test/conformance/open-postgres.ts';
import { findPostgres } from '../../../test/support/postgres.ts';

// Says why when there is none.
const engine = await findPostgres();

const FAR_MS = Date.UTC(2100, 0);

describe.skipIf(!engine.available)('nonces on PostgreSQL', () => {
  test('go a few at a time after they have expired, so that they do not pile up', async () => {
    const url = await createTestDatabase('migrated');
    const { nonces } = await openStorageAt(url);
    const client = await connectAt(url);
    const use = (value: string) => nonces.use({ value, expiresAtMs: FAR_MS });
    for (let index = 0; index < 10; index += 1) await use(`old ${index}`);
    await client.query('update nonces set expires_at_ms = 1');

    const left: number[] = [];
    for (const value of ['a', 'b', 'c', 'd']) {
      await use(value);
      const { rows } = await client.query('select count(*)::int as nonces from nonces');
      left.push(rows[0].nonces);
    }

    expect(left).toEqual([7, 4, 3, 4]);
  });

  test('can be brought back while others of their age go', async () => {
    const url = await createTestDatabase('migrated');
    const { nonces } = await openStorageAt(url);
    const client = await connectAt(url);
    const values = Array.from({ length: 20 }, (_, index) => `nonce ${index}`);
    const useAll = () =>
      Promise.all(values.map((value) => nonces.use({ value, expiresAtMs: FAR_MS })));
    await useAll();
    await client.query('update nonces set expires_at_ms = 1');

    const [again, twice] = [await useAll(), await useAll()];

    expect(again).toEqual(Array(20).fill(true));
    expect(twice).toEqual(Array(20).fill(false));
  });
});
