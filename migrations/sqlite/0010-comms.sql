-- Delivery events of mail providers, suppressed recipients, and how far runs and workers are projected. Texts that come
-- from outside are JSON strings, as in run_texts.

CREATE TABLE delivery_events (
  no INTEGER PRIMARY KEY,
  provider TEXT NOT NULL,
  event_id TEXT NOT NULL,
  -- Of the whole event as it was sent.
  digest TEXT NOT NULL,
  state TEXT NOT NULL,
  message_id TEXT,
  integration_id TEXT,
  -- Recipients themselves are not stored.
  recipient_digest TEXT,
  occurred_at_ms INTEGER,
  reason TEXT,
  -- JSON, redacted.
  payload TEXT NOT NULL,
  received_at_ms INTEGER NOT NULL,
  UNIQUE (provider, event_id)
) STRICT;

-- Finds those that are old enough to go.
CREATE INDEX delivery_events_by_time ON delivery_events (received_at_ms);

CREATE TABLE suppressions (
  no INTEGER PRIMARY KEY,
  recipient_digest TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL,
  provider TEXT NOT NULL,
  event_id TEXT NOT NULL,
  at_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE projections (
  projection TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  -- Counts up with every write: who read an older one does not write over a newer.
  revision INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  version TEXT NOT NULL,
  summary_hash TEXT NOT NULL,
  projected_at_ms INTEGER NOT NULL,
  -- 0 once nothing more can happen to the entity.
  is_open INTEGER NOT NULL,
  -- JSON: the fold up to `seq`.
  state TEXT NOT NULL,
  PRIMARY KEY (projection, entity_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX projections_open ON projections (projection, entity_id) WHERE is_open = 1;

-- One row: who writes to the sink, until when, and how that goes.
CREATE TABLE projection_writer (
  no INTEGER PRIMARY KEY CHECK (no = 1),
  owner TEXT NOT NULL,
  expires_at_ms INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  error TEXT,
  failed_at_ms INTEGER
) STRICT;

INSERT INTO projection_writer (no, owner, expires_at_ms, failures)
VALUES (1, '', 0, 0);
