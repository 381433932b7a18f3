-- The frames that runs of threads get, and the nonces of signed requests.

-- What was sent is in its event. A frame that came after the run's end has none, and keeps it here.
CREATE TABLE frames (
  run_no INTEGER NOT NULL,
  frame_id TEXT NOT NULL,
  digest TEXT NOT NULL,
  seq INTEGER,
  -- JSON.
  payload TEXT,
  at_ms INTEGER NOT NULL,
  PRIMARY KEY (run_no, frame_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX frames_by_seq ON frames (run_no, seq) WHERE seq IS NOT NULL;

CREATE TABLE nonces (
  -- A digest.
  key TEXT NOT NULL PRIMARY KEY,
  expires_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX nonces_by_expiry ON nonces (expires_at_ms);
