import pg from 'pg';
import { onTestFinished } from 'vitest';
import { silentLogger } from '../../src/core/log.ts';
import type { Storage } from '../../src/core/storage.ts';
import { openPostgresStorage } from '../../src/storage/postgres/open-postgres-storage.ts';
import { atEnd } from '../support/at-end.ts';
import {
  borrowDatabase,
  createDatabase,
  dropDatabase,
  openCleaner,
  returnDatabase,
} from '../support/postgres.ts';
import type { DataPlace } from './kept-storage.ts';

const MIGRATED = {
  name: 'pincer',
  migrate: async (url: string) => {
    const storage = await openPostgresStorage({ url, logger: silentLogger });
    await storage.close();
  },
};

/** A database of its own, for the suites that every engine runs. */
export async function openPostgresPlace(): Promise<DataPlace> {
  const database = await borrowDatabase(MIGRATED);
  const cleaner = await openCleaner(database);
  return {
    open: ({ nowMs }) => openPostgresStorage({ url: database.url, logger: silentLogger, nowMs }),
    empty: cleaner.empty,
    async remove() {
      await cleaner.close();
      await returnDatabase(MIGRATED, database);
    },
  };
}

/** The URL of a database that goes when the test ends; empty, or with the current schema. */
export async function createTestDatabase(state: 'empty' | 'migrated'): Promise<string> {
  const database = await createDatabase(state === 'migrated' ? MIGRATED : undefined);
  onTestFinished(() => dropDatabase(database));
  return database.url;
}

/** The URL of a migrated database for a test that changes nothing but rows, which costs a fraction of a new one. */
export async function borrowTestDatabase(): Promise<string> {
  const database = await borrowDatabase(MIGRATED);
  atEnd(() => returnDatabase(MIGRATED, database));
  return database.url;
}

/** Storage by the database's own clock; closed when the test ends. */
export async function openStorageAt(url: string): Promise<Storage> {
  const storage = await openPostgresStorage({ url, logger: silentLogger });
  onTestFinished(() => storage.close());
  return storage;
}

/** A plain connection, to look and interfere from outside; closed when the test ends. */
export async function connectAt(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}
