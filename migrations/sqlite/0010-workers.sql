-- Workers that a product attaches, their event logs and the requests made of them.

CREATE TABLE workers (
  no INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  owner TEXT NOT NULL,
  adapter TEXT NOT NULL,
  command TEXT,
  workspace_ref TEXT,
  codex_home_ref TEXT,
  metadata TEXT NOT NULL,
  status TEXT NOT NULL,
  latest_seq INTEGER NOT NULL,
  request_count INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  -- The server that holds it, when it would die with that server.
  host TEXT,
  host_expires_at_ms INTEGER,
  process_mark TEXT,
  created_at_ms INTEGER NOT NULL,
  started_at_ms INTEGER,
  stopped_at_ms INTEGER,
  last_heartbeat_at_ms INTEGER,
  updated_at_ms INTEGER NOT NULL
) STRICT;

CREATE INDEX workers_by_owner ON workers (owner, updated_at_ms, id);
CREATE INDEX workers_live ON workers (owner)
WHERE status IN ('starting', 'running', 'stopping');
CREATE INDEX workers_hosted ON workers (host_expires_at_ms) WHERE host IS NOT NULL;
CREATE INDEX workers_ended ON workers (stopped_at_ms) WHERE stopped_at_ms IS NOT NULL;

-- Clustered: a log is read in this order, page by page.
CREATE TABLE worker_events (
  worker_no INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  type TEXT NOT NULL,
  payload TEXT NOT NULL,
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (worker_no, seq)
) STRICT, WITHOUT ROWID;

-- Open while `response` is NULL.
CREATE TABLE worker_requests (
  worker_no INTEGER NOT NULL,
  request_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  -- The server that asks.
  host TEXT NOT NULL,
  response TEXT,
  begun_at_ms INTEGER NOT NULL,
  settled_at_ms INTEGER,
  PRIMARY KEY (worker_no, request_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX worker_requests_open ON worker_requests (worker_no, begun_at_ms)
WHERE settled_at_ms IS NULL;
CREATE INDEX worker_requests_settled ON worker_requests (settled_at_ms)
WHERE settled_at_ms IS NOT NULL;
