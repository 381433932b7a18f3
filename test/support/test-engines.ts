import { borrowTestDatabase } from '../conformance/open-postgres.ts';
import { findPostgres } from './postgres.ts';

/** A store that a whole runtime can be opened on, by its environment. */
export interface TestEngine {
  readonly name: string;
  readonly available: boolean;
  /** The environment of runtimes that share one fresh store, which goes when the test ends. */
  openEnv(): Promise<Readonly<Record<string, string>>>;
}

const postgres = await findPostgres();

export const TEST_ENGINES: readonly TestEngine[] = [
  { name: 'SQLite', available: true, openEnv: async () => ({}) },
  {
    name: postgres.available ? 'PostgreSQL' : `PostgreSQL (skipped: ${postgres.reason})`,
    available: postgres.available,
    openEnv: async () => ({ DATABASE_URL: await borrowTestDatabase() }),
  },
];
