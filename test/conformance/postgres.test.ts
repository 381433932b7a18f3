import { describe } from 'vitest';
import { findPostgres } from '../support/postgres.ts';
import { keepStorageOpen } from './kept-storage.ts';
import { openPostgresPlace } from './open-postgres.ts';
import { describeStorage } from './storage.suite.ts';

// Says why when there is none.
const engine = await findPostgres();

describe.skipIf(!engine.available)('PostgreSQL', () => {
  describeStorage('postgres', keepStorageOpen(openPostgresPlace));
});
