-- How far runs and workers are projected.

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
