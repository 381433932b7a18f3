import { expect, test } from 'vitest';
import { type ApiDeps, createApiSurface } from '../../../src/surfaces/api/create-api-surface.ts';
import { describeOperations, readOperations } from '../described-surface.ts';

const surface = createApiSurface({} as ApiDeps);

test('docs/contracts/api.md lists every operation with its statuses', async () => {
  const operations = await describeOperations(surface);

  expect(await readOperations('api.md')).toEqual(
    operations.map(({ name, statuses }) => `${name}: ${statuses}`).sort(),
  );
});

test('every operation says what it does, asks for the token and shows errors as they are', async () => {
  const operations = await describeOperations(surface);

  for (const { name, operation } of operations) {
    expect([name, operation.summary], name).not.toEqual([name, '']);
    expect(operation.description, name).toMatch(/\.$/);
    expect(operation.security, name).toEqual([{ bearer: [] }, { session: [] }]);
    expect(operation.responses?.['401']?.content, name).toEqual({
      'application/json': { schema: { $ref: '#/components/schemas/ApiError' } },
    });
  }
});
