import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createIds } from '../../core/create-ids.ts';
import { createSeal } from '../../core/events/seal.ts';
import type { AgentId } from '../../core/ids.ts';
import { silentLogger } from '../../core/log.ts';
import type { Storage } from '../../core/storage.ts';
import { loadMigrations } from '../load-migrations.ts';
import { connect } from './driver.ts';
import { openSqliteStorage, type SqliteStorageConfig } from './open-sqlite-storage.ts';
import { MAX_PENDING_WRITES } from './writer.ts';

const ids = createIds(() => Date.now());
const seal = createSeal({
  ids,
  redactor: { redact: (value) => ({ value, paths: [] }), redactText: (text) => text },
});

function tempFile(): string {
  const root = mkdtempSync(join(tmpdir(), 'pincer-test-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  return join(root, 'pincer.db');
}

async function open(config: Partial<SqliteStorageConfig> & { file: string }): Promise<Storage> {
  const storage = await openSqliteStorage({ writer: 'inline', logger: silentLogger, ...config });
  onTestFinished(() => storage.close());
  return storage;
}

const create = (storage: Storage) =>
  storage.runs.create(
    { id: ids.run(), agentId: 'agent' as AgentId, source: 'test', message: 'hello' },
    [seal({ type: 'run.created', payload: {} })],
    { maxQueued: Number.POSITIVE_INFINITY },
  );

test('refuses a database of a newer version and leaves it byte for byte as it was', async () => {
  const file = tempFile();
  await (await open({ file })).close();
  const db = connect(file, { readOnly: false });
  db.exec('PRAGMA user_version = 9000');
  db.close();
  const before = readFileSync(file);

  const opening = open({ file });

  await expect(opening).rejects.toMatchObject({
    code: 'conflict',
    message: `database ${file} has version 9000, but this claw knows versions up to ${loadMigrations('sqlite').length}: upgrade claw, or use the state root of this version`,
  });
  expect(readFileSync(file)).toEqual(before);
});

test('does not touch the log of a newer version either', async () => {
  const file = tempFile();
  const db = connect(file, { readOnly: false });
  onTestFinished(() => db.close());
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE future (x); PRAGMA user_version = 9000');
  const files = () => [readFileSync(file), readFileSync(`${file}-wal`)];
  const before = files();

  await expect(open({ file })).rejects.toMatchObject({ code: 'conflict' });

  expect(files()).toEqual(before);
});

test('refuses a database of a set of tables from before the first release', async () => {
  const file = tempFile();
  const db = connect(file, { readOnly: false });
  // As many versions as the set that was released first: nothing but the mark tells them apart.
  db.exec('CREATE TABLE runs (no INTEGER PRIMARY KEY); PRAGMA user_version = 12');
  db.close();
  const before = readFileSync(file);
  const refusal = {
    code: 'conflict',
    message: `database ${file} was made by a claw from before the first release, and can not be migrated`,
    details: { version: 12, fix: 'move it away and start claw again, or use another state root' },
  };

  await expect(open({ file })).rejects.toMatchObject(refusal);
  await expect(open({ file, readOnly: true })).rejects.toMatchObject(refusal);

  expect(readFileSync(file)).toEqual(before);
});

test('refuses a database of another program with a version of its own', async () => {
  const file = tempFile();
  const db = connect(file, { readOnly: false });
  db.exec('CREATE TABLE runs (x); PRAGMA application_id = 7; PRAGMA user_version = 1');
  db.close();

  await expect(open({ file })).rejects.toMatchObject({
    code: 'conflict',
    message: `${file} is a database of another program`,
  });
});

test('refuses a database of another program', async () => {
  const file = tempFile();
  const db = connect(file, { readOnly: false });
  db.exec('CREATE TABLE somebody_elses (x)');
  db.close();

  await expect(open({ file })).rejects.toMatchObject({
    code: 'conflict',
    message: `${file} is a database of another program`,
  });
});

test('refuses a file that is no database', async () => {
  const file = tempFile();
  writeFileSync(file, 'hello '.repeat(1_000));

  await expect(open({ file })).rejects.toMatchObject({
    code: 'storage_unavailable',
    message: 'storage is unavailable: the file is not a SQLite database',
  });
});

test('says which file could not be created', async () => {
  const file = join(tempFile(), 'missing', 'pincer.db');

  await expect(open({ file })).rejects.toMatchObject({
    code: 'storage_unavailable',
    message: `storage is unavailable: database ${file} could not be created`,
  });
});

test('keeps the database and its log to the owner', async () => {
  const file = tempFile();
  const storage = await open({ file });
  await create(storage);

  const modes = readdirSync(join(file, '..')).map((name) => [
    name,
    statSync(join(file, '..', name)).mode & 0o777,
  ]);

  expect(modes).toEqual([
    ['pincer.db', 0o600],
    ['pincer.db-shm', 0o600],
    ['pincer.db-wal', 0o600],
  ]);
});

test.each(['inline', 'thread'] as const)(
  'leaves a database that is complete without its log when it is closed (%s)',
  async (writer) => {
    const file = tempFile();
    const storage = await open({ file, writer });
    const created = await create(storage);
    await storage.close();

    const copy = tempFile();
    copyFileSync(file, copy);

    const { runs } = await (await open({ file: copy })).runs.list({ limit: 10 });
    expect(runs).toEqual('run' in created ? [created.run] : []);
    expect(runs).toHaveLength(1);
  },
);

test('reads what others write when opened read-only, and refuses to write', async () => {
  const file = tempFile();
  const writing = await open({ file });
  const reading = await open({ file, readOnly: true });
  const created = await create(writing);
  if (created.outcome !== 'created') throw new Error('expected a run');

  expect(await reading.runs.find(created.run.id)).toEqual(created.run);
  await expect(reading.ping()).resolves.toBeUndefined();
  await expect(create(reading)).rejects.toMatchObject({
    code: 'storage_unavailable',
    message: 'storage was opened read-only',
  });
});

test('does not create a database to read it', async () => {
  const file = tempFile();

  await expect(open({ file, readOnly: true })).rejects.toMatchObject({
    code: 'storage_unavailable',
  });

  expect(existsSync(file)).toBe(false);
});

test.each(['inline', 'thread'] as const)(
  'refuses writes above the limit of the queue and performs the rest (%s)',
  async (writer) => {
    const storage = await open({ file: tempFile(), writer });
    const agent = { id: 'a' as AgentId, name: 'A', role: 'r', model: undefined, instructions: '' };

    const results = await Promise.allSettled(
      Array.from({ length: MAX_PENDING_WRITES + 3 }, () => storage.agents.ensure(agent)),
    );

    const refused = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason.message] : [],
    );
    expect(refused).toEqual(Array(3).fill('storage is unavailable: the write queue is full'));
    await expect(storage.ping()).resolves.toBeUndefined();
  },
);

test.each(['inline', 'thread'] as const)(
  'performs writes that were submitted before it was closed (%s)',
  async (writer) => {
    const file = tempFile();
    const storage = await open({ file, writer });

    const writes = Array.from({ length: 50 }, () => create(storage));
    await storage.close();

    const outcomes = (await Promise.all(writes)).map((result) => result.outcome);
    expect(outcomes).toEqual(Array(50).fill('created'));
    expect((await (await open({ file })).runs.countByStatus()).queued).toBe(50);
  },
);

test('what another process has written before the writer thread looked is not missed', async () => {
  const file = tempFile();
  const agent = { id: 'lince' as AgentId, name: 'Lince', role: 'r', model: undefined };
  const other = await open({ file });
  await other.agents.ensure({ ...agent, instructions: 'old' });
  const intruder = connect(file, { readOnly: false });
  onTestFinished(() => intruder.close());
  const storage = await open({ file, writer: 'thread' });
  await storage.agents.find(agent.id);

  // At once: the thread has hardly begun.
  intruder.exec(`UPDATE agents SET instructions = '"new"'`);

  const look = async () => (await storage.agents.find(agent.id))?.instructions;
  await expect.poll(look, { timeout: 5_000 }).toBe('new');
});
