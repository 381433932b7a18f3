import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createIds } from '../../../core/create-ids.ts';
import { hashLink, verifyChain } from '../../../core/events/hash-chain.ts';
import { createSeal } from '../../../core/events/seal.ts';
import type { AgentId, LeaseId } from '../../../core/ids.ts';
import { silentLogger } from '../../../core/log.ts';
import { loadMigrations } from '../../load-migrations.ts';
import { connect, type Database } from '../driver.ts';
import { migrate } from '../migrate.ts';
import { openSqliteStorage } from '../open-sqlite-storage.ts';

const ids = createIds(() => Date.now());
const seal = createSeal({
  ids,
  redactor: { redact: (value) => ({ value, paths: [] }), redactText: (text) => text },
});
const delta = () => seal({ type: 'model.delta', payload: { text: 'more' } });

const VERSION_BEFORE = 21;
const RUN_ID = ids.run();
const LEASE = { runId: RUN_ID, leaseId: 'lease_before' as LeaseId };

function tempFile(): string {
  const root = mkdtempSync(join(tmpdir(), 'pincer-test-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  return join(root, 'pincer.db');
}

/** As it was written before logs had parts: a run that goes on, with so many events. */
function writeOldDatabase(file: string, count: number): void {
  const db = connect(file, { readOnly: false });
  migrate(db, file, loadMigrations('sqlite').slice(0, VERSION_BEFORE));
  db.exec(`
    INSERT INTO runs (no, id, agent_id, source, status, created_at_ms, lease_id, lease_owner, lease_expires_at_ms)
    VALUES (7, '${RUN_ID}', 'agent', 'test', 'running', 1, '${LEASE.leaseId}', 'test', 9e15);
    INSERT INTO run_texts (run_no, message) VALUES (7, '"hello"');
  `);
  const insert = db.prepare(`
    INSERT INTO events (run_no, seq, id, type, at_ms, actor, payload, redactions, hash)
    VALUES (7, ?, ?, 'model.delta', 1, 'model', '{}', '[]', ?)`);
  const fixed = { runId: RUN_ID, agentId: 'agent', type: 'model.delta', atMs: 1, actor: 'model' };
  let prevHash = 'root';
  for (let seq = 1; seq <= count; seq += 1) {
    const id = ids.event();
    prevHash = hashLink({ ...fixed, id, seq, payload: '{}', redactions: '[]', prevHash });
    insert.run(seq, id, prevHash);
  }
  db.close();
}

async function open(file: string) {
  const storage = await openSqliteStorage({ file, writer: 'inline', logger: silentLogger });
  onTestFinished(() => storage.close());
  return storage;
}

function alter(file: string, change: (db: Database) => void): void {
  const db = connect(file, { readOnly: false });
  change(db);
  db.close();
}

test.each([0, 3, 63, 64, 65, 300])(
  'a log of %i events from before parts goes on in them',
  async (count) => {
    const file = tempFile();
    writeOldDatabase(file, count);

    const storage = await open(file);
    for (let more = 0; more < 150; more += 1) await storage.runs.append(LEASE, [delta()]);

    const log = await storage.events.read(RUN_ID, { after: 0, limit: 1_000 });
    expect(verifyChain(log)).toMatchObject({ ok: true, last: { seq: count + 150 } });
    expect((await storage.runs.find(RUN_ID))?.lastSeq).toBe(count + 150);
  },
);

test('a log whose end somebody has deleted is written on from what is left', async () => {
  const file = tempFile();
  writeOldDatabase(file, 300);
  const first = await open(file);
  for (let more = 0; more < 150; more += 1) await first.runs.append(LEASE, [delta()]);
  await first.close();
  alter(file, (db) => db.exec('DELETE FROM events WHERE seq > 310'));

  const storage = await open(file);
  for (let more = 0; more < 150; more += 1) await storage.runs.append(LEASE, [delta()]);

  const log = await storage.events.read(RUN_ID, { after: 0, limit: 1_000 });
  expect(verifyChain(log)).toMatchObject({ ok: true, last: { seq: 460 } });
  const listing = { types: ['model.delta' as const], limit: 1_000, runId: RUN_ID };
  expect((await storage.records.listEvents(listing)).events).toHaveLength(460);
});

test('an append to each of many long runs writes to few pages', async () => {
  const file = tempFile();
  const storage = await open(file);
  const leases = await Promise.all(
    Array.from({ length: 32 }, async () => {
      const created = await storage.runs.create(
        { id: ids.run(), agentId: 'agent' as AgentId, source: 'test', message: 'hello' },
        [seal({ type: 'run.created', payload: {} })],
        { maxQueued: 100, lease: { owner: 'test', leaseMs: 60_000, started: delta() } },
      );
      if (created.outcome !== 'created' || !created.lease) throw new Error('no run was created');
      return { runId: created.run.id, leaseId: created.lease.id };
    }),
  );
  const appendToAll = () =>
    Promise.all(leases.map((lease) => storage.runs.append(lease, [delta()])));
  for (let round = 0; round < 1_000; round += 1) await appendToAll();
  const db = connect(file, { readOnly: false });
  onTestFinished(() => db.close());
  const countLogPages = () => Number(db.prepare('PRAGMA wal_checkpoint(PASSIVE)').get()?.['log']);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');

  await appendToAll();

  expect(countLogPages()).toBeLessThan(25);
});
