import { expect, test } from 'vitest';
import { describeOperations, readOperations } from '../described-surface.ts';
import { openAdminServer } from './test-admin-server.ts';

test('docs/contracts/admin.md lists every operation with its statuses', async () => {
  const operations = await describeOperations((await openAdminServer()).surface);

  expect(await readOperations('admin.md')).toEqual(
    operations.map(({ name, statuses }) => `${name}: ${statuses}`).sort(),
  );
});

test('every operation says what it does and asks for the token', async () => {
  const operations = await describeOperations((await openAdminServer()).surface);

  for (const { name, operation } of operations) {
    expect([name, operation.summary], name).not.toEqual([name, '']);
    expect(operation.description, name).toMatch(/\.$/);
    expect(operation.security, name).toEqual([{ bearer: [] }, { session: [] }]);
  }
});
