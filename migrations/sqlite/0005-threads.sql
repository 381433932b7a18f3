-- Runs that take frames, the frames, and the nonces of signed requests. Texts that come from outside are JSON strings, as
-- in run_texts.

-- NULL for a run that takes no frames.
ALTER TABLE runs ADD COLUMN thread_id TEXT;
ALTER TABLE runs ADD COLUMN thread_owner TEXT;
ALTER TABLE runs ADD COLUMN stays_open INTEGER NOT NULL DEFAULT 0;
-- Set while the run waits for nothing but its next frame: a later run of its session need not wait for it.
ALTER TABLE runs ADD COLUMN awaits_frames INTEGER NOT NULL DEFAULT 0;
-- How many it has got: counting them takes longer the more there are.
ALTER TABLE runs ADD COLUMN frames INTEGER NOT NULL DEFAULT 0;

-- A thread may gather many runs that rest, and nobody has to look through them.
DROP INDEX runs_open_by_session;
CREATE INDEX runs_busy_by_session ON runs (session_id, exchange)
WHERE exchange IS NOT NULL AND ended_at_ms IS NULL AND awaits_frames = 0;

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
  value TEXT NOT NULL PRIMARY KEY,
  expires_at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX nonces_by_expiry ON nonces (expires_at_ms);
