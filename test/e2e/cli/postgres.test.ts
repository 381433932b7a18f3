import pg from 'pg';
import { expect, test } from 'vitest';
import { createDatabase, dropDatabase, findPostgres } from '../../support/postgres.ts';
import { normalize, openClawRoot, runIdIn } from './claw.ts';

const postgres = await findPostgres();
const skipReason = postgres.available ? '' : ` (skipped: ${postgres.reason})`;

test.skipIf(!postgres.available)(
  `commands work on PostgreSQL, with a server and without one${skipReason}`,
  async () => {
    const database = await createDatabase();
    const root = await openClawRoot();
    const env = { DATABASE_URL: database.url };
    const json = async (...args: string[]) => {
      const ended = await root.claw([...args, '--output-format', 'json'], { env });
      expect(ended.stderr).toBe('');
      return { id: ended.stdout, ...normalize(ended.stdout, root.path) } as Record<string, unknown>;
    };

    const before = await json('doctor');
    const local = await json('ask', '/tool time.now {}');
    const id = runIdIn(String(local['id']));
    const shown = await json('runs', 'show', id);
    const server = await root.serve({ env });
    const remote = await json('ask', '/tool time.now {}');
    server.child.kill('SIGTERM');
    await server.ended;
    const verified = await json('audit', 'verify');
    await root.dispose();
    await dropDatabase(database);

    expect(before).toMatchObject({
      exit_code: 0,
      checks: expect.arrayContaining([
        {
          name: 'database',
          status: 'ok',
          summary: expect.stringMatching(
            /^PostgreSQL \d+ answers and is empty yet: the first start fills it$/,
          ),
        },
      ]),
    });
    expect(local).toMatchObject({ exit_code: 0, via: 'local' });
    expect(shown).toMatchObject({ exit_code: 0, status: 'completed', via: 'local' });
    expect(remote).toMatchObject({ exit_code: 0, via: 'server' });
    expect(verified).toMatchObject({ exit_code: 0, verified: true, runs_count: 2 });
  },
);

test.skipIf(!postgres.available)(
  `doctor tells a current database from one of another version${skipReason}`,
  async () => {
    const database = await createDatabase();
    const root = await openClawRoot();
    const env = { DATABASE_URL: database.url, CLAW_PORT: '0' };
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const look = async () => {
      const { stdout } = await root.claw(['doctor', '--output-format', 'json'], { env });
      const { checks } = JSON.parse(stdout) as { checks: Record<string, string>[] };
      return Object.fromEntries(checks.map(({ name, ...verdict }) => [name, verdict]));
    };

    await root.claw(['ask', '/tool time.now {}'], { env });
    const ready = await look();
    await client.query('update schema_migrations set version = version + 1000');
    const newer = await look();
    await client.query('delete from schema_migrations where version > 1001');
    await client.query('update schema_migrations set version = 1');
    const older = await look();
    await client.end();
    await root.dispose();
    await dropDatabase(database);

    expect(ready['database']).toEqual({
      status: 'ok',
      summary: expect.stringMatching(/^PostgreSQL \d+ answers, version \d+$/),
    });
    expect(ready['clock']?.['status']).toBe('ok');
    expect(newer['database']).toEqual({
      status: 'fail',
      summary: expect.stringMatching(
        /^the database has version 1\d{3}, but this claw knows versions up to \d+$/,
      ),
      fix: 'upgrade claw, or use a database of this version',
    });
    expect(older['database']).toEqual({
      status: 'warn',
      summary: expect.stringMatching(/^PostgreSQL has version 1 of \d+$/),
      fix: 'claw serve migrates it; make a backup first',
    });
  },
);
