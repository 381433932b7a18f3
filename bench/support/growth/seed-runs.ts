import pg from 'pg';
import { connect } from '../../../src/storage/sqlite/driver.ts';

/** Ended runs with one event each, straight into the tables of a database that is migrated and that nobody uses. */
export type SeedRuns = (count: number) => Promise<void>;

/** One a second, the last a day ago: newer than none of those that are measured. */
const STEP_MS = 1_000;
const AGE_MS = 86_400_000;
const PAYLOAD = JSON.stringify({ message: 'Tell me the time and the files.', source: 'bench' });
const HASH = '0'.repeat(64);

export function seedSqlite(file: string): SeedRuns {
  return async (count) => {
    const db = connect(file, { readOnly: false });
    const beginMs = Date.now() - AGE_MS - count * STEP_MS;
    const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
    const atMs = `${beginMs} + i * ${STEP_MS}`;
    // Nothing here has to survive a crash, and the measured connections are others.
    db.exec(`
      PRAGMA synchronous = OFF;
      BEGIN;
      INSERT INTO runs (
        no, id, agent_id, source, status, stop_reason, provider, model, turns, tool_calls, input_tokens, output_tokens,
        created_at_ms, started_at_ms, ended_at_ms, final_seq, final_hash, audited_seq, bundled, recorded
      )
      ${numbers} SELECT
        i, printf('run_%026d', i), 'agent_default', 'bench', 'completed', 'completed', 'scripted', 'script.json', 4, 3,
        1600, 160, ${atMs}, ${atMs}, ${atMs} + 10, 1, '${HASH}', 1, 1, 1
      FROM n;
      INSERT INTO run_texts (run_no, message, output)
      ${numbers} SELECT i, 'Tell me the time and the files.', 'Both are done.' FROM n;
      INSERT INTO events (part_no, seq, id, type, at_ms, actor, payload, redactions, hash)
      ${numbers} SELECT
        i, 1, printf('evt_%026d', i), 'run.created', ${atMs}, 'user', '${PAYLOAD}', '[]', '${HASH}'
      FROM n;
      COMMIT;
      PRAGMA wal_checkpoint(TRUNCATE);
    `);
    db.close();
  };
}

export function seedPostgres(url: string): SeedRuns {
  return async (count) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const beginMs = Date.now() - AGE_MS - count * STEP_MS;
    const atMs = `${beginMs} + i::bigint * ${STEP_MS}`;
    const number = "lpad(i::text, 26, '0')";
    await client.query('set synchronous_commit = off');
    await client.query(`
      insert into runs (
        id, agent_id, stays_open, source, status, message, last_seq, last_hash, output, stop_reason, provider, model,
        turns, tool_calls, input_tokens, output_tokens, cost_usd, created_at_ms, started_at_ms, updated_at_ms,
        ended_at_ms, cancel_requested, parked, awaits_frames, frames, last_frame_seq, audited_seq, bundled, recorded
      )
      select
        'run_' || ${number}, 'agent_default', false, 'bench', 'completed', 'Tell me the time and the files.', 1,
        '${HASH}', 'Both are done.', 'completed', 'scripted', 'script.json', 4, 3, 1600, 160, 0, ${atMs}, ${atMs},
        ${atMs}, ${atMs} + 10, false, false, false, 0, 0, 1, true, true
      from generate_series(1, ${count}) as n (i)`);
    await client.query(`
      insert into events (run_id, seq, id, type, at_ms, actor, payload, redactions, prev_hash, hash)
      select
        'run_' || ${number}, 1, 'evt_' || ${number}, 'run.created', ${atMs}, 'user', '${PAYLOAD}', '[]', 'root',
        '${HASH}'
      from generate_series(1, ${count}) as n (i)`);
    // As its own upkeep would have done by the time that there are so many.
    await client.query('vacuum analyze runs');
    await client.query('vacuum analyze events');
    await client.end();
  };
}
