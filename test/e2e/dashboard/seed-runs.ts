import { join } from 'node:path';
import { closeWritten, openDatabase } from '../../../src/storage/sqlite/open-database.ts';

type Database = ReturnType<typeof openDatabase>;

/** Beside a server that goes on, as another process that writes to its database would. */
function writeRows(root: string, write: (db: Database) => void): void {
  const db = openDatabase({ file: join(root, '.openclawssy', 'pincer.db'), readOnly: false });
  try {
    db.exec('BEGIN IMMEDIATE');
    write(db);
    // Nobody has to write down again what is a copy.
    db.exec(
      "UPDATE runs SET recorded = 1, bundled = 1, audited_seq = final_seq WHERE id LIKE 'run_seeded%'",
    );
    db.exec('COMMIT');
  } finally {
    closeWritten(db);
  }
}

/** Copies of an ended run, each a second older than the one before: thousands by the API would take minutes. */
export function copyRuns(root: string, runId: string, count: number): void {
  writeRows(root, (db) => {
    const columns = columnsOf(db, 'runs').filter(
      (name) => !['no', 'id', 'created_at_ms'].includes(name),
    );
    db.exec(`
      CREATE TEMP TABLE copies AS
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})
      SELECT n, (SELECT max(no) FROM runs) + n AS no, printf('run_seeded%06d', n) AS id FROM numbers;
      INSERT INTO runs (no, id, created_at_ms, ${columns})
        SELECT copies.no, copies.id, created_at_ms - copies.n * 1000, ${columns}
        FROM copies, runs WHERE runs.id = '${runId}';
      INSERT INTO run_texts (run_no, message, output)
        SELECT copies.no, json_quote('Copy ' || copies.n), output
        FROM copies, run_texts WHERE run_texts.run_no = (SELECT no FROM runs WHERE id = '${runId}');
    `);
  });
}

/** A run with so many events: the pieces of its last answer are far more than they were. */
export function copyLongRun(root: string, runId: string, events: number): string {
  const id = 'run_seeded_long';
  writeRows(root, (db) => {
    const columns = columnsOf(db, 'runs').filter(
      (name) => !['no', 'id', 'final_seq'].includes(name),
    );
    db.exec(`
      CREATE TEMP TABLE pattern AS
        SELECT events.* FROM events JOIN runs ON runs.no = part_no WHERE runs.id = '${runId}';
      CREATE TEMP TABLE place AS SELECT
        (SELECT max(no) + 1 FROM runs) AS no,
        (SELECT max(seq) FROM pattern WHERE type = 'model.delta') AS cut,
        ${events} - (SELECT count(*) FROM pattern) AS more;
      INSERT INTO runs (no, id, final_seq, ${columns})
        SELECT place.no, '${id}', ${events}, ${columns} FROM place, runs WHERE runs.id = '${runId}';
      INSERT INTO run_texts (run_no, message, output) SELECT no, json_quote('A long run'), json_quote('Done.') FROM place;
      INSERT INTO events (part_no, seq, id, type, at_ms, actor, payload, redactions, hash)
        SELECT place.no, CASE WHEN seq > cut THEN seq + more ELSE seq END, 'evt_long' || seq, type, at_ms, actor,
          payload, redactions, hash
        FROM pattern, place;
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers, place WHERE n < more)
      INSERT INTO events (part_no, seq, id, type, at_ms, actor, payload, redactions, hash)
        SELECT place.no, cut + n, 'evt_longer' || n, type, at_ms, actor, payload, redactions, hash
        FROM numbers, place, pattern WHERE pattern.seq = cut;
    `);
  });
  return id;
}

function columnsOf(db: Database, table: string): string[] {
  const rows = db.prepare(`PRAGMA table_info(${table})`).all() as { name: string }[];
  return rows.map(({ name }) => name);
}
