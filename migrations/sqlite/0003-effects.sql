-- The effect ledger, approvals, idempotency records and circuit breakers.

-- `no` counts up as effects are intended: the order of lists, without an index for it.
CREATE TABLE effects (
  no INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  run_no INTEGER NOT NULL,
  tool TEXT NOT NULL,
  call_id TEXT NOT NULL,
  key TEXT,
  input_digest TEXT NOT NULL,
  status TEXT NOT NULL,
  -- JSON: code, message.
  error TEXT,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL,
  -- JSON: status, by, note, atMs.
  resolution TEXT
) STRICT;

CREATE INDEX effects_by_run ON effects (run_no, no);
CREATE INDEX effects_by_tool ON effects (tool, no);
-- Nearly all are confirmed in the end and need no index to be found.
CREATE INDEX effects_by_status ON effects (status, no) WHERE status <> 'confirmed';

-- Counting effects takes longer the more there are; metrics ask all the time.
CREATE TABLE effect_counts (
  status TEXT NOT NULL PRIMARY KEY,
  effects INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO effect_counts (status, effects)
VALUES
  ('intent', 0),
  ('sent', 0),
  ('confirmed', 0),
  ('failed', 0),
  ('unknown', 0);

CREATE TRIGGER effects_count_insert AFTER INSERT ON effects BEGIN
  UPDATE effect_counts SET effects = effects + 1 WHERE status = new.status;
END;

CREATE TRIGGER effects_count_delete AFTER DELETE ON effects BEGIN
  UPDATE effect_counts SET effects = effects - 1 WHERE status = old.status;
END;

CREATE TRIGGER effects_count_update AFTER UPDATE OF status ON effects WHEN old.status <> new.status BEGIN
  UPDATE effect_counts SET effects = effects - 1 WHERE status = old.status;
  UPDATE effect_counts SET effects = effects + 1 WHERE status = new.status;
END;

CREATE TABLE approvals (
  no INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  run_no INTEGER NOT NULL,
  request_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  call_id TEXT NOT NULL,
  input TEXT NOT NULL,
  input_digest TEXT NOT NULL,
  reason TEXT NOT NULL,
  status TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL,
  decided_by TEXT,
  decided_at_ms INTEGER,
  note TEXT
) STRICT;

CREATE INDEX approvals_by_run ON approvals (run_no, no);
CREATE INDEX approvals_by_request ON approvals (request_id, no);
CREATE INDEX approvals_pending ON approvals (expires_at_ms, no) WHERE status = 'pending';

CREATE TABLE idempotency_records (
  -- Both parts are escaped: plain ASCII, and the keys of one tool lie together.
  stored_key TEXT NOT NULL PRIMARY KEY,
  tool_id TEXT NOT NULL,
  key TEXT NOT NULL,
  state TEXT NOT NULL,
  digest TEXT NOT NULL,
  claim_id TEXT NOT NULL,
  version INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL,
  updated_at_ms INTEGER NOT NULL,
  lease_until_ms INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL,
  result TEXT,
  not_kept TEXT,
  error TEXT
) STRICT;

CREATE INDEX idempotency_records_by_expiry ON idempotency_records (expires_at_ms);

-- Keys are escaped so that they order as the names they stand for.
CREATE TABLE breakers (
  key TEXT NOT NULL PRIMARY KEY,
  version INTEGER NOT NULL,
  -- JSON.
  state TEXT NOT NULL
) STRICT, WITHOUT ROWID;
