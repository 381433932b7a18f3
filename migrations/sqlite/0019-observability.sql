-- What was refused and what failed, counted.

CREATE TABLE counts (
  -- When the minute began.
  minute_ms INTEGER NOT NULL,
  -- The process that counted.
  node TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('security_event', 'error_taxonomy')),
  key TEXT NOT NULL,
  times INTEGER NOT NULL,
  PRIMARY KEY (minute_ms, node, kind, key)
) STRICT, WITHOUT ROWID;
