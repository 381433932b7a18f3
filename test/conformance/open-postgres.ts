import pg from 'pg';
import { onTestFinished } from 'vitest';
import { silentLogger } from '../../src/core/log.ts';
import type { Storage } from '../../src/core/storage.ts';
import { openPostgresStorage } from '../../src/storage/postgres/open-postgres-storage.ts';
import {
  borrowDatabase,
  createDatabase,
  dropDatabase,
  returnDatabase,
} from '../support/postgres.ts';
import type { OpenStorage } from './harness.ts';

const MIGRATED = {
  name: 'pincer',
  migrate: async (url: string) => {
    const storage = await openPostgresStorage({ url, logger: silentLogger });
    await storage.close();
  },
};

/** Storage on a database of its own, for the suites that every engine runs. */
export const openOnPostgres: OpenStorage = async ({ nowMs }) => {
  const database = await borrowDatabase(MIGRATED);
  const opened: Storage[] = [];

  async function openNext(): Promise<Storage> {
    const storage = await openPostgresStorage({ url: database.url, logger: silentLogger, nowMs });
    opened.push(storage);
    return storage;
  }

  const storage = await openNext();
  return {
    storage,
    openBeside: openNext,
    async reopen() {
      await opened.at(-1)?.close();
      return openNext();
    },
    async close() {
      for (const each of opened) await each.close();
      await returnDatabase(MIGRATED, database);
    },
  };
};

/** The URL of a database that goes when the test ends; empty, or with the current schema. */
export async function createTestDatabase(state: 'empty' | 'migrated'): Promise<string> {
  const database = await createDatabase(state === 'migrated' ? MIGRATED : undefined);
  onTestFinished(() => dropDatabase(database));
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
