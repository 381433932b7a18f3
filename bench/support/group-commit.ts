import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../../src/storage/sqlite/driver.ts';
import { type AppendTarget, EVENT_BYTES } from './append-load.ts';

interface Waiting {
  readonly run: number;
  readonly payload: string;
  readonly resolve: () => void;
}

/**
 * Callers of one turn of the event loop share a commit, and each is answered after it. Flushed by setImmediate: sooner,
 * and callers that answer each other would never let the loop turn, which no server can live with.
 */
function createGroup(commit: (batch: readonly Waiting[]) => void) {
  let waiting: Waiting[] = [];
  function flush(): void {
    const batch = waiting;
    waiting = [];
    commit(batch);
    for (const { resolve } of batch) resolve();
  }
  return (run: number, payload: string): Promise<void> =>
    new Promise((resolve) => {
      waiting.push({ run, payload, resolve });
      if (waiting.length === 1) setImmediate(flush);
    });
}

/**
 * The limit of what SQLite can do: WAL, `synchronous = FULL`, one row per event with a unique (run, seq), in a table
 * that appends at its end as ours does. No hash chain, no lease, no thread.
 */
export async function openRawSqlite(dir: string): Promise<AppendTarget> {
  const db = connect(join(dir, 'raw.db'), { readOnly: false });
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    CREATE TABLE events (run INTEGER NOT NULL, seq INTEGER NOT NULL, payload TEXT NOT NULL) STRICT;
    CREATE UNIQUE INDEX events_by_run ON events (run, seq);
  `);
  const begin = db.prepare('BEGIN IMMEDIATE');
  const insert = db.prepare('INSERT INTO events (run, seq, payload) VALUES (?, ?, ?)');
  const commit = db.prepare('COMMIT');
  const lastSeqs = new Map<number, number>();
  const append = createGroup((batch) => {
    begin.run();
    for (const { run, payload } of batch) {
      const seq = (lastSeqs.get(run) ?? 0) + 1;
      lastSeqs.set(run, seq);
      insert.run(run, seq, payload);
    }
    commit.run();
  });
  return { append, payloadBytes: EVENT_BYTES, close: async () => db.close() };
}

/** The limit of what the disk can do: lines at the end of a file, one fdatasync per group. */
export async function openPlainFile(dir: string): Promise<AppendTarget> {
  const file = openSync(join(dir, 'events.jsonl'), 'a');
  const append = createGroup((batch) => {
    writeSync(file, batch.map(({ run, payload }) => `${run} ${payload}\n`).join(''));
    fdatasyncSync(file);
  });
  return { append, payloadBytes: EVENT_BYTES, close: async () => closeSync(file) };
}
