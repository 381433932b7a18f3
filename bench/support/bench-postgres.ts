import pg from 'pg';
import { startPostgresServer } from '../../test/support/postgres-server.ts';

export interface BenchPostgres {
  /** The URL of an empty database. */
  createDatabase(name: string): Promise<string>;
  stop(): Promise<void>;
}

/** What is measured is durable, as it is where people run it. */
const DURABLE = { fsync: 'on', full_page_writes: 'on', shared_buffers: '256MB' };

/** A PostgreSQL that ends with this process, however that ends. */
export async function openBenchPostgres(): Promise<BenchPostgres> {
  const server = await startPostgresServer(DURABLE);
  return {
    async createDatabase(name) {
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      await client.query(`create database ${name} template template0`);
      await client.end();
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      return url.href;
    },
    stop: () => server.stop(),
  };
}
