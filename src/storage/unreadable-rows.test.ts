import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { claimNewRun } from '../../test/conformance/harness.ts';
import {
  connectAt,
  createTestDatabase,
  openStorageAt,
} from '../../test/conformance/open-postgres.ts';
import { findPostgres } from '../../test/support/postgres.ts';
import { openTempRoot } from '../../test/support/temp-root.ts';
import { silentLogger } from '../core/log.ts';
import type { Storage } from '../core/storage.ts';
import { connect } from './sqlite/driver.ts';
import { openSqliteStorage } from './sqlite/open-sqlite-storage.ts';

interface Rig {
  readonly storage: Storage;
  /** Changes what is stored behind the storage's back. */
  damage(text: { readonly sqlite: string; readonly postgres: string }): Promise<void>;
}

async function openSqlite(): Promise<Rig> {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  const file = join(root.path, 'pincer.db');
  const storage = await openSqliteStorage({ file, writer: 'inline', logger: silentLogger });
  onTestFinished(() => storage.close());
  return {
    storage,
    async damage({ sqlite }) {
      const db = connect(file, { readOnly: false });
      db.exec(sqlite);
      db.close();
    },
  };
}

async function openPostgres(): Promise<Rig> {
  const url = await createTestDatabase('migrated');
  const client = await connectAt(url);
  return {
    storage: await openStorageAt(url),
    damage: async ({ postgres }) => void (await client.query(postgres)),
  };
}

const postgres = await findPostgres();
const engines = [
  { name: 'SQLite', available: true, open: openSqlite },
  {
    name: postgres.available ? 'PostgreSQL' : `PostgreSQL (skipped: ${postgres.reason})`,
    available: postgres.available,
    open: openPostgres,
  },
];

for (const { name, available, open } of engines) {
  describe.skipIf(!available)(name, () => {
    test('one damaged row hides no other run, and is named', async () => {
      const { storage, damage } = await open();
      const [first, second, third] = [
        (await claimNewRun(storage.runs)).run.id,
        (await claimNewRun(storage.runs)).run.id,
        (await claimNewRun(storage.runs)).run.id,
      ];
      await damage({
        sqlite: `UPDATE run_texts SET message = '{' WHERE run_no = (SELECT no FROM runs WHERE id = '${second}')`,
        postgres: `update runs set message = '{' where id = '${second}'`,
      });
      const list = async (page: { limit: number; before?: typeof first }) => {
        const { runs, ...rest } = await storage.runs.list(page);
        return { ids: runs.map(({ id }) => id), ...rest };
      };

      expect(await list({ limit: 10 })).toEqual({
        ids: [third, first],
        unreadable: [second],
        next: undefined,
      });
      // Pages go on past it.
      expect(await list({ limit: 2 })).toEqual({
        ids: [third],
        unreadable: [second],
        next: second,
      });
      expect(await list({ limit: 2, before: second })).toEqual({ ids: [first], next: undefined });
      await expect(storage.runs.find(second)).rejects.toMatchObject({
        code: 'internal',
        details: { run_id: second },
      });
    });

    test('a damaged event is named with its run', async () => {
      const { storage, damage } = await open();
      const { run } = await claimNewRun(storage.runs);
      await damage({
        sqlite: `UPDATE events SET payload = '{' WHERE seq = 2`,
        postgres: `update events set payload = '{' where seq = 2`,
      });

      await expect(storage.events.read(run.id, { after: 0, limit: 10 })).rejects.toMatchObject({
        code: 'internal',
        details: { run_id: run.id, seq: 2 },
      });
    });
  });
}
