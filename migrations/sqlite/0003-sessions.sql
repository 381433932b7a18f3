-- Sessions and their messages, scheduled jobs, and mail between agents. Texts that come from outside are JSON strings,
-- as in run_texts.

-- The run's place among the exchanges of its session, and the job that fired it. NULL for most runs: the indexes below
-- cost them nothing.
ALTER TABLE runs ADD COLUMN exchange INTEGER;
ALTER TABLE runs ADD COLUMN job_id TEXT;

CREATE INDEX runs_by_session ON runs (session_id, created_at_ms, id) WHERE session_id IS NOT NULL;
CREATE INDEX runs_open_by_session ON runs (session_id, exchange)
WHERE exchange IS NOT NULL AND ended_at_ms IS NULL;
CREATE INDEX runs_open_by_job ON runs (job_id) WHERE job_id IS NOT NULL AND ended_at_ms IS NULL;

CREATE TABLE sessions (
  no INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  agent_id TEXT NOT NULL,
  channel TEXT NOT NULL,
  user_id TEXT NOT NULL,
  room_id TEXT NOT NULL,
  title TEXT NOT NULL,
  message_count INTEGER NOT NULL,
  last_exchange INTEGER NOT NULL,
  forked_from TEXT,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL,
  closed_at_ms INTEGER
) STRICT;

CREATE INDEX sessions_by_update ON sessions (updated_at_ms, id);
CREATE INDEX sessions_by_agent ON sessions (agent_id, updated_at_ms, id);
CREATE INDEX sessions_by_user ON sessions (user_id, updated_at_ms, id);

-- Clustered: a conversation is read in this order, page by page.
CREATE TABLE session_messages (
  session_no INTEGER NOT NULL,
  exchange INTEGER NOT NULL,
  position INTEGER NOT NULL,
  role TEXT NOT NULL,
  content TEXT NOT NULL,
  tool_name TEXT,
  tool_call_id TEXT,
  status TEXT,
  run_id TEXT,
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (session_no, exchange, position)
) STRICT, WITHOUT ROWID;

-- Apart from the session's row, which every message rewrites.
CREATE TABLE session_summaries (
  session_no INTEGER PRIMARY KEY,
  text TEXT NOT NULL,
  exchange INTEGER NOT NULL,
  position INTEGER NOT NULL
) STRICT;

CREATE TABLE active_sessions (
  agent_id TEXT NOT NULL,
  channel TEXT NOT NULL,
  user_id TEXT NOT NULL,
  room_id TEXT NOT NULL,
  session_no INTEGER NOT NULL,
  PRIMARY KEY (agent_id, channel, user_id, room_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE active_agents (
  channel TEXT NOT NULL,
  user_id TEXT NOT NULL,
  room_id TEXT NOT NULL,
  agent_id TEXT NOT NULL,
  PRIMARY KEY (channel, user_id, room_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE jobs (
  id TEXT NOT NULL PRIMARY KEY,
  agent_id TEXT NOT NULL,
  -- JSON: schedule, message, mode, notify, timezone, catchUp.
  definition TEXT NOT NULL,
  is_enabled INTEGER NOT NULL,
  anchor_ms INTEGER NOT NULL,
  -- NULL when it is never due again.
  next_slot_ms INTEGER,
  revision INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX jobs_by_agent ON jobs (agent_id, id);
CREATE INDEX jobs_due ON jobs (next_slot_ms, id) WHERE is_enabled = 1 AND next_slot_ms IS NOT NULL;

-- One row for a fired slot (slot_ms and run_no) or for a stretch of missed ones (the others).
CREATE TABLE job_firings (
  no INTEGER PRIMARY KEY,
  job_id TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  slot_ms INTEGER,
  run_no INTEGER,
  reason TEXT,
  first_slot_ms INTEGER,
  last_slot_ms INTEGER,
  slots INTEGER,
  -- 0 until somebody was told how the fired run ended.
  settled INTEGER NOT NULL
) STRICT;

CREATE INDEX job_firings_by_job ON job_firings (job_id, no);
CREATE INDEX job_firings_unsettled ON job_firings (no) WHERE settled = 0;

-- One row.
CREATE TABLE scheduler_state (
  no INTEGER PRIMARY KEY CHECK (no = 1),
  is_paused INTEGER NOT NULL
) STRICT;

INSERT INTO scheduler_state (no, is_paused) VALUES (1, 0);

-- `no` counts up as mail is sent: the order of inboxes.
CREATE TABLE mail (
  no INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  key TEXT NOT NULL UNIQUE,
  from_agent TEXT NOT NULL,
  to_agent TEXT NOT NULL,
  subject TEXT NOT NULL,
  task_id TEXT NOT NULL,
  body TEXT NOT NULL,
  run_id TEXT,
  sent_at_ms INTEGER NOT NULL,
  delivered_at_ms INTEGER,
  -- The key of the call that took it.
  take_key TEXT
) STRICT;

CREATE INDEX mail_by_receiver ON mail (to_agent, no);
CREATE INDEX mail_undelivered ON mail (to_agent, no) WHERE delivered_at_ms IS NULL;
CREATE INDEX mail_by_take ON mail (to_agent, take_key, no) WHERE take_key IS NOT NULL;
