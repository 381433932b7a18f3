import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { SecretPlace } from '../../src/core/secrets/secret-place.ts';
import { createSecretFilePlace } from '../../src/storage/files/secrets/secret-file-place.ts';
import { createTestDatabase, openStorageAt } from '../conformance/open-postgres.ts';
import { describeSecretPlace } from '../conformance/secret-place.suite.ts';
import { findPostgres } from '../support/postgres.ts';
import { openTempRoot } from '../support/temp-root.ts';

describeSecretPlace('a file', async () => {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  const file = join(root.path, 'state', 'secrets.enc');
  return { place: createSecretFilePlace(file), beside: createSecretFilePlace(file) };
});

// Says why when there is none.
const engine = await findPostgres();

async function openPlaces(): Promise<{ place: SecretPlace; beside: SecretPlace }> {
  const url = await createTestDatabase('migrated');
  const [one, other] = await Promise.all([openStorageAt(url), openStorageAt(url)]);
  return {
    place: one.secretPlace as SecretPlace,
    beside: other.secretPlace as SecretPlace,
  };
}

describe.skipIf(!engine.available)('PostgreSQL', () => {
  describeSecretPlace('postgres', openPlaces);

  test('refuses a writer that has not seen the newest document', async () => {
    const { place, beside } = await openPlaces();
    const none = await place.readMark();
    const first = (await place.replace('1', none)) ?? '';

    expect(await beside.replace('lost', none)).toBeUndefined();
    await beside.replace('2', first);
    expect(await place.replace('lost', first)).toBeUndefined();
    expect((await place.read()).text).toBe('2');
  });
});
