-- Runs and their event logs. An `owner` is the JSON text of a principal, such as "user:42", here as everywhere. NULL
-- stands for the operator where lists for a principal are all that asks: what is the operator's then costs no index.

-- `no` stands for the run in events and keys: with the text id in it, the index on events is half again as big.
CREATE TABLE runs (
  no INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  agent_id TEXT NOT NULL,
  owner TEXT,
  session_id TEXT,
  -- The run's place among the exchanges of its session, and the job that fired it. NULL for most runs: the indexes
  -- below cost them nothing.
  exchange INTEGER,
  job_id TEXT,
  -- NULL for a run that takes no frames.
  thread_id TEXT,
  stays_open INTEGER NOT NULL DEFAULT 0,
  source TEXT NOT NULL,
  status TEXT NOT NULL,
  stop_reason TEXT,
  -- JSON: code, message.
  error TEXT,
  provider TEXT,
  model TEXT,
  turns INTEGER NOT NULL DEFAULT 0,
  tool_calls INTEGER NOT NULL DEFAULT 0,
  -- NULL when a provider did not report the tokens of one turn: unknown is not none.
  input_tokens INTEGER DEFAULT 0,
  output_tokens INTEGER DEFAULT 0,
  -- NULL when the price of one turn is unknown.
  cost_usd REAL DEFAULT 0,
  created_at_ms INTEGER NOT NULL,
  started_at_ms INTEGER,
  ended_at_ms INTEGER,
  -- Where the log of an ended run ends: a log cut short shows. While a run is open its events alone say it, since
  -- writing this row with every append would cost half as much again.
  final_seq INTEGER,
  final_hash TEXT,
  -- How far the beginning of the log was deleted: the last event that is gone, and its hash, which the first event kept
  -- names as the one before it. 0 and NULL while all are there.
  floor_seq INTEGER NOT NULL DEFAULT 0,
  floor_hash TEXT,
  lease_id TEXT,
  lease_owner TEXT,
  -- Set while the run is running or cancelling: 0 when nobody holds it. NULL otherwise.
  lease_expires_at_ms INTEGER,
  cancel_requested INTEGER NOT NULL DEFAULT 0,
  -- Set while the run waits for an answer and until its next claim, which then is neither a start nor a recovery.
  parked INTEGER NOT NULL DEFAULT 0,
  -- Set while the run waits for nothing but its next frame: a later run of its session need not wait for it.
  awaits_frames INTEGER NOT NULL DEFAULT 0,
  -- How many it has got: counting them takes longer the more there are.
  frames INTEGER NOT NULL DEFAULT 0,
  audited_seq INTEGER NOT NULL DEFAULT 0,
  bundled INTEGER NOT NULL DEFAULT 0,
  -- Set when an ended run's audit lines and bundle are all written.
  recorded INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX runs_by_time ON runs (created_at_ms, id);
CREATE INDEX runs_by_agent ON runs (agent_id, created_at_ms, id);
CREATE INDEX runs_by_owner ON runs (owner, created_at_ms, id) WHERE owner IS NOT NULL;
CREATE INDEX runs_by_status ON runs (status, created_at_ms, id);
CREATE INDEX runs_by_session ON runs (session_id, created_at_ms, id) WHERE session_id IS NOT NULL;
-- Whether a run has to wait for an older one of its session. A thread may gather many that rest: nobody has to look
-- through those.
CREATE INDEX runs_busy_by_session ON runs (session_id, exchange)
WHERE exchange IS NOT NULL AND ended_at_ms IS NULL AND awaits_frames = 0;
CREATE INDEX runs_open_by_job ON runs (job_id) WHERE job_id IS NOT NULL AND ended_at_ms IS NULL;
CREATE INDEX runs_by_lease ON runs (lease_expires_at_ms) WHERE lease_expires_at_ms IS NOT NULL;
CREATE INDEX runs_unrecorded ON runs (created_at_ms, id) WHERE ended_at_ms IS NOT NULL AND recorded = 0;
-- Recorded runs that keep more than their newest event: by their end, and by how many they keep.
CREATE INDEX runs_prunable ON runs (ended_at_ms) WHERE recorded = 1 AND floor_seq < final_seq - 1;
CREATE INDEX runs_by_kept ON runs (final_seq - floor_seq) WHERE recorded = 1 AND floor_seq < final_seq - 1;

-- Apart from the row that every claim and renewal rewrites: a long message would be written again with it.
CREATE TABLE run_texts (
  run_no INTEGER PRIMARY KEY REFERENCES runs (no),
  message TEXT NOT NULL,
  output TEXT
) STRICT;

-- Measured: rowid and index append 1.5 times as fast as a table clustered by (run_no, seq), because a batch over
-- many runs then fills a few pages at the end of the table instead of one page of each run. The hash before is the one
-- of the event before and not stored twice: it would be a sixth of a short event.
CREATE TABLE events (
  run_no INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  actor TEXT NOT NULL,
  payload TEXT NOT NULL,
  redactions TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX events_by_run ON events (run_no, seq);

CREATE TABLE idempotency_keys (
  key TEXT NOT NULL PRIMARY KEY,
  digest TEXT NOT NULL,
  run_no INTEGER NOT NULL REFERENCES runs (no),
  created_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Counting runs takes longer the more there are; every submission asks how many are queued.
CREATE TABLE run_counts (
  status TEXT NOT NULL PRIMARY KEY,
  runs INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO run_counts (status, runs)
VALUES
  ('queued', 0),
  ('running', 0),
  ('waiting', 0),
  ('cancelling', 0),
  ('completed', 0),
  ('failed', 0),
  ('cancelled', 0);

CREATE TRIGGER runs_count_insert AFTER INSERT ON runs BEGIN
  UPDATE run_counts SET runs = runs + 1 WHERE status = new.status;
END;

CREATE TRIGGER runs_count_delete AFTER DELETE ON runs BEGIN
  UPDATE run_counts SET runs = runs - 1 WHERE status = old.status;
END;

CREATE TRIGGER runs_count_update AFTER UPDATE OF status ON runs WHEN old.status <> new.status BEGIN
  UPDATE run_counts SET runs = runs - 1 WHERE status = old.status;
  UPDATE run_counts SET runs = runs + 1 WHERE status = new.status;
END;
