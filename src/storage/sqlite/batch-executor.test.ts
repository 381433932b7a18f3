import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createIds } from '../../core/create-ids.ts';
import { verifyChain } from '../../core/events/hash-chain.ts';
import { createSeal } from '../../core/events/seal.ts';
import type { Lease, Run } from '../../core/runs/run.ts';
import type { CreateResult } from '../../core/runs/run-store.ts';
import { loadMigrations } from '../load-migrations.ts';
import { createBatchExecutor } from './batch-executor.ts';
import { migrate } from './migrate.ts';
import { openDatabase } from './open-database.ts';
import { createEventReads } from './runs/event-reads.ts';
import type { WriteRequest } from './write-ops.ts';

const NOW_MS = 1_800_000_000_000;
const ids = createIds(() => NOW_MS);
const seal = createSeal({
  ids,
  redactor: { redact: (value) => ({ value, paths: [] }), redactText: (text) => text },
});

const text = (length: number) =>
  seal({ type: 'model.delta', payload: { text: 'x'.repeat(length) } });

function openExecutor() {
  const root = mkdtempSync(join(tmpdir(), 'pincer-test-'));
  const file = join(root, 'pincer.db');
  const db = openDatabase({ file, readOnly: false });
  migrate(db, file, loadMigrations('sqlite'));
  onTestFinished(() => {
    if (db.isOpen) db.close();
    rmSync(root, { recursive: true });
  });
  const executeBatch = createBatchExecutor(db);
  const execute = (...requests: WriteRequest[]) => executeBatch(requests, NOW_MS);

  function createHeldRun(): { readonly run: Run; readonly lease: Lease } {
    const lease = {
      owner: 'test',
      leaseMs: 1_000,
      started: seal({ type: 'run.started', payload: {} }),
    };
    const newRun = { id: ids.run(), agentId: 'agent', source: 'test', message: 'hello' };
    const [outcome] = execute({
      op: 'create',
      args: [newRun, [], { maxQueued: 10, lease }],
    }).outcomes;
    if (!outcome?.ok) throw new Error('the run was not created');
    const created = outcome.value as CreateResult;
    if (created.outcome !== 'created' || !created.lease) throw new Error('the run was not created');
    return { run: created.run, lease: created.lease };
  }

  const append = ({ lease }: { readonly lease: Lease }, length: number): WriteRequest => ({
    op: 'append',
    args: [{ runId: lease.runId, leaseId: lease.id }, [text(length)]],
  });

  return { db, file, execute, createHeldRun, append };
}

/** Frames of the log that end a transaction carry the size of the database after it. */
function countCommits(file: string): number {
  const log = readFileSync(`${file}-wal`);
  const pageSize = log.readUInt32BE(8);
  const salt = log.readUInt32BE(16);
  let commits = 0;
  for (let at = 32; at + 24 <= log.length; at += 24 + pageSize) {
    if (log.readUInt32BE(at + 8) === salt && log.readUInt32BE(at + 4) !== 0) commits += 1;
  }
  return commits;
}

const appended = (lastSeq: number) => ({ ok: true, value: { outcome: 'appended', lastSeq } });

test('commits all writes of a batch in one transaction', () => {
  const { file, execute, createHeldRun, append } = openExecutor();
  const held = Array.from({ length: 5 }, () => createHeldRun());
  const before = countCommits(file);

  const report = execute(
    ...Array.from({ length: 100 }, (_, index) => append(held[index % 5]!, 100)),
  );

  expect(report.outcomes.every((outcome) => outcome.ok)).toBe(true);
  expect(report.touchedRuns).toEqual(new Map(held.map(({ run }) => [run.id, 21])));
  expect(countCommits(file) - before).toBe(1);
});

test('refuses one write of a batch and commits the others', () => {
  const { execute, createHeldRun, append } = openExecutor();
  const held = createHeldRun();
  const unknown: WriteRequest = { op: 'requestCancel', args: ['run_unknown', {}] };

  const { outcomes } = execute(append(held, 1), unknown, append(held, 1));

  expect(outcomes).toEqual([
    appended(2),
    { ok: false, error: expect.objectContaining({ code: 'not_found' }) },
    appended(3),
  ]);
});

test('fails only the write that does not fit on a full disk, and recovers', () => {
  const { db, execute, createHeldRun, append } = openExecutor();
  const held = createHeldRun();
  execute(append(held, 1));
  const pages = Number(db.prepare('PRAGMA page_count').get()?.['page_count']);
  db.exec(`PRAGMA max_page_count = ${pages + 4}`);

  const full = execute(append(held, 10), append(held, 1_000_000), append(held, 10));

  expect(full.outcomes).toEqual([
    appended(3),
    {
      ok: false,
      error: expect.objectContaining({
        code: 'storage_unavailable',
        message: 'storage is unavailable: the disk is full',
      }),
    },
    appended(4),
  ]);
  expect(full.touchedRuns).toEqual(new Map([[held.run.id, 4]]));
  db.exec('PRAGMA max_page_count = 1000000');
  expect(execute(append(held, 1_000_000)).outcomes).toEqual([appended(5)]);
  const events = createEventReads(db)(held.run.id, { after: 0, limit: 10 });
  expect(verifyChain(events)).toEqual({ ok: true, last: { seq: 5, hash: events[4]?.hash } });
});

test('refuses a batch while another process keeps the lock, and goes on afterwards', () => {
  const { db, file, execute, createHeldRun, append } = openExecutor();
  const held = createHeldRun();
  db.exec('PRAGMA busy_timeout = 10');
  const other = openDatabase({ file, readOnly: false });
  onTestFinished(() => other.close());
  other.exec('BEGIN IMMEDIATE');

  const locked = execute(append(held, 1), append(held, 1));

  const refused = {
    ok: false,
    error: expect.objectContaining({
      code: 'storage_unavailable',
      retryable: true,
      message: 'storage is unavailable: the database is locked by another process',
    }),
  };
  expect(locked).toEqual({
    outcomes: [refused, refused],
    touchedRuns: new Map(),
    queueTouched: false,
    atMs: expect.any(Number),
    hasForeignCommit: false,
  });
  other.exec('ROLLBACK');
  expect(execute(append(held, 1)).outcomes).toEqual([appended(2)]);
});
