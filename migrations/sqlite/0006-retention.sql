-- How far the beginning of a run's log was deleted: the last event that is gone, and its hash, which the first event
-- kept names as the one before it. 0 and NULL while all are there.
ALTER TABLE runs ADD COLUMN floor_seq INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN floor_hash TEXT;

-- Recorded runs that keep more than their newest event: by their end, and by how many they keep.
CREATE INDEX runs_prunable ON runs (ended_at_ms) WHERE recorded = 1 AND floor_seq < final_seq - 1;
CREATE INDEX runs_by_kept ON runs (final_seq - floor_seq) WHERE recorded = 1 AND floor_seq < final_seq - 1;
