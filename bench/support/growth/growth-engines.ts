import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '../../../src/core/log.ts';
import type { Storage } from '../../../src/core/storage.ts';
import { openPostgresStorage } from '../../../src/storage/postgres/open-postgres-storage.ts';
import { openSqliteStorage } from '../../../src/storage/sqlite/open-sqlite-storage.ts';
import type { BenchPostgres } from '../bench-postgres.ts';
import { openTempDir } from '../temp-dir.ts';
import { type SeedRuns, seedPostgres, seedSqlite } from './seed-runs.ts';

/** A database of its own. */
export interface GrowthPlace {
  /** The state root of a server that uses it, and what that server needs to find it. */
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly seed: SeedRuns;
  openStorage(): Promise<Storage>;
}

export interface GrowthEngine {
  readonly name: string;
  /** Migrated and empty. */
  openPlace(name: string): Promise<GrowthPlace>;
}

export const SQLITE: GrowthEngine = {
  name: 'SQLite',
  async openPlace() {
    const root = openTempDir().path;
    mkdirSync(join(root, '.openclawssy'), { recursive: true, mode: 0o700 });
    const file = join(root, '.openclawssy/pincer.db');
    const openStorage = () => openSqliteStorage({ file, writer: 'thread', logger: silentLogger });
    await (await openStorage()).close();
    return { root, env: {}, seed: seedSqlite(file), openStorage };
  },
};

export function onPostgres(postgres: BenchPostgres): GrowthEngine {
  return {
    name: 'PostgreSQL',
    async openPlace(name) {
      const url = await postgres.createDatabase(name);
      const openStorage = () => openPostgresStorage({ url, logger: silentLogger });
      await (await openStorage()).close();
      const env = { DATABASE_URL: url };
      return { root: openTempDir().path, env, seed: seedPostgres(url), openStorage };
    },
  };
}
