import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { toStatePaths } from '../../src/config/state-root/state-paths.ts';
import { writeSchemaFile } from '../../src/config/write-schema-file.ts';
import { silentLogger } from '../../src/core/log.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open-sqlite-storage.ts';
import { openTempRoot } from './temp-root.ts';

interface Templates {
  readonly database: string;
  readonly configSchema: string;
}

/** Made once per worker; the directory goes with all others of the run. */
let made: Promise<Templates> | undefined;

async function makeTemplates(): Promise<Templates> {
  const { path } = await openTempRoot();
  const templates = { database: join(path, 'pincer.db'), configSchema: join(path, 'schema.json') };
  const storage = await openSqliteStorage({
    file: templates.database,
    writer: 'inline',
    logger: silentLogger,
  });
  await storage.close();
  await writeSchemaFile(templates.configSchema);
  return templates;
}

/** Puts a database there that has its tables and nothing in them: migrating a new one takes far longer. */
export async function putFreshDatabase(file: string): Promise<void> {
  made ??= makeTemplates();
  await copyFile((await made).database, file);
}

/** Puts into a new state root what each first start writes alike. */
export async function putFreshState(root: string): Promise<void> {
  made ??= makeTemplates();
  const { stateDir, databaseFile, configSchemaFile } = toStatePaths(root);
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  await copyFile((await made).configSchema, configSchemaFile);
  await putFreshDatabase(databaseFile);
}
