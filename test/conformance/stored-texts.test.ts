import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../../src/core/log.ts';
import type { Storage } from '../../src/core/storage.ts';
import { connect } from '../../src/storage/sqlite/driver.ts';
import { openSqliteStorage } from '../../src/storage/sqlite/open-sqlite-storage.ts';
import { findPostgres } from '../support/postgres.ts';
import { openTempRoot } from '../support/temp-root.ts';
import { intend, newRequestId } from './effects/effect-rig.ts';
import { COMPLETED, claimOnly, createRun, draft, finishRun } from './harness.ts';
import { createJob, fire, skipOf, slotOf } from './jobs/job-rig.ts';
import { connectAt, createTestDatabase, openStorageAt } from './open-postgres.ts';
import { newSession, say } from './sessions/session-rig.ts';
import { createThreadRun, sendFrame } from './sessions/thread-rig.ts';
import { attachHosted, newRequest } from './workers/worker-rig.ts';

/** Tables whose rows each engine reads and writes by code of its own; the others are declared once for both. */
const TABLES = [
  'runs',
  'events',
  'idempotency_keys',
  'effects',
  'frames',
  'sessions',
  'session_messages',
  'session_summaries',
  'jobs',
  'job_firings',
  'workers',
  'worker_events',
  'worker_requests',
];

type Row = Readonly<Record<string, unknown>>;
type ReadRows = (table: string) => Promise<readonly Row[]>;

// Says why when there is none.
const engine = await findPostgres();

test.skipIf(!engine.available)('texts are stored alike: plain, or as JSON', async () => {
  const [sqlite, postgres] = await Promise.all([fillSqlite(), fillPostgres()]);

  for (const table of TABLES) {
    const [here, there] = await Promise.all([readForms(sqlite, table), readForms(postgres, table)]);
    const shared = [...here.keys()].filter((column) => there.has(column));
    const pick = (forms: ReadonlyMap<string, string>) =>
      shared.map((column) => `${table}.${column}: ${forms.get(column)}`);

    expect(pick(here)).toEqual(pick(there));
  }
});

/** Something in every column that takes a text. */
async function fill(storage: Storage): Promise<void> {
  const { runs, jobs, workers, sessions } = storage;
  const session = await newSession(storage);
  await say(storage, session, { text: 'hello' });
  await sessions.saveSummary(session.id, {
    text: 'they greeted',
    through: { exchange: 1, position: 1 },
  });
  const idempotency = { key: 'key', digest: 'digest' };
  const { id } = await createRun(runs, { owner: 'user:42' }, { idempotency });
  const { lease } = await claimOnly(runs, id);
  const asked = draft('model.requested', { provider: 'offline', model: 'small' });
  await runs.append(lease, [asked], [intend(newRequestId(), { key: 'key' })]);
  const error = { code: 'timeout', message: 'too late' };
  await finishRun(runs, lease, { ...COMPLETED, status: 'failed', error });
  const thread = await createThreadRun(runs);
  await sendFrame(runs, thread.id, 'frm_1');
  await fire(jobs, slotOf(await createJob(jobs, { owner: 'user:42' })));
  await jobs.skip(skipOf(await createJob(jobs)));
  const worker = await attachHosted(storage, { workspaceRef: 'ref', codexHomeRef: 'home' });
  await workers.begin(newRequest(worker.id));
}

/** In which forms each column holds its texts. */
async function readForms(read: ReadRows, table: string): Promise<Map<string, string>> {
  const forms = new Map<string, Set<string>>();
  for (const row of await read(table)) {
    for (const [column, value] of Object.entries(row)) {
      const form = typeof value === 'string' ? formOf(value) : 'no text';
      forms.set(column, (forms.get(column) ?? new Set()).add(form));
    }
  }
  return new Map([...forms].map(([column, found]) => [column, [...found].toSorted().join(', ')]));
}

function formOf(text: string): string {
  return /^["[{]/.test(text) ? 'JSON' : 'plain';
}

async function fillSqlite(): Promise<ReadRows> {
  const root = await openTempRoot();
  onTestFinished(() => root.remove());
  const file = join(root.path, 'pincer.db');
  const storage = await openSqliteStorage({ file, writer: 'inline', logger: silentLogger });
  await fill(storage);
  await storage.close();
  const db = connect(file, { readOnly: true });
  onTestFinished(() => db.close());
  return async (table) => db.prepare(`SELECT * FROM ${table}`).all();
}

async function fillPostgres(): Promise<ReadRows> {
  const url = await createTestDatabase('migrated');
  await fill(await openStorageAt(url));
  const client = await connectAt(url);
  // The driver gives large numbers as texts: as JSON they are numbers.
  return async (table) => {
    const { rows } = await client.query<{ row: Row }>(`select to_json(t) as row from ${table} t`);
    return rows.map(({ row }) => row);
  };
}
