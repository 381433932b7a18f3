import { expect, test } from 'vitest';
import { openAdminServer } from '../admin/test-admin-server.ts';
import { describeOperations, readOperations } from '../described-surface.ts';

test('docs/contracts/dashboard.md lists every operation with its statuses', async () => {
  const operations = await describeOperations((await openAdminServer()).dashboard);

  expect(await readOperations('dashboard.md')).toEqual(
    operations.map(({ name, statuses }) => `${name}: ${statuses}`).sort(),
  );
});

test('every operation says who may ask', async () => {
  const operations = await describeOperations((await openAdminServer()).dashboard);

  expect(operations.map(({ name, operation }) => [name, operation.security])).toEqual([
    ['POST /dashboard/session', []],
    ['GET /dashboard/session', [{ session: [] }]],
    ['DELETE /dashboard/session', [{ session: [] }]],
  ]);
});
