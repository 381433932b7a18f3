-- Scheduled jobs and what became of their slots.

CREATE TABLE jobs (
  id TEXT NOT NULL PRIMARY KEY,
  agent_id TEXT NOT NULL,
  owner TEXT,
  schedule TEXT NOT NULL,
  message TEXT NOT NULL,
  mode TEXT NOT NULL,
  notify_channel TEXT NOT NULL,
  notify_target TEXT NOT NULL,
  is_enabled INTEGER NOT NULL,
  timezone TEXT NOT NULL,
  catch_up TEXT NOT NULL,
  anchor_ms INTEGER NOT NULL,
  -- NULL when it is never due again.
  next_slot_ms INTEGER,
  revision INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX jobs_by_agent ON jobs (agent_id, id);
CREATE INDEX jobs_by_owner ON jobs (owner, id) WHERE owner IS NOT NULL;
CREATE INDEX jobs_due ON jobs (next_slot_ms, id) WHERE is_enabled = 1 AND next_slot_ms IS NOT NULL;

-- A fired slot, with its run, or a stretch of missed ones, with the reason.
CREATE TABLE job_firings (
  no INTEGER PRIMARY KEY,
  job_id TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  first_slot_ms INTEGER NOT NULL,
  last_slot_ms INTEGER NOT NULL,
  slots INTEGER NOT NULL,
  run_no INTEGER,
  reason TEXT,
  -- 0 until somebody was told how the fired run ended.
  settled INTEGER NOT NULL,
  CHECK ((run_no IS NULL) = (reason IS NOT NULL))
) STRICT;

CREATE INDEX job_firings_by_job ON job_firings (job_id, no);
CREATE INDEX job_firings_unsettled ON job_firings (no) WHERE settled = 0;

-- One row.
CREATE TABLE scheduler_state (
  no INTEGER PRIMARY KEY CHECK (no = 1),
  is_paused INTEGER NOT NULL
) STRICT;

INSERT INTO scheduler_state (no, is_paused) VALUES (1, 0);
