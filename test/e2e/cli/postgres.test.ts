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
          summary: 'PostgreSQL answers and is empty yet: the first start fills it',
        },
      ]),
    });
    expect(local).toMatchObject({ exit_code: 0, via: 'local' });
    expect(shown).toMatchObject({ exit_code: 0, status: 'completed', via: 'local' });
    expect(remote).toMatchObject({ exit_code: 0, via: 'server' });
    expect(verified).toMatchObject({ exit_code: 0, verified: true, runs_count: 2 });
  },
);
